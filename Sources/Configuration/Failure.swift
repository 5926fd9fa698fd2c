import Accounts
import Cryptography
import Foundation

/// An error, as a sentence for the operator.
public struct Failure: Error, CustomStringConvertible {
    public let description: String
    public init(_ sentence: String) { description = sentence }
}

/// The sentence about an error for the operator.
public func explanation(of error: any Error) -> String {
    switch error {
    case ActionError.unavailable(let down): down.cause
    case ActionError.refused(let refusal, let detail): detail ?? refusal.rawValue
    case ActionError.tooSoon: "something else changes it just now; try again"
    case let error as SettingError: error.sentence
    case let error as CocoaError: [error.userInfo[NSFilePathErrorKey] as? String, error.reason].compactMap(\.self).joined(separator: ": ")
    default: "\(error)"
    }
}

extension CocoaError {
    /// The system's words if it has any, which Foundation often keeps back.
    fileprivate var reason: String {
        switch userInfo[NSUnderlyingErrorKey] {
        case let error as POSIXError: String(cString: strerror(error.code.rawValue))
        case let error as NSError where error.domain == NSPOSIXErrorDomain: String(cString: strerror(Int32(error.code)))
        default: localizedDescription
        }
    }
}
