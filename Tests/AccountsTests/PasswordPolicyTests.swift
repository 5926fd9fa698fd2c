import Accounts
import Testing

@Suite struct `A password policy` {
    private static var strict: PasswordPolicy {
        var policy = PasswordPolicy(minimumLength: 8, maximumLength: 64)
        policy.requires = Set(CharacterClass.allCases)
        policy.isEnforced = true
        return policy
    }

    private func refusal(_ policy: PasswordPolicy, _ password: String, atSignIn: Bool = false) -> String? {
        do throws(ActionError) {
            if atSignIn { try policy.checkAtSignIn(password) } else { try policy.check(password, words: ["ada@app.example"]) }
            return nil
        } catch {
            guard case .refused(let refusal, let detail) = error else { return "down" }
            return "\(refusal.rawValue) : \(detail ?? "")"
        }
    }

    @Test func `a password with a NUL is refused`() {
        #expect(refusal(PasswordPolicy(), "a quiet\0phrase") == "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : ")
    }

    /// Y8: rules that were changed must not leave a project without an acceptable password.
    @Test func `of an upstream that changed its lengths has the later ones`() {
        var rules = PasswordRequirements(minimumLength: 12, classes: [.numeric])
        rules.add(PasswordRequirements(maximumLength: 10, classes: [.uppercase]))
        #expect(rules == PasswordRequirements(maximumLength: 10, classes: [.numeric, .uppercase]))
        rules.add(PasswordRequirements(minimumLength: 6))
        #expect(rules.minimumLength == 6 && rules.maximumLength == 10)
    }

    /// Y8: the stricter lengths, and the classes of the upstream if the project enforces none.
    @Test func `the password policy of a project with an upstream demands what both do`() {
        var policy = PasswordPolicy(minimumLength: 8)
        (policy.maximumLength, policy.requires, policy.isEnforced) = (64, [.lowercase], false)
        let both = policy.adding(PasswordRequirements(minimumLength: 12, maximumLength: 100, classes: [.numeric]))
        #expect(both.minimumLength == 12 && both.maximumLength == 64 && both.requires == [.numeric] && both.isEnforced)
        let shorter = policy.adding(PasswordRequirements(minimumLength: 6, maximumLength: 20))
        #expect(shorter.minimumLength == 8 && shorter.maximumLength == 20 && !shorter.isEnforced)
        policy.isEnforced = true
        #expect(policy.adding(PasswordRequirements(classes: [.numeric])).requires == [.lowercase, .numeric])
    }

    /// In Firebase's words and order, which apps parse.
    @Test(arguments: [
        (
            "111", "at least 8 characters|a lower case character|an upper case character|a non-alphanumeric character"
        ),
        ("", "at least 8 characters|a lower case character|an upper case character|a numeric character|a non-alphanumeric character"),
        ("A quiet phrase!", "a numeric character"), ("a quiet phrase, 7", "an upper case character"),
        ("A QUIET PHRASE, 7", "a lower case character"),
        ("AQuietPhrase7", "a non-alphanumeric character"),
    ])
    func `that is enforced names everything that is missing`(_ password: String, _ missing: String) {
        let sentences = missing.split(separator: "|").map { "Password must contain \($0)" }.joined(separator: ", ")
        let words = "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [\(sentences)]"
        #expect(refusal(Self.strict, password) == words)
    }

    @Test func `that is enforced says that a password is too long`() {
        #expect(
            refusal(Self.strict, String(repeating: "aA1!", count: 17))
                == "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password may contain at most 64 characters]")
    }

    /// A person who types a letter, a digit or a symbol of their keyboard has one.
    @Test(arguments: [
        ("gT4!wq9Z", true), ("gT4~wq9`", true), ("ögÖT4!w9", true), ("öÖ4!öÖ9!", true), ("gT٤!wqxZ", true), ("gT4€wq9Z", true),
        ("gT4-wq9Z", true), ("gT4 wq9Z", true), ("ÄÖÜ straße 12", true), ("gT4e\u{301}wq9Z", false), ("gt4!wq9z", false),
        ("密码密码密码1!", false), ("gT½!wqxZ", false),
    ])
    func `classifies characters as Unicode does`(_ password: String, _ isFine: Bool) {
        #expect((refusal(Self.strict, password)?.hasPrefix("PASSWORD_DOES_NOT_MEET") ?? false) != isFine)
    }

    /// S1: without enforcement no classes of characters are required.
    @Test(arguments: [("quietbee", true), ("short", false), (String(repeating: "x", count: 65), false)])
    func `that is not enforced checks only the length`(_ password: String, _ isFine: Bool) {
        var policy = Self.strict
        policy.isEnforced = false
        #expect((refusal(policy, password) == nil) == isFine)
        #expect(refusal(policy, password)?.hasPrefix("WEAK_PASSWORD : Password should be at ") != isFine)
    }

    /// S3 applies in addition.
    @Test func `does not replace the rules about common passwords and own words`() throws {
        var policy = Self.strict
        policy.common = try CommonPasswords(text: "[exact]\npassw0rd!")
        #expect(refusal(policy, "Passw0rd!") == "WEAK_PASSWORD : Password is one of the most common ones")
        #expect(refusal(policy, "Ada@app.example1")?.hasPrefix("WEAK_PASSWORD") == true)
    }

    /// Only requirements of an enforced policy count; own words that were accepted at sign-up stay
    /// accepted.
    @Test(arguments: [(true, true, false), (true, false, true), (false, true, true), (false, false, true)])
    func `refuses existing passwords only if it forces an upgrade`(_ isEnforced: Bool, _ forces: Bool, _ isFine: Bool) {
        var policy = Self.strict
        (policy.isEnforced, policy.forcesUpgradeAtSignIn) = (isEnforced, forces)
        #expect((refusal(policy, "quiet", atSignIn: true) == nil) == isFine)
        #expect(refusal(policy, "Ada@app.example1", atSignIn: true) == nil)
    }

    /// S5: a name of 400 words in a password of 4,096 characters would take a tenth of a second to
    /// search.
    @Test func `searches own words in passwords of limited length only`() {
        let policy = PasswordPolicy()
        let name = "adalovelace"
        #expect(policy.objections(to: String(repeating: name, count: 46), words: [name]) == [.containsOwnWords])
        #expect(policy.objections(to: String(repeating: name, count: 47), words: [name]).isEmpty)
    }
}
