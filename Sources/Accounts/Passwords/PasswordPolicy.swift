internal import Foundation

/// What a new password must be: long enough, and neither common nor made of the account's own words. No composition rules (S1, S3).
package struct PasswordPolicy: Sendable {
    /// In Unicode code points. Default 8; Firebase's own minimum of 6 only where the operator says so.
    package let minimumLength: Int
    /// In Unicode code points; at least 64 so that passphrases fit.
    package let maximumLength: Int
    private let common: CommonPasswords

    /// - Parameter common: what everyone tries first.
    package init(minimumLength: Int = 8, maximumLength: Int = 4096, common: CommonPasswords = .none) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.common = common
    }

    /// Why a password is not accepted; each is a sentence of its own beside the field.
    package enum Objection: Sendable, Hashable, CaseIterable { case tooShort, tooLong, common, containsOwnWords }

    /// Nil when the password is fine.
    /// - Parameter words: what an attacker would try for this account: address, name, the app's name.
    package func objection(to password: String, words: [String]) -> Objection? {
        let length = password.unicodeScalars.count
        let folded = password.lowercased()
        return if length < minimumLength {
            .tooShort
        } else if length > maximumLength {
            .tooLong
        } else if common.contains(password) {
            .common
        } else if Self.ownWords(words).contains(where: { folded.replacing($0, with: "").unicodeScalars.count < 4 && folded.contains($0) }) {
            .containsOwnWords
        } else {
            nil
        }
    }

    /// `WEAK_PASSWORD` with the sentence that SDKs show to developers.
    package func refusal(for objection: Objection) -> ActionError {
        switch objection {
        case .tooShort: .refused(.weakPassword, detail: "Password should be at least \(minimumLength) characters")
        case .tooLong: .refused(.weakPassword, detail: "Password should be at most \(maximumLength) characters")
        case .common: .refused(.weakPassword, detail: "Password is one of the most common ones")
        case .containsOwnWords: .refused(.weakPassword, detail: "Password is made of the account's own address or name")
        }
    }

    /// Words of four letters and more: shorter ones stand in innocent passwords.
    private static func ownWords(_ words: [String]) -> [String] {
        words.flatMap { word in [word.lowercased()] + word.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init) }
            .filter { $0.count >= 4 }
    }
}
