import Accounts
import ArgumentParser
import Foundation
import Testing
@testable import CommandLine
@testable import Configuration

@Suite struct `A file of users` {
    static let json = #"{"kind": "x", "users" : [ {"localId":"1","providerUserInfo":[{"a":{}}],"displayName":"\"}]\\"},{"localId":"2"} ] }"#
    static let users = [#"{"localId":"1","providerUserInfo":[{"a":{}}],"displayName":"\"}]\\"}"#, #"{"localId":"2"}"#]

    private static let noUsers = "the file has no list named users, and no users with a localId"
    private static let truncated = "the file is truncated; repeat the export"
    private static let notAnExport =
        #"the file is neither {"users": […]}, as firebase auth:export writes it, nor a list of users, nor one user after another"#

    private static func cut(_ text: String, pieces size: Int) throws -> [String] {
        var array = UserArray()
        var users: [String] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            users += try array.users(in: bytes[start...].prefix(size)).map { String(decoding: $0, as: UTF8.self) }
        }
        try array.finish()
        return users
    }

    @Test(arguments: [1, 2, 3, 7, 50, 1000]) func `is split into users wherever its pieces end`(size: Int) throws {
        #expect(try Self.cut(Self.json, pieces: size) == Self.users)
        #expect(try Self.cut("{\"users\": []}\n", pieces: size) == [])
        let list = Self.users.joined(separator: ",\n ")
        #expect(try Self.cut("[" + list + "]\n", pieces: size) == Self.users && Self.cut("[]", pieces: size) == [])
        #expect(try Self.cut(Self.users.joined(separator: "\n") + "\n", pieces: size) == Self.users)
    }

    @Test(arguments: [
        ("", noUsers), ("{}", noUsers),
        (#"{"users": {"localId": "1"}}"#, noUsers),
        (#"{"others": {"users": [{"localId": "1"}]}}"#, noUsers),
        (#"[{"localId": "1"}]{}"#, notAnExport), (#"[{"localId": "1"}"#, truncated),
        (#"["1"]"#, "an element of the list of users is not an object"), (#"{"localId": "1"} 7"#, notAnExport),
        (#"{"users": []} {"localId": "1"}"#, notAnExport), (#"{"email": "localId"}"#, noUsers), ("[]]", notAnExport),
        ("localId,email", notAnExport),
        (#"{"users": [{"localId": "1"}, {"localId""#, truncated),
        (#"{"users": [{"localId": "1"}"#, truncated),
        (#"{"users": [{"localId": "1"}]"#, truncated),
        (#"{"users": ["1"]}"#, "an element of the list of users is not an object"),
        (#"{"users": [[{}]]}"#, "an element of the list of users is not an object"),
        (#"{"users": [7]}"#, "an element of the list of users is not an object"),
        (#"{"users": [{"localId":""# + String(repeating: "x", count: 1 << 20), "a user of the file has more than 1048576 bytes"),
    ])
    func `is refused if it has another format`(text: String, sentence: String) {
        let failure = #expect(throws: Failure.self) { try Self.cut(text, pieces: 64) }
        #expect(failure?.description == sentence)
    }

    @Test(arguments: [1, 2, 5, 1000]) func `is split into rows wherever its pieces end`(size: Int) throws {
        let text = "a,b,\r\n\n\"c,\"\"d\"\"\n\",\"e\"f\", g \nlast"
        var csv = CSVRows()
        var rows: [CSVRows.Numbered] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) { rows += try csv.rows(in: bytes[start...].prefix(size)) }
        rows += try csv.finish()
        #expect(rows.map(\.columns) == [["a", "b", ""], ["c,\"d\"\n", "e\"f", " g "], ["last"]])
        #expect(rows.map(\.line) == [1, 3, 5])
    }

    @Test func `is refused if it ends within a quote`() throws {
        var csv = CSVRows()
        #expect(try csv.rows(in: Array("a,\"b\n".utf8)).isEmpty)
        #expect(throws: Failure.self) { try csv.finish() }
    }
}

@Suite struct `The options of an import` {
    private static func options(_ arguments: String...) throws -> HashOptions { try HashOptions.parse(arguments) }

    @Test func `are those of the Firebase CLI`() throws {
        let scrypt = try #require(
            try Self.options(
                "--hash-algo", "scrypt", "--hash-key", "a2V5LWtleS1rZXkta2V5LQ==", "--salt-separator", "Bw==", "--rounds", "8",
                "--mem-cost", "14"
            )
            .scheme { _ in nil }
        ).parameters
        #expect(scrypt.hashAlgorithm == "SCRYPT" && scrypt.saltSeparator == [7] && scrypt.numbers == [.rounds: 8, .memoryCost: 14])
        let standard = try #require(
            try Self.options(
                "--hash-algorithm", "STANDARD_SCRYPT", "--mem-cost", "1024", "--parallelization", "16", "--block-size", "8", "--dk-len",
                "64"
            )
            .scheme { _ in nil }
        ).parameters
        #expect(standard.numbers == [.cpuMemCost: 1024, .parallelization: 16, .blockSize: 8, .dkLen: 64])
        let hmac = try #require(
            try Self.options("--hash-algo", "HMAC_SHA256", "--hash-input-order", "SALT_FIRST").scheme {
                $0 == "ONWARD_HASH_KEY" ? "a2V5" : nil
            })
        #expect(hmac.parameters.signerKey == Array("key".utf8) && hmac.parameters.passwordHashOrder == "SALT_AND_PASSWORD")
        #expect(try Self.options().scheme { _ in nil } == nil)
    }

    /// K7: the file contains a key.
    @Test func `may be in a file of the Firebase console, which others must not be able to read`() throws {
        let folder = try Folder()
        let path = folder.path + "/hash_config"
        let text = """
            hash_config {
              algorithm: SCRYPT,
              base64_signer_key: a2V5LWtleS1rZXkta2V5LQ==,
              base64_salt_separator: Bw==,
              rounds: 8,
              mem_cost: 14,
            }
            """
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: SettingError.self) { try Self.options("--hash-config", path).scheme { _ in nil } }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let fields = try #require(try Self.options("--hash-config", path).scheme { _ in nil }).parameters
        #expect(fields.signerKey == Array("key-key-key-key-".utf8) && fields.numbers == [.rounds: 8, .memoryCost: 14])
    }
}

/// A temporary folder, removed when it is released.
final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "onward-tests-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("\(path) stays: \(error)") }
    }
}
