import Base
import Foundation

/// The result of one check of `onward doctor`.
struct Diagnosis: Sendable, Equatable {
    enum Severity: String, Sendable, CaseIterable {
        case ok, note, warning, error

        /// The exit status of the command if nothing is worse.
        var exitStatus: Int32 {
            switch self {
            case .ok, .note: 0
            case .warning: 3
            case .error: 1
            }
        }
    }

    let severity: Severity
    /// The checked thing, such as `link domain links.example.com`.
    let subject: String
    let says: String
    /// The advice; nil if there is nothing to do.
    let remedy: String?

    static func ok(_ subject: String, _ says: String) -> Self { Self(severity: .ok, subject: subject, says: says, remedy: nil) }
    static func note(_ subject: String, _ says: String, _ remedy: String? = nil) -> Self {
        Self(severity: .note, subject: subject, says: says, remedy: remedy)
    }
    static func warning(_ subject: String, _ says: String, _ remedy: String) -> Self {
        Self(severity: .warning, subject: subject, says: says, remedy: remedy)
    }
    static func error(_ subject: String, _ says: String, _ remedy: String) -> Self {
        Self(severity: .error, subject: subject, says: says, remedy: remedy)
    }

    /// One line, and one more with the remedy.
    var text: String {
        let name = severity.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
        return "\(name) \(subject): \(says)" + (remedy.map { "\n         \($0)" } ?? "")
    }

    var json: JSON {
        .object([
            "severity": .string(severity.rawValue), "subject": .string(subject), "says": .string(says), "remedy": .string(ifAny: remedy),
        ])
    }
}
