internal import Foundation

/// The rules for new passwords: long enough, and neither common nor made of the account's own words
/// (S1, S3). Classes of characters are required only if the operator says so, for compatibility
/// with Firebase.
public struct PasswordPolicy: Sendable {
    /// In Unicode code points. Default: 8. The operator may lower it to Firebase's minimum of 6.
    public var minimumLength: Int
    /// In Unicode code points; at least `minimumLength`. The configuration file allows no fewer
    /// than 64, so that passphrases fit; an admin may, as in Firebase.
    public var maximumLength: Int
    /// The character classes that a password must contain, while the policy is enforced.
    public var requires: Set<CharacterClass> = []
    /// Whether Firebase's enforcement is on: then everything that is missing is refused at once by
    /// `PASSWORD_DOES_NOT_MEET_REQUIREMENTS`. Otherwise only the lengths count, and are refused by
    /// `WEAK_PASSWORD`.
    public var isEnforced = false
    /// Whether an enforced policy also refuses the existing passwords of accounts, at their next
    /// sign-in.
    public var forcesUpgradeAtSignIn = false
    /// The passwords that are refused because attackers try them first.
    public var common: CommonPasswords
    /// Whether common passwords, and those made of the account's words, are refused. Firebase
    /// accepts them.
    public var refusesGuessable = true
    /// The app's name, which attackers try for every account.
    private var appName: String?

    public init(minimumLength: Int = 8, maximumLength: Int = 4096, common: CommonPasswords = .none) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.common = common
    }

    /// A reason why a password is not accepted. The page shows a sentence for each.
    public enum Objection: Sendable, Hashable, CaseIterable {
        /// Nothing was typed on a page.
        case empty
        case tooShort, tooLong, common, containsOwnWords
        case lacks(CharacterClass)
        /// An upstream refused the password and did not say why, or the password contains NUL.
        case unexplained

        public static let allCases: [Objection] =
            [.empty, .tooShort, .tooLong] + CharacterClass.allCases.map { .lacks($0) } + [.common, .containsOwnWords, .unexplained]
    }

    /// Everything that is missing, in Firebase's order. If nothing is missing, whether the password
    /// is common or made of the account's words.
    /// - Parameter words: words that an attacker would try for this account: address and name.
    public func objections(to password: String, words: [String]) -> [Objection] {
        // Hash functions of other systems end at NUL, and no keyboard has it.
        guard !password.utf8.contains(0) else { return [.unexplained] }
        let missing = missing(in: password)
        guard missing.isEmpty, refusesGuessable else { return missing }
        if common.contains(password) { return [.common] }
        // A longer one is not guessed, and the search takes time in proportion to the length.
        guard password.utf8.count <= Self.maxSearchedBytes else { return [] }
        let folded = password.lowercased()
        let isOwn = Self.ownWords(words + [appName].compactMap(\.self)).contains {
            folded.replacing($0, with: "").unicodeScalars.count < 4 && folded.contains($0)
        }
        return isOwn ? [.containsOwnWords] : []
    }

    private func missing(in password: String) -> [Objection] {
        let length = password.unicodeScalars.count
        let lacking = CharacterClass.allCases.filter { isEnforced && requires.contains($0) && !$0.isIn(password) }
        return (length < minimumLength ? [.tooShort] : []) + (length > maximumLength ? [.tooLong] : []) + lacking.map { .lacks($0) }
    }

    /// These rules for the passwords of an app.
    public func refusing(_ appName: String) -> PasswordPolicy {
        var policy = self
        policy.appName = appName
        return policy
    }

    /// Checks a new password. Refuses `PASSWORD_DOES_NOT_MEET_REQUIREMENTS` for what an enforced
    /// policy requires, otherwise `WEAK_PASSWORD`, with the sentence that SDKs show to developers.
    public func check(_ password: String, words: [String]) throws(ActionError) {
        try refuse(objections(to: password, words: words))
    }

    /// Checks a password that has just been verified at sign-in, so that the refusal tells nothing
    /// to a caller who does not know it.
    public func checkAtSignIn(_ password: String) throws(ActionError) {
        guard isEnforced, forcesUpgradeAtSignIn else { return }
        try refuse(missing(in: password))
    }

    private func refuse(_ objections: [Objection]) throws(ActionError) {
        if !objections.isEmpty { throw refusal(of: objections) }
    }

    /// The lengths and character classes that a page lists.
    public var requirements: PasswordRequirements {
        PasswordRequirements(minimumLength: minimumLength, maximumLength: maximumLength, classes: isEnforced ? requires : [])
    }

    func refusal(of objections: [Objection]) -> ActionError {
        switch objections.first {
        case .common: return .refused(.weakPassword, detail: "Password is one of the most common ones")
        case .unexplained: return .refused(.passwordDoesNotMeetRequirements)
        case .containsOwnWords: return .refused(.weakPassword, detail: "Password is made of the account's own address or name")
        case .tooShort where !isEnforced:
            return .refused(.weakPassword, detail: "Password should be at least \(minimumLength) characters")
        case .tooLong where !isEnforced: return .refused(.weakPassword, detail: "Password should be at most \(maximumLength) characters")
        case .empty, .tooShort, .tooLong, .lacks, nil:
            let sentences = objections.compactMap(requirement).joined(separator: ", ")
            return .refused(.passwordDoesNotMeetRequirements, detail: "Missing password requirements: [\(sentences)]")
        }
    }

    /// The requirement in Firebase's words, which apps parse.
    private func requirement(_ objection: Objection) -> String? {
        switch objection {
        case .tooShort: "Password must contain at least \(minimumLength) characters"
        case .tooLong: "Password may contain at most \(maximumLength) characters"
        case .lacks(.lowercase): "Password must contain a lower case character"
        case .lacks(.uppercase): "Password must contain an upper case character"
        case .lacks(.numeric): "Password must contain a numeric character"
        case .lacks(.nonAlphanumeric): "Password must contain a non-alphanumeric character"
        case .empty, .common, .containsOwnWords, .unexplained: nil
        }
    }

    /// The length in bytes of the longest password that is searched for the account's words: twice
    /// the longest address.
    private static let maxSearchedBytes = 512

    /// The words of four letters and more; shorter ones are part of many good passwords.
    private static func ownWords(_ words: [String]) -> [String] {
        words.flatMap { word in [word.lowercased()] + word.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init) }
            .filter { $0.count >= 4 }
    }
}
