import Accounts
import Store
import Testing

@Suite(.temporaryFolder) struct `The outbox` {
    @Test(arguments: Engine.allCases, LetterKind.allCases)
    func `returns a mail as it was inserted`(on engine: Engine, kind: LetterKind) async throws {
        let store = try await engine.store()
        let mail = StoredMail.sample(1, kind: kind)
        try await store.send(mail)
        #expect(try await store.mail(1) == mail)
        #expect(try await store.mail(2) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `lists mails of a project, of a recipient, or all, newest first`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.send(
            .sample(1), .sample(2, to: .bob), .sample(3, in: .blog), .sample(4))
        func ids(in project: ProjectID? = nil, to recipient: EmailAddress? = nil, limit: Int = 10) async throws -> [MailID] {
            try await store.mails(in: project, to: recipient, limit: limit).map(\.id)
        }
        #expect(try await ids() == [4, 3, 2, 1])
        #expect(try await ids(limit: 2) == [4, 3])
        #expect(try await ids(in: .shop) == [4, 2, 1])
        #expect(try await ids(to: .ada) == [4, 3, 1])
        #expect(try await ids(in: .shop, to: .ada) == [4, 1])
        #expect(try await store.countMails(in: .shop) == 3)
    }

    @Test(arguments: Engine.allCases)
    func `counts the waiting mails up to a limit, and has the time of the oldest`(on engine: Engine) async throws {
        let store = try await engine.store()
        #expect(try await store.backlog(countingTo: 2) == MailBacklog(mails: 0, oldest: nil))
        let first = StoredMail.sample(1)
        for (count, mail) in [(1, first), (2, .sample(2, in: .blog)), (2, .sample(3))] {
            try await store.send(mail)
            #expect(try await store.backlog(countingTo: 2) == MailBacklog(mails: count, oldest: first.createdAt))
        }
    }

    @Test(arguments: Engine.allCases)
    func `is emptied for one project at a time`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.send(.sample(1), .sample(2, in: .blog))
        try await store.deleteMails(in: .shop)
        #expect(try await store.mails(limit: 10).map(\.id) == [2])
    }
}

extension Store {
    fileprivate func send(_ mails: StoredMail...) async throws {
        try await transaction({ (records) throws(ActionError) in
            for mail in mails { try records.insert(mail) }
        })
    }
}
