import Accounts
import Foundation

extension Diagnosis {
    /// One line, and one more with the remedy.
    var text: String {
        let name = severity.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
        return "\(name) \(subject): \(says)" + (remedy.map { "\n         \($0)" } ?? "")
    }
}

extension Diagnosis.Severity {
    /// The exit status of the command if nothing is worse.
    var exitStatus: Int32 {
        switch self {
        case .ok, .note: 0
        case .warning: 3
        case .error: 1
        }
    }
}
