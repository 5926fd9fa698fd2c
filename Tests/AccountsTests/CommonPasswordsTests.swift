import Accounts
import Foundation
import Testing

@Suite struct `A common password` {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let vectors = [root.deletingLastPathComponent(), root.deletingLastPathComponent().deletingLastPathComponent()]
        .map { $0.appending(path: "shared/data/passwords/zxcvbn-passwords.txt").path(percentEncoded: false) }
        .first { FileManager.default.fileExists(atPath: $0) }

    let common: CommonPasswords

    init() throws {
        common = try CommonPasswords(file: Self.root.appending(path: "Config/common-passwords.txt").path(percentEncoded: false))
    }

    /// S3: words, words with additions, words with substitutions, pairs, walks, repeats, dates, and
    /// a Russian word on an English keyboard.
    @Test(arguments: [
        "password", "Password1", "PASSWORD123!", "p@ssw0rd", "michael1985", "1qaz2wsx", "qwertyuiop", "poiuytrewq", "bigdaddy", "abcabcabc",
        "11111111", "hellohello", "24121987", "19871224", "12241987", "vfhbyf123", "monkey12", "mymonkey", "motherfu", "xxmonkey1",
        "fghjkl", "xyxyxy",
    ])
    func `a common password is refused`(password: String) {
        #expect(common.contains(password))
        #expect(PasswordPolicy(minimumLength: 6, common: common).objections(to: password, words: []) == [.common])
    }

    /// Passwords that people choose with care, and that programs generate, are accepted.
    @Test(arguments: [
        "correct horse battery staple", "xK7-pq2_Zr", "tangerine-lamppost", "Vv9#kd02", "kPq3nTz8", "99129912x7", "unrelated to anything",
        "ünïcödé-wörd", "1990+1+2",
    ])
    func `a careful or random password is not a common one`(password: String) { #expect(!common.contains(password)) }

    @Test func `the list of common passwords needs a valid file of rules`() {
        #expect(throws: CommonPasswords.InvalidFile.self) { try CommonPasswords(text: "[wrods]\nx") }
        #expect(throws: CommonPasswords.InvalidFile.self) { try CommonPasswords(text: "lost") }
        #expect(throws: CommonPasswords.InvalidFile.self) { try CommonPasswords(file: "/nowhere") }
    }

    /// S3: of the three thousand most common that are long enough.
    @Test(.enabled(if: vectors != nil, "shared/data is not here")) func `the common passwords include most of the public list`() throws {
        let list = try String(contentsOfFile: #require(Self.vectors), encoding: .utf8)
        let long = list.split(separator: "\n").filter { $0.count >= 8 }
        let refused = long.prefix(3000).count { common.contains(String($0)) }
        print(
            "common passwords: \(refused) of the first 3000 with eight characters, \(long.count { common.contains(String($0)) }) of all \(long.count)"
        )
        #expect(refused >= 2000)
        #expect(long.count { common.contains(String($0)) } >= 5000)
    }
}
