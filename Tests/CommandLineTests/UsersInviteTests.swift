import Accounts
import ArgumentParser
import Base
import Foundation
import Store
import Testing
@testable import CommandLine
@testable import Configuration
@testable import Network
@testable import Server

@Suite struct `Users who are invited` {
    private struct Setup: CommandSetup {
        let folder: Folder

        init() async throws {
            folder = try Folder()
            try configure(
                projects: "[{id: one, displayName: One, apiKeys: [key-of-one], authorizedDomains: [one.example.com], signUp: closed}]")
            try await createDatabase()
        }

        /// The accounts whose invitations wait, and all mails.
        var state: (invited: [Accounts.Profile], mails: [StoredMail]) {
            get async throws {
                try await DatabaseSetting.sqlite(path: file("onward.sqlite")).withStore { store in
                    var page = Accounts.PageRequest(limit: 100)
                    page.isOfInvited = true
                    let profiles = try await store.profiles(page, in: ProjectID(rawValue: "one"))
                    let sorted = profiles.sorted { ($0.account.email?.value ?? "") < ($1.account.email?.value ?? "") }
                    return (sorted, try await store.mails(limit: 100))
                }
            }
        }
    }

    @Test func `a user who is invited by address gets an account and a mail, until the invitation is withdrawn`() async throws {
        let setup = try await Setup()
        let options = ["--name", "Ada", "--continue", "https://one.example.com/hello", "--language", "de"]
        #expect(try await setup.onward(["users", "invite", "ada@example.com"] + options) == 0)
        var (invited, mails) = try await setup.state
        #expect(invited.map(\.account.email?.value) == ["ada@example.com"] && invited.first?.account.displayName == "Ada")
        #expect(mails.map(\.kind) == [.invitation] && mails.first?.language == "de")
        #expect(invited.first?.line(at: System.now()).contains("(invited ") == true)
        let later = System.now() + .days(8)
        #expect(invited.first?.line(at: later).contains("the link has expired") == true)
        #expect(try await setup.onward(["users", "list", "--invited"]) == 0)
        let configuration = try Configuration(file: setup.file("onward.yaml"), environment: { _ in nil })
        func found(at moment: Timestamp) async -> [String] {
            await Doctor(
                configuration: configuration, selectors: [], get: { _ in .failure(TransferError(cause: "not asked")) },
                textRecords: { _ in nil }, now: { moment }
            ).invitations().map(\.says)
        }
        #expect(await found(at: System.now()).isEmpty)
        #expect(await found(at: later) == ["1 have expired before their person came"])

        #expect(try await setup.onward(["users", "invite", "ada@example.com", "--withdraw"]) == 0)
        (invited, mails) = try await setup.state
        #expect(invited.isEmpty && mails.isEmpty)
        #expect(try await setup.onward(["users", "invite", "ada@example.com", "--withdraw"]) != 0)
    }

    @Test(arguments: [
        ["ada@example.com", "--continue", "https://evil.example/"], ["no address"], ["ada@example.com", "--language", "German (Austria)"],
    ])
    func `a user who cannot be invited is refused`(_ arguments: [String]) async throws {
        let setup = try await Setup()
        #expect(try await setup.onward(["users", "invite"] + arguments) != 0)
        #expect(try await setup.state.invited.isEmpty)
    }

    /// A wrong line costs no other.
    @Test func `users who are named by a file are invited, but for those on wrong lines`() async throws {
        let setup = try await Setup()
        try setup.write(
            """
            \u{feff}Email,Name,Continue,Language
            ada@example.com,Ada,,
            not an address,Nobody,,
            "grace@example.com","Hopper, Grace",https://one.example.com/x,fr
            ADA@example.com,Again,,
            eve@example.com,Eve,https://evil.example/,
            ,No one,,
            ,No one else,,
            """, to: "people.csv")
        #expect(try await setup.onward(["users", "invite", "--file", setup.file("people.csv"), "--language", "de"]) == 1)
        let (invited, mails) = try await setup.state
        #expect(invited.map(\.account.displayName) == ["Ada", "Hopper, Grace"])
        #expect(Set(mails.map(\.language)) == ["de", "fr"])
        let refused = try setup.read("people.csv.refused.jsonl").split(separator: "\n").map { try JSON(Array($0.utf8)) }
        #expect(refused.map { $0["line"] } == [.int(3), .int(6), .int(7), .int(8)])
        #expect(refused.map { $0["email"]?.string } == ["not an address", "eve@example.com", "", ""])
        #expect(refused[1]["message"]?.string?.contains("evil.example") == true)
    }

    @Test func `users who are named by lines of addresses are invited`() async throws {
        let setup = try await Setup()
        try setup.write("ada@example.com\n\ngrace@example.com\n", to: "people.txt")
        #expect(try await setup.onward(["users", "invite", "--file", setup.file("people.txt")]) == 0)
        #expect(try await setup.state.invited.count == 2)
        #expect(!setup.exists("people.txt.refused.jsonl"))
    }

    /// Their names and languages would be left out of mails that cannot be called back.
    @Test(arguments: ["email,phone\nada@example.com,1\n", "E-Mail,Name\nada@example.com,Ada\n", "ada@example.com,Ada\n", ""])
    func `users of a file with columns that are not known are not invited`(_ text: String) async throws {
        let setup = try await Setup()
        try setup.write(text, to: "people.csv")
        #expect(try await setup.onward(["users", "invite", "--file", setup.file("people.csv")]) != 0)
        #expect(try await setup.state.invited.isEmpty)
    }

    @Test func `users of a file are invited, whose quoted heads follow a byte order mark`() async throws {
        let setup = try await Setup()
        try setup.write("\u{feff}\"email\",\"name\"\r\n\"ada@example.com\",\"Ada\"\r\n", to: "people.csv")
        #expect(try await setup.onward(["users", "invite", "--file", setup.file("people.csv")]) == 0)
        #expect(try await setup.state.invited.map(\.account.displayName) == ["Ada"])
    }

    @Test func `users are not invited if the report would replace a file`() async throws {
        let setup = try await Setup()
        try setup.write("ada@example.com\n", to: "people.txt")
        let (file, report) = (setup.file("people.txt"), setup.file("onward.yaml"))
        #expect(try await setup.onward(["users", "invite", "--file", file, "--report", report]) != 0)
        #expect(setup.exists("onward.yaml"))
        #expect(try await setup.state.invited.isEmpty)
    }
}
