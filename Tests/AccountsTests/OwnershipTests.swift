import Foundation
import Store
import Testing
import World
@testable import Accounts

@Suite struct `An arrival from outside` {
    /// The facts that matter, in the order of the table's rows.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var facts = Arrival.Facts()
        let reset, link, provider: Arrival

        init(_ name: String, _ reset: Arrival, _ link: Arrival, _ provider: Arrival, _ edit: (inout Arrival.Facts) -> Void) {
            (testDescription, self.reset, self.link, self.provider) = (name, reset, link, provider)
            edit(&facts)
        }
    }

    private static let rows = [
        Row("of a linked user", .sameUser, .sameUser, .sameUser) { ($0.isLinked, $0.hasProvedAnother) = (true, true) },
        Row("of a new user of the address at the provider", .passedOn, .passedOn, .passedOn) {
            ($0.isRecycled, $0.hasProved, $0.isVerified) = (true, true, true)
        },
        Row("at a verified address", .joins, .joins, .joins) { ($0.hasProved, $0.isVerified, $0.hasProvedAnother) = (true, true, true) },
        Row("at an address that is not verified now", .comesBack, .comesBack, .comesBack) { $0.hasProved = true },
        Row("at an address of an account that proved another", .resets, .passedOn, .passedOn) { $0.hasProvedAnother = true },
        Row("at an address of an account that was entered before", .ownerArrives, .passedOn, .passedOn) { $0.wasEntered = true },
        Row("at an address that an account in use carries", .resets, .passedOn, .passedOn) {
            ($0.hasProvedAnother, $0.wasEntered) = (true, true)
        },
        Row("of an invited person at an address that another's account carries", .passedOn, .passedOn, .passedOn) {
            ($0.hasProvedAnother, $0.isInvited) = (true, true)
        },
        Row("of an invited person at an address of an account that was entered before", .passedOn, .passedOn, .passedOn) {
            ($0.wasEntered, $0.isInvited) = (true, true)
        },
        Row("of an invited person at an address that was proved since", .comesBack, .comesBack, .comesBack) {
            ($0.hasProved, $0.hasProvedAnother, $0.isInvited) = (true, true, true)
        },
        Row("at an account made in advance", .ownerArrives, .ownerArrives, .ownerArrives) { _ in },
    ]

    /// A4: nothing that was set up in advance lets anybody in once the owner has come.
    @Test(arguments: rows) func `an arrival from outside is what the table says`(_ row: Row) {
        #expect(Arrival(by: .reset, at: row.facts) == row.reset)
        #expect(Arrival(by: .link, at: row.facts) == row.link)
        #expect(Arrival(by: .provider, at: row.facts) == row.provider)
    }
}

@Suite struct `The table of what ends` {
    /// `Docs/internal/Ownership.md` shows the table as the code has it.
    @Test func `the table of what ends is in the documents as in the code`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let lines = try String(contentsOf: root.appending(path: "Docs/internal/Ownership.md"), encoding: .utf8).split(separator: "\n")
        let marks: [EndingExtent?: String] = [nil: "–", .all: "all", .later: "later", .usersOwn: "user's own"]
        for event in OwnershipEvent.allCases {
            let cells = AccountPart.allCases.map { marks[event.ends[$0]] ?? "?" }
            let row = "| `\(event.rawValue)` | \(cells.joined(separator: " | ")) |"
            #expect(lines.contains { $0 == row }, "missing: \(row)")
        }
        let head = "| event | \(AccountPart.allCases.map(\.rawValue).joined(separator: " | ")) |"
        #expect(lines.contains { $0 == head }, "missing: \(head)")
    }
}

@Suite struct `An address that an account takes` {
    /// An account, the address that it is to get, the reason, and the result where accounts are
    /// hidden and where they are not.
    struct Row: Sendable, CustomTestStringConvertible {
        enum Reply: Sendable, Equatable { case taken, left, refused(Refusal) }
        enum Holder: Sendable { case nothing, address, removed, hadAnother }

        let holder: Holder
        let claim: AddressClaim
        let isTaken: Bool
        let hidden, open: Reply
        var testDescription: String { "\(holder), \(claim), \(isTaken ? "taken" : "free")" }
    }

    private static let rows: [Row] = [
        Row(holder: .nothing, claim: .wished, isTaken: false, hidden: .taken, open: .taken),
        Row(holder: .nothing, claim: .wished, isTaken: true, hidden: .refused(.emailExists), open: .refused(.emailExists)),
        Row(holder: .nothing, claim: .reported, isTaken: false, hidden: .taken, open: .taken),
        Row(holder: .nothing, claim: .reported, isTaken: true, hidden: .left, open: .refused(.emailExists)),
        Row(holder: .nothing, claim: .proved, isTaken: false, hidden: .taken, open: .taken),
        Row(holder: .nothing, claim: .proved, isTaken: true, hidden: .refused(.emailExists), open: .refused(.emailExists)),
        Row(holder: .address, claim: .wished, isTaken: false, hidden: .refused(.operationNotAllowed), open: .taken),
        Row(holder: .address, claim: .wished, isTaken: true, hidden: .refused(.operationNotAllowed), open: .refused(.emailExists)),
        Row(holder: .address, claim: .reported, isTaken: false, hidden: .left, open: .left),
        Row(holder: .address, claim: .reported, isTaken: true, hidden: .left, open: .refused(.emailExists)),
        Row(holder: .address, claim: .proved, isTaken: true, hidden: .refused(.emailExists), open: .refused(.emailExists)),
        // The address that its user removed last may come back, no other.
        Row(holder: .removed, claim: .wished, isTaken: false, hidden: .taken, open: .taken),
        Row(holder: .removed, claim: .reported, isTaken: false, hidden: .taken, open: .taken),
        Row(holder: .hadAnother, claim: .wished, isTaken: false, hidden: .refused(.operationNotAllowed), open: .taken),
        Row(holder: .hadAnother, claim: .reported, isTaken: false, hidden: .left, open: .taken),
        Row(holder: .hadAnother, claim: .proved, isTaken: false, hidden: .taken, open: .taken),
    ]

    /// A3: a hidden account takes a further address only with proof of it.
    @Test(arguments: rows, [true, false]) func `an address is taken as the table says`(_ row: Row, hidden: Bool) async throws {
        let wanted = try #require(EmailAddress("wanted@app.example"))
        let world = try await World { $0.hidesAccounts = hidden }
        if row.isTaken { try await world.account(wanted.value, id: "holder") }
        let start = row.holder == .nothing ? nil : row.holder == .removed ? wanted.value : "first@app.example"
        try await world.account(start)
        if row.holder == .removed || row.holder == .hadAnother {
            var removal = AccountChange()
            removal.deletesEmail = true
            _ = try await world.change(removal)
        }
        let (account, project) = (try #require(try await world.stored(AccountID(rawValue: "ada"))), world.project)
        let reply: Row.Reply
        do throws(ActionError) {
            reply =
                try await world.store.read { (records) throws(ActionError) in
                    try records.takes(wanted, as: row.claim, account, in: project)
                } ? .taken : .left
        } catch { reply = .refused(try #require(error.refusal)) }
        #expect(reply == (hidden ? row.hidden : row.open))
    }
}

@Suite struct `The newest wish of an account` {
    private func world() async throws -> (World, (String) async throws -> OobCode?) {
        let world = try await World { $0.hidesAccounts = true }
        try await world.account("ada@app.example") { $0.emailVerified = true }
        try await world.account("taken@app.example", id: "other")
        return (
            world,
            { address in
                let account = try #require(try await world.stored(AccountID(rawValue: "ada")))
                var request = CodeRequest(.verifyAndChangeEmail, for: .account(account), with: ApprovedSettings(in: world.project))
                request.newEmail = EmailAddress(address)
                return try await world.accounts.send(request)?.code
            }
        )
    }

    /// A2: the mistyped address is a stranger's.
    @Test func `ends the links of the former one, and its own links live together`() async throws {
        let (world, ask) = try await world()
        let mistyped = try #require(try await ask("tpyo@app.example"))
        let first = try #require(try await ask("right@app.example"))
        let second = try #require(try await ask("right@app.example"))
        guard case .withdrawn(let ended) = try await world.inspect(mistyped) else { throw Missing() }
        #expect(ended.isSuperseded && ended.newerSince == nil)
        for code in [first, second] { guard case .live = try await world.inspect(code) else { throw Missing() } }
        try await world.redeem(first)
        #expect(try await world.stored(AccountID(rawValue: "ada"))?.email?.value == "right@app.example")
    }

    /// A2: what was ended stays ended.
    @Test func `an ended link is not revived by asking for the former address again`() async throws {
        let (world, ask) = try await world()
        let first = try #require(try await ask("first@app.example"))
        let second = try #require(try await ask("second@app.example"))
        let again = try #require(try await ask("first@app.example"))
        for code in [first, second] { guard case .withdrawn = try await world.inspect(code) else { throw Missing() } }
        guard case .live = try await world.inspect(again) else { throw Missing() }
    }

    /// A2: it tells nothing about the address that is asked for.
    @Test func `counts even if its address is taken and gets no link`() async throws {
        let (world, ask) = try await world()
        let first = try #require(try await ask("first@app.example"))
        #expect(try await ask("taken@app.example") == nil)
        guard case .withdrawn = try await world.inspect(first) else { throw Missing() }
    }

    /// A1: another change may have come first, and given the account its address again.
    @Test func `an address that the account still has gets no undo link`() async throws {
        let world = try await World()
        let ada = try await world.account("ada@app.example") { $0.emailVerified = true }
        let departure = world.accounts.drafts.departure(
            from: .ada, to: EmailAddress("new@app.example"), for: ada, by: .admin, in: world.project)
        let undo = try await world.store.transaction { (records) throws(ActionError) in try departure.store(for: ada, in: records) }
        #expect(undo == nil)
        #expect(try await world.mails().isEmpty)
    }

    @Test func `never ends an undo link`() async throws {
        let (world, ask) = try await world()
        try await world.redeem(try #require(try await ask("first@app.example")))
        let undo = try #require(try await world.mailedCode(.recoverEmail))
        _ = try await ask("second@app.example")
        guard case .live = try await world.inspect(undo) else { throw Missing() }
    }
}
