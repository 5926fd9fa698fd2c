import Accounts
import Base
import Store
import Testing

/// V7: a clock that is set back revives no code, session or limit.
@Suite(.temporaryFolder) struct `The mark of the clock` {
    private func mark(_ seconds: Int64, acceptances: Int = 0) -> ClockMark {
        ClockMark(time: .noon + .seconds(seconds), acceptances: acceptances)
    }

    @Test(arguments: Engine.allCases) func `only moves ahead, for all processes`(on engine: Engine) async throws {
        let database = try await engine.database()
        let (one, other) = (try await database.open(), try await database.open())
        #expect(try await one.clockMark() == nil)
        for (seconds, expected) in [(10, 10), (5, 10), (20, 20), (19, 20)] {
            try await one.advanceClock(to: mark(Int64(seconds)))
            #expect(try await other.clockMark() == mark(Int64(expected)))
        }
    }

    @Test(arguments: Engine.allCases) func `is set back by an acceptance, which the mark of an older one does not undo`(
        on engine: Engine
    ) async throws {
        let store = try await engine.store()
        try await store.acceptClock(at: .noon + .seconds(50))
        #expect(try await store.clockMark() == mark(50, acceptances: 1))
        try await store.acceptClock(at: .noon)
        #expect(try await store.clockMark() == mark(0, acceptances: 2))
        try await store.advanceClock(to: mark(99, acceptances: 1))
        #expect(try await store.clockMark() == mark(0, acceptances: 2))
        try await store.advanceClock(to: mark(7, acceptances: 2))
        #expect(try await store.clockMark() == mark(7, acceptances: 2))
    }

    /// Otherwise a link that was made while the clock was a year ahead would work for a year.
    @Test(arguments: Engine.allCases) func `that is set back ends what was written after it`(on engine: Engine) async throws {
        let store = try await engine.store()
        let future = Timestamp.noon + .seconds(31_536_000)
        try await store.prepare(
            .sample(.number(1)), .sample(.number(2), madeAt: future), .sample(.number(3), .recoverEmail, madeAt: future))
        let counter = WrongCodes.Counter(.account(.ada, .shop), fromKnownNetwork: true)
        try await store.transaction { (records) throws(ActionError) in
            for (number, authTime, retiredAt) in [(1, Timestamp.noon, nil), (2, future, nil), (3, .noon, future)] {
                try records.insert(
                    RefreshTokenRecord(
                        token: .number(number), project: .shop, account: .ada, authTime: authTime, provider: .password,
                        createdAt: authTime, retiredAt: retiredAt))
            }
            var bob = Account.sample(.bob, email: .bob)
            bob.validSince = future
            try records.update(bob)
            try records.set(WrongCodes(count: 6, nextAt: future), for: counter)
            let factor = SecondFactor(id: "app", kind: .totp, displayName: nil, sealedKey: [1], enrolledAt: future)
            try records.insert(factor, of: .ada, in: .shop, byAdmin: false)
        }
        try await store.queue(.sample(1, kind: .notice(.passwordChanged)), .sample(2))
        let leased = try #require(try await store.lease(MailLease(limit: 1, until: .noon), at: .noon).first)
        try await store.postpone(leased, until: future, DeliveryOutcome(.accepted, answer: "later"))
        let recipient = leased.recipientDigest
        for (id, start) in [("past", Timestamp.noon), ("soon", .noon + .seconds(3600)), ("future", future)] {
            let key = StoredSigningKey(id: id, createdAt: start, signsFrom: start, sealedPrivateKey: [1])
            try await store.changeSigningKeys { _ in KeyChange(adding: key) }
        }
        let bounce = try #require(Suppression(.bounce, of: recipient, in: .shop, from: .relay, at: future))
        #expect(try await store.suppress([bounce], by: nil, at: future) == .counted(suppressed: 1))

        try await store.acceptClock(at: .noon)
        #expect(try await store.codes(1, 2, 3).map { $0?.state(at: .noon) } == [.live, .withdrawn, .live])
        // The change that it undoes has stayed.
        #expect(try await store.codes(3).first??.expiresAt == .noon + .seconds(3600))
        let left = try await store.read { (records) throws(ActionError) in
            (try records.session(.number(1)), try records.session(.number(2)), try records.session(.number(3)))
        }
        #expect(left.0 != nil && left.1 == nil && left.2 == nil)
        #expect(try await store.account(.bob)?.validSince == .noon)
        // An undo link of a later time leaves it.
        let factors = try await store.read { (records) throws(ActionError) in try records.secondFactors(of: .ada, in: .shop) }
        #expect(factors.map(\.enrolledAt) == [.noon])
        let wrong = try await store.read { (records) throws(ActionError) in try records.wrongCodes(counter) }
        #expect(wrong?.count == 6 && wrong?.nextAt == .noon)
        #expect(try await store.suppressions(of: recipient, in: .shop, at: .noon).map(\.until) == [.noon + Suppression.bounceSpan])
        #expect(try await store.lease(MailLease(limit: 9, until: .noon + .seconds(60)), at: .noon).count == 2)
        #expect(try await store.signingKeys().map(\.signsFrom) == [.noon, .noon + .seconds(3600), .noon + .seconds(86_400)])
    }

    /// Servers that have followed already write right times, which may be a little later than the
    /// command's.
    @Test(arguments: Engine.allCases) func `a clock that is set back ends what is written ahead later`(on engine: Engine) async throws {
        let store = try await engine.store()
        let (future, soon) = (Timestamp.noon + .hours(48), Timestamp.noon + .seconds(60))
        try await store.acceptClock(at: .noon)
        try await store.prepare(
            .sample(.number(1), madeAt: soon), .sample(.number(2), madeAt: future), .sample(.number(3), .recoverEmail, madeAt: future))
        try await store.transaction { (records) throws(ActionError) in
            for (number, moment) in [(1, soon), (2, future)] {
                try records.insert(
                    RefreshTokenRecord(
                        token: .number(number), project: .shop, account: .ada, authTime: moment, provider: .password, createdAt: moment))
            }
            var bob = Account.sample(.bob, email: .bob)
            (bob.validSince, bob.enteredAt) = (future, future)
            try records.update(bob)
        }
        try await store.endWhatWasWrittenAhead(at: .noon + .seconds(15))
        #expect(try await store.clockMark() == mark(0, acceptances: 1))
        #expect(try await store.codes(1, 2, 3).map { $0?.state(at: soon) } == [.live, .withdrawn, .live])
        #expect(try await store.codes(3).first??.expiresAt == .noon + .seconds(15 + 3600))
        let left = try await store.read { (records) throws(ActionError) in
            (try records.session(.number(1)), try records.session(.number(2)))
        }
        #expect(left.0 != nil && left.1 == nil)
        let bob = try #require(try await store.account(.bob))
        #expect(bob.validSince == .noon + .seconds(15))
        #expect(bob.enteredAt.map { $0 <= .noon + .seconds(16) } == true)
    }

    /// Their time was over while the clock was ahead, so nothing else than these ended them.
    @Test(arguments: Engine.allCases) func `a clock that is set back revives no link that was ended while it was ahead`(
        on engine: Engine
    ) async throws {
        let store = try await engine.store()
        try await store.prepare(
            .sample(.number(1), .verifyAndChangeEmail), .sample(.number(2), .recoverEmail), .sample(.number(3), .recoverEmail, email: .bob))
        let future = Timestamp.noon + .hours(48)
        try await store.transaction { (records) throws(ActionError) in
            try records.supersedeCodes(of: .ada, in: .shop, for: .verifyAndChangeEmail, exceptTo: .ada, at: future)
            try records.withdrawUndoLinks(of: .ada, to: .ada, in: .shop, at: future)
            // An address that was left comes back.
            try records.prove(.ada, of: .ada, in: .shop, at: .noon)
            try records.prove(.bob, of: .ada, in: .shop, at: .noon + .seconds(1))
            try records.unverify(.ada, of: .ada, in: .shop, at: .noon + .seconds(2))
            try records.prove(.ada, of: .ada, in: .shop, at: future)
        }
        try await store.acceptClock(at: .noon + .seconds(60))
        #expect(try await store.codes(1, 2, 3).map { $0?.state(at: .noon + .seconds(60)) } == [.withdrawn, .withdrawn, .withdrawn])
    }
}
