@testable import Accounts
import Network
import Testing

@Suite struct `A password` {
    private let passwords = Passwords(
        workerPool: WorkerPool(label: "test", width: 2, maxWaiting: 100), cost: .cheap,
        secrets: Secrets(root: [UInt8](repeating: 7, count: 32))
    ) {
        [UInt8](repeating: 5, count: $0)
    }

    /// S2: nothing is cut, trimmed or folded.
    @Test(arguments: [
        ("xxxxxxxx", "xxxxxxx"), (" leading", "leading"), ("trailing ", "trailing"), ("Case", "case"), ("nul\u{0}a", "nul\u{0}b"),
        ("é", "e\u{301}"),
        (String(repeating: "x", count: 72) + "a", String(repeating: "x", count: 72) + "b"),
    ])
    func `differs from similar ones`(_ password: String, _ other: String) async throws {
        let hash = try await passwords.hash(password)
        #expect(try await passwords.verify(password, against: hash))
        #expect(try await !passwords.verify(other, against: hash))
    }

    @Test(arguments: [
        nil, "", "$scrypt$", "$2b$10$abc", "$scrypt$ln=31,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=10,r=x,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=10,r=17,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=10,r=8,p=17$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=10,r=8,p=1,x=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ])
    func `matches no hash that is missing, damaged or too expensive`(_ stored: String?) async throws {
        #expect(try await !passwords.verify("", against: stored))
        #expect(try await !passwords.verify("password", against: stored))
        #expect(stored.flatMap { PasswordHash($0) } == nil)
    }

    @Test func `is stored with its cost`() async throws {
        #expect(try await passwords.hash("a quiet long phrase").hasPrefix("$scrypt$ln=10,r=8,p=1$"))
    }

    /// S1: lengths count code points, at least eight by default; there are no composition rules,
    /// and long passwords are accepted.
    @Test(arguments: [
        (7, false), (8, true), (64, true), (4096, true), (4097, false),
    ])
    func `needs eight code points`(_ length: Int, _ isFine: Bool) {
        let password = String(String.UnicodeScalarView((0..<length).map { Unicode.Scalar(0x1F700 + UInt32($0 * 7 % 100)) ?? "x" }))
        #expect(PasswordPolicy().objections(to: password, words: []).isEmpty == isFine)
    }

    /// S3: not the account's address or name with a digit after it; other words stay allowed.
    @Test(arguments: [
        ("ada@app.example", true), ("lovelace", true), ("Lovelace1!", true), ("a quiet lovelace phrase", false), ("correct horse", false),
    ])
    func `is not made of the account's own words`(_ password: String, _ isRefused: Bool) {
        let objections = PasswordPolicy().objections(to: password, words: ["ada@app.example", "Ada Lovelace"])
        #expect(objections == (isRefused ? [.containsOwnWords] : []))
    }

    @Test(arguments: ["x$scrypt$", "$argon2$"])
    func `a password matches no hash that is spelled otherwise than its own`(_ start: String) async throws {
        let stored = try await passwords.hash("a quiet long phrase")
        #expect(try await passwords.verify("a quiet long phrase", against: stored))
        #expect(try await !passwords.verify("a quiet long phrase", against: stored.replacing("$scrypt$", with: start)))
    }

    @Test(arguments: [(8, 32, true), (64, 32, true), (7, 32, false), (65, 32, false), (16, 31, false), (16, 33, false)])
    func `a stored password has a salt of 8 to 64 bytes, and a key of 32`(_ salt: Int, _ key: Int, _ isRead: Bool) {
        let hash = PasswordHash(cost: .cheap, salt: [UInt8](repeating: 5, count: salt), key: [UInt8](repeating: 5, count: key))
        #expect((PasswordHash(hash.text) != nil) == isRead)
    }
}
