public import Base

/// The result of one check of the installation, by `onward doctor` or for the overview of the
/// console.
public struct Diagnosis: Sendable, Equatable {
    public enum Severity: String, Sendable, CaseIterable {
        case ok, note, warning, error
    }

    public let severity: Severity
    /// The checked thing, such as `link domain links.example.com`.
    public let subject: String
    public let says: String
    /// The advice; nil if there is nothing to do.
    public let remedy: String?

    public static func ok(_ subject: String, _ says: String) -> Self {
        Self(severity: .ok, subject: subject, says: says, remedy: nil)
    }
    public static func note(_ subject: String, _ says: String, _ remedy: String? = nil) -> Self {
        Self(severity: .note, subject: subject, says: says, remedy: remedy)
    }
    public static func warning(_ subject: String, _ says: String, _ remedy: String) -> Self {
        Self(severity: .warning, subject: subject, says: says, remedy: remedy)
    }
    public static func error(_ subject: String, _ says: String, _ remedy: String) -> Self {
        Self(severity: .error, subject: subject, says: says, remedy: remedy)
    }

    public var json: JSON {
        .object([
            "severity": .string(severity.rawValue), "subject": .string(subject), "says": .string(says), "remedy": .string(ifAny: remedy),
        ])
    }
}
