internal import Foundation

/// What a new password must be: long enough, and neither common nor made of the account's own words (S1, S3). Kinds of character are
/// only asked for where an operator brings such a rule along from Firebase.
package struct PasswordPolicy: Sendable {
    /// In Unicode code points. Default 8; Firebase's own minimum of 6 only where the operator says so.
    package var minimumLength: Int
    /// In Unicode code points; at least 64 so that passphrases fit.
    package var maximumLength: Int
    /// The kinds of character of which each password must have one, while the policy is enforced.
    package var requires: Set<CharacterClass> = []
    /// Firebase's enforcement: what is missing is answered by `PASSWORD_DOES_NOT_MEET_REQUIREMENTS`, all at once. Otherwise only the
    /// lengths count, and are answered by `WEAK_PASSWORD`.
    package var isEnforced = false
    /// Whether an enforced policy also turns away the old passwords of accounts, at their next sign-in.
    package var forcesUpgradeAtSignIn = false
    /// What everyone tries first.
    package var common: CommonPasswords

    package init(minimumLength: Int = 8, maximumLength: Int = 4096, common: CommonPasswords = .none) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.common = common
    }

    /// Why a password is not accepted; each is a sentence of its own beside the field.
    package enum Objection: Sendable, Hashable {
        case tooShort, tooLong, common, containsOwnWords
        case lacks(CharacterClass)
    }

    /// Everything that is missing, in the order in which Firebase says it; of a password that has all that, what is wrong with it still.
    /// - Parameter words: what an attacker would try for this account: address, name, the app's name.
    package func objections(to password: String, words: [String]) -> [Objection] {
        let missing = missing(in: password)
        guard missing.isEmpty else { return missing }
        if common.contains(password) { return [.common] }
        // Nobody guesses a longer one, and each word is looked for in all of it.
        guard password.utf8.count <= Self.longestOfOwnWords else { return [] }
        let folded = password.lowercased()
        let isOwn = Self.ownWords(words).contains { folded.replacing($0, with: "").unicodeScalars.count < 4 && folded.contains($0) }
        return isOwn ? [.containsOwnWords] : []
    }

    private func missing(in password: String) -> [Objection] {
        let length = password.unicodeScalars.count
        let lacking = CharacterClass.allCases.filter { isEnforced && requires.contains($0) && !$0.isIn(password) }
        return (length < minimumLength ? [.tooShort] : []) + (length > maximumLength ? [.tooLong] : []) + lacking.map { .lacks($0) }
    }

    /// Refuses a new password with the sentence that SDKs show to developers: `PASSWORD_DOES_NOT_MEET_REQUIREMENTS` for what an enforced
    /// policy asks, else `WEAK_PASSWORD`.
    package func check(_ password: String, words: [String]) throws(ActionError) {
        try refuse(objections(to: password, words: words))
    }

    /// The same for a password that just signed its account in: whoever does not know it learns nothing here.
    package func checkAtSignIn(_ password: String) throws(ActionError) {
        guard isEnforced, forcesUpgradeAtSignIn else { return }
        try refuse(missing(in: password))
    }

    private func refuse(_ objections: [Objection]) throws(ActionError) {
        if !objections.isEmpty { throw refusal(of: objections) }
    }

    func refusal(of objections: [Objection]) -> ActionError {
        switch objections.first {
        case .common: return .refused(.weakPassword, detail: "Password is one of the most common ones")
        case .containsOwnWords: return .refused(.weakPassword, detail: "Password is made of the account's own address or name")
        case .tooShort where !isEnforced:
            return .refused(.weakPassword, detail: "Password should be at least \(minimumLength) characters")
        case .tooLong where !isEnforced: return .refused(.weakPassword, detail: "Password should be at most \(maximumLength) characters")
        case .tooShort, .tooLong, .lacks, nil:
            let sentences = objections.compactMap(requirement).joined(separator: ", ")
            return .refused(.passwordDoesNotMeetRequirements, detail: "Missing password requirements: [\(sentences)]")
        }
    }

    /// In production's words, which apps take apart.
    private func requirement(_ objection: Objection) -> String? {
        switch objection {
        case .tooShort: "Password must contain at least \(minimumLength) characters"
        case .tooLong: "Password may contain at most \(maximumLength) characters"
        case .lacks(.lowercase): "Password must contain a lower case character"
        case .lacks(.uppercase): "Password must contain an upper case character"
        case .lacks(.numeric): "Password must contain a numeric character"
        case .lacks(.nonAlphanumeric): "Password must contain a non-alphanumeric character"
        case .common, .containsOwnWords: nil
        }
    }

    /// In bytes: twice the longest address.
    private static let longestOfOwnWords = 512

    /// Words of four letters and more: shorter ones stand in innocent passwords.
    private static func ownWords(_ words: [String]) -> [String] {
        words.flatMap { word in [word.lowercased()] + word.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init) }
            .filter { $0.count >= 4 }
    }
}
