import Accounts
import ArgumentParser
import Base
import Foundation
import Store
import Testing
@testable import CommandLine
@testable import Configuration
@testable import Server

/// The commands with their arguments, on a temporary database.
@Suite struct `Users` {
    static let hash = "V358E8LdWJXAO7muq0CufVpEOXaj8aFiC7T/rcaGieN04q/ZPJ08WhJEHGjj9lz/2TT+/86N5VjVoc5DdBhBiw=="
    static let hashing = [
        "--hash-algo=SCRYPT", "--salt-separator=Bw==", "--rounds=8", "--mem-cost=14",
        "--hash-key=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
    ]

    struct Setup: CommandSetup {
        let folder: Folder

        init() throws {
            folder = try Folder()
            try configure(
                projects: "[{id: one, displayName: One, apiKeys: [key-of-one], authorizedDomains: [one.example.com]}]")
        }

        /// - Returns: the exit status.
        func take(_ name: String, _ arguments: [String] = []) async throws -> Int32 {
            do {
                try await UsersImport.parse([file(name), "--config", file("onward.yaml")] + arguments).run()
                return 0
            } catch let code as ExitCode { return code.rawValue }
        }

        func give(_ name: String, _ arguments: String...) async throws -> Int32 {
            do {
                try await UsersExport.parse([file(name), "--config", file("onward.yaml")] + arguments).run()
                return 0
            } catch let code as ExitCode { return code.rawValue }
        }

        func accounts() async throws -> [Account] {
            try await DatabaseSetting.sqlite(path: file("onward.sqlite")).withStore { store in
                try await store.profiles(Accounts.PageRequest(limit: .max), in: ProjectID(rawValue: "one")).map(\.account)
            }
        }
    }

    static func user(_ id: String, _ more: String = "") -> String { #"{"localId":"\#(id)","email":"\#(id)@example.com"\#(more)}"# }
    static func users(_ users: String...) -> String { #"{"users": ["# + users.joined(separator: ",\n") + "]}" }

    @Test(arguments: [
        "\u{FEFF}" + users(user("1"), user("2")), "[" + user("1") + "," + user("2") + "]", user("1") + "\n" + user("2") + "\n",
        "\u{FEFF}" + user("1") + "\n" + user("2"),
    ])
    func `users are imported from a list, from lines, and after a byte order mark`(text: String) async throws {
        let setup = try Setup()
        try setup.write(text, to: "accounts.json")
        #expect(try await setup.take("accounts.json") == 0)
        #expect(try await setup.accounts().map(\.id.rawValue) == ["1", "2"])
    }

    /// One of both would be lost without a word.
    @Test(arguments: [[], ["--overwrite"], ["--dry-run"]]) func `a second user with the same id in a file is refused`(options: [String])
        async throws
    {
        let setup = try Setup()
        try setup.write(Self.users(), to: "none.json")
        #expect(try await setup.take("none.json") == 0)
        try setup.write(Self.users(Self.user("1"), #"{"localId":"1","email":"other@example.com"}"#, Self.user("2")), to: "accounts.json")
        #expect(try await setup.take("accounts.json", options) == 1)
        #expect(try setup.read("accounts.json.refused.jsonl").contains("another user before it in the file has the same localId"))
        #expect(try await setup.accounts().map { $0.email?.value } == (options == ["--dry-run"] ? [] : ["1@example.com", "2@example.com"]))
    }

    @Test func `a line without an id does not stop the import of the others`() async throws {
        let setup = try Setup()
        try setup.write(Self.user("1") + "\n" + #"{"email":"b@x.example"}"# + "\n" + Self.user("2"), to: "accounts.json")
        #expect(try await setup.take("accounts.json") == 1)
        #expect(try await setup.accounts().map(\.id.rawValue) == ["1", "2"])
        #expect(try setup.read("accounts.json.refused.jsonl").contains("MISSING_LOCAL_ID"))
    }

    @Test func `a user with an invalid phone number is imported without the number`() async throws {
        let setup = try Setup()
        try setup.write(Self.users(Self.user("1", #","phoneNumber":"0151 12345""#), Self.user("2")), to: "accounts.json")
        #expect(try await setup.take("accounts.json") == 0)
        #expect(try await setup.accounts().map(\.phoneNumber) == [nil, nil])
        let report = try setup.read("accounts.json.refused.jsonl")
        #expect(report.split(separator: "\n").count == 1 && report.contains("imported without its phone number"))
        #expect(!report.contains("12345"))
    }

    @Test func `are imported and exported unchanged`() async throws {
        let setup = try Setup()
        try setup.write(
            Self.users(
                Self.user(
                    "1",
                    #","emailVerified":true,"passwordHash":"\#(Self.hash)","salt":"TmFDbA==","displayName":"One","photoUrl":"https://one","createdAt":"1486324027000","lastSignedInAt":"1486324028000","phoneNumber":"+15555550100","disabled":true,"customAttributes":"{\"role\":\"x\"}","providerUserInfo":[{"providerId":"google.com","rawId":"1","email":"g@example.com"},{"providerId":"apple.com","rawId":"2"}],"mfaInfo":[{"mfaEnrollmentId":"m","phoneInfo":"+15555550101","enrolledAt":"2026-01-02T03:04:05.678Z"}]"#
                ), Self.user("2")), to: "accounts.json")
        #expect(try await setup.take("accounts.json", Self.hashing) == 0)
        let first = try await setup.accounts()
        #expect(first.map(\.id.rawValue) == ["1", "2"])
        #expect(first[0].lastLoginAt == Timestamp(milliseconds: 1_486_324_028_000) && first[0].phoneNumber?.value == "+15555550100")

        // Once for Firebase and once for another Onward.
        #expect(try await setup.give("out.json") == 0)
        #expect(try await setup.give("all.json", "--complete") == 0)
        for name in ["out.json", "out.json.hash-key"] {
            let mode = try FileManager.default.attributesOfItem(atPath: setup.file(name))[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        let taken: Set = [
            "localId", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl", "createdAt", "lastSignedInAt",
            "providerUserInfo", "phoneNumber", "disabled", "customAttributes",
        ]
        let written =
            try #require(
                try JSONSerialization.jsonObject(with: Data(setup.read("out.json").utf8)) as? [String: [[String: Any]]])["users"] ?? []
        #expect(written.allSatisfy { taken.isSuperset(of: $0.keys) })
        #expect(written[0]["passwordHash"] as? String == Self.hash)
        #expect(try !setup.read("out.json").contains("apple.com"))

        let other = try Setup()
        for name in ["all.json", "all.json.hash-key"] {
            try FileManager.default.copyItem(atPath: setup.file(name), toPath: other.file(name))
        }
        let hashing = Self.hashing.dropLast() + ["--hash-key-file", other.file("all.json.hash-key")]
        #expect(try await other.take("all.json", Array(hashing)) == 0)
        #expect(try await other.give("all-again.json", "--complete") == 0)
        #expect(try other.read("all-again.json") == setup.read("all.json"))
        #expect(try setup.read("all.json").contains("apple.com") && setup.read("all.json").contains(#""mfaEnrollmentId":"m""#))
    }

    @Test func `that are refused are reported and do not affect others`() async throws {
        let setup = try Setup()
        try setup.write(Self.users(Self.user("1"), Self.user("not an address "), "{}", #"{"localId":7,}"#, Self.user("2")), to: "a.json")
        #expect(try await setup.take("a.json") == 1)
        #expect(try await setup.accounts().map(\.id.rawValue) == ["1", "2"])
        #expect(
            try setup.read("a.json.refused.jsonl") == """
                {"code":"INVALID_EMAIL","index":1,"localId":"not an address ","message":"email is invalid"}
                {"code":"MISSING_LOCAL_ID","index":2,"message":"localId is missing"}
                {"code":"INVALID_ARGUMENT","index":3,"message":"not JSON: Unexpected token at byte 13 of the user"}

                """)
        // Put right, the rest goes in; what was told is not true any more.
        try setup.write(Self.users(Self.user("1"), Self.user("3")), to: "a.json")
        #expect(try await setup.take("a.json") == 0)
        #expect(!setup.exists("a.json.refused.jsonl"))
    }

    @Test func `that already exist are kept, unless --overwrite is given`() async throws {
        let setup = try Setup()
        try setup.write(Self.users(Self.user("1", #","displayName":"old""#)), to: "a.json")
        #expect(try await setup.take("a.json") == 0)
        let before = try await setup.accounts()
        try setup.write(Self.users(Self.user("1", #","displayName":"new""#)), to: "a.json")
        #expect(try await setup.take("a.json") == 0)
        #expect(try await setup.accounts() == before)
        #expect(try await setup.take("a.json", ["--overwrite"]) == 0)
        let after = try await setup.accounts()
        #expect(after[0].displayName == "new" && after[0].validSince > before[0].validSince)
    }

    @Test func `can be imported as a dry run`() async throws {
        let setup = try Setup()
        try setup.write(Self.users(Self.user("1")), to: "a.json")
        #expect(try await setup.take("a.json") == 0)
        let before = try await setup.accounts()
        try setup.write(
            Self.users(
                Self.user("1"), Self.user("2"), #"{"localId":"3","email":"2@example.com"}"#, #"{"localId":"4","email":"1@example.com"}"#),
            to: "b.json")
        #expect(try await setup.take("b.json", ["--dry-run"]) == 1)
        #expect(try await setup.accounts() == before)
        #expect(try setup.read("b.json.refused.jsonl").split(separator: "\n").map { $0.contains("EMAIL_EXISTS") } == [true, true])
    }

    @Test func `can be imported as a dry run before there is a database`() async throws {
        let setup = try Setup()
        try setup.write(Self.users(Self.user("1"), #"{"localId":"2","email":"1@example.com"}"#), to: "a.json")
        #expect(try await setup.take("a.json", ["--dry-run"]) == 1)
        #expect(try setup.read("a.json.refused.jsonl").contains("EMAIL_EXISTS"))
        #expect(!FileManager.default.fileExists(atPath: setup.file("onward.sqlite")))
        // Nor does an empty one get tables.
        try setup.write("", to: "onward.sqlite")
        #expect(try await setup.take("a.json", ["--dry-run", "--report", setup.file("again.jsonl")]) == 1)
        #expect(try await !DatabaseSetting.sqlite(path: setup.file("onward.sqlite")).hasTables())
    }

    /// O3: every action is logged, and everything done with an admin's power is in the audit.
    @Test func `are imported and exported with audit records, as are key rotations`() async throws {
        let setup = try Setup()
        try setup.write(Self.users(Self.user("1")), to: "a.json")
        #expect(try await setup.take("a.json", ["--dry-run"]) == 0)
        #expect(try await setup.take("a.json") == 0)
        #expect(try await setup.give("b.json") == 0)
        #expect(try await setup.give("b.json") == 1)
        try await SigningKeyCommand.Rotate.parse(["--compromised", "--config", setup.file("onward.yaml")]).run()
        let (records, keys) = try await DatabaseSetting.sqlite(path: setup.file("onward.sqlite")).withStore { store in
            (try await store.audit(after: 0, limit: 9).map(\.record), try await store.signingKeys().map(\.id))
        }
        #expect(records.map(\.method) == ["users import", "users export", "users export", "signing-key rotate"])
        #expect(records.map(\.outcome) == [.done, .done, .refused(code: "FAILED"), .done])
        #expect(records.map(\.project?.rawValue) == ["one", "one", "one", nil] && records.last?.subjects == keys)
        #expect(records.allSatisfy { $0.actor.hasPrefix("cli:") })
    }

    @Test func `are imported from CSV`() async throws {
        let setup = try Setup()
        let row =
            ["1", "One@Example.com", "true", "", "", "\"Last, First\"", ""] + ["g1", "g@example.com", "", ""]
            + Array(repeating: "", count: 12)
            + ["1486324027000", "", "+15555550100", "true", #""{""role"":""x""}""#]
        try setup.write(row.joined(separator: ",") + ",\n2,,,,,,\n", to: "a.csv")
        #expect(try await setup.take("a.csv") == 0)
        let accounts = try await setup.accounts()
        #expect(accounts.map(\.email?.value) == ["one@example.com", nil])
        #expect(accounts[0].displayName == "Last, First" && accounts[0].disabled && accounts[0].customAttributes == #"{"role":"x"}"#)
        #expect(accounts[0].createdAt == Timestamp(milliseconds: 1_486_324_027_000))
    }

    @Test func `with password hashes are not imported without a hash algorithm`() async throws {
        let setup = try Setup()
        try setup.write(Self.users(Self.user("1", #","passwordHash":"\#(Self.hash)""#)), to: "a.json")
        #expect(try await setup.take("a.json") == 1)
        #expect(try await setup.accounts().isEmpty)
    }

    @Test func `with different hash algorithms are exported into separate files`() async throws {
        let setup = try Setup()
        try setup.write(Self.users(Self.user("1", #","passwordHash":"\#(Self.hash)","salt":"TmFDbA==""#), Self.user("3")), to: "a.json")
        try setup.write(
            Self.users(Self.user("2", #","passwordHash":"\#(Data(repeating: 7, count: 32).base64EncodedString())""#)), to: "b.json")
        #expect(try await setup.take("a.json", Self.hashing) == 0)
        #expect(try await setup.take("b.json", ["--hash-algo=SHA256", "--rounds=1"]) == 0)
        let (files, tally) = try await ProjectAccounts.parse(["--config", setup.file("onward.yaml")]).open {
            try await UserExporter(store: $0.store, passwords: $0.passwords, project: $0.project, isComplete: false).run(
                to: setup.file("my users.json")
            ) { _ in }
        }
        #expect(tally == UserExporter.ExportCounts(users: 3))
        #expect(
            UsersExport.summary(of: files, tally, isComplete: false).replacing(setup.folder.path, with: "/x") == """
                /x/my users.json: 2 users, 1 with passwords hashed by SCRYPT
                  firebase auth:import '/x/my users.json' --hash-algo=SCRYPT --hash-key="$(cat '/x/my users.json.hash-key')" \
                --salt-separator=Bw== --rounds=8 --mem-cost=14
                /x/my users-2.json: 1 users, 1 with passwords hashed by SHA256
                  firebase auth:import '/x/my users-2.json' --hash-algo=SHA256 --rounds=1 --hash-input-order=SALT_FIRST
                """)
        // The Firebase CLI would leave the second factors of a complete export out.
        #expect(
            UsersExport.summary(of: files, tally, isComplete: true).replacing(setup.folder.path, with: "/x").contains(
                "onward users import '/x/my users.json' --hash-algo=SCRYPT --hash-key-file='/x/my users.json.hash-key' --salt-separator"))
        #expect(try await setup.give("my users.json") == 1, "what is there is not written over")
    }
}
