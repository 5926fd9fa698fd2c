internal import Accounts
private import Foundation

extension AnswerText {
    /// Shortens an address of a person to its masked form, because answers are logged (O1).
    static func masking(_ address: EmailAddress, in text: String) -> String {
        [address.value, address.shown].reduce(text) {
            $0.replacingOccurrences(of: $1, with: address.masked, options: .caseInsensitive)
        }
    }

    /// Removes words that contain the host of a mail's link, because a filter may quote the link
    /// that it objects to, and answers are shown to administrators (C2).
    static func withoutLink(_ text: String, _ link: String?) -> String {
        guard let link, let mark = link.firstRange(of: "://") else { return text }
        let host = link[mark.upperBound...].prefix { $0 != "/" && $0 != "?" }
        return text.split(separator: " ", omittingEmptySubsequences: false)
            .map { $0.contains("://") && $0.contains(host) || $0.contains("oobCode") ? "(link)" : $0 }.joined(separator: " ")
    }
}
