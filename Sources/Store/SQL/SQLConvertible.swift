public import Accounts
public import Base

/// A value that is stored in one column.
public protocol SQLConvertible: Sendable {
    /// Nil if the column holds another type, or text or bytes that are not a valid value.
    init?(sql: SQLValue)
    var sql: SQLValue { get }
}

extension SQLValue: SQLConvertible {
    public init?(sql: SQLValue) { self = sql }
    public var sql: SQLValue { self }
}

extension String: SQLConvertible {
    public init?(sql: SQLValue) {
        guard case .text(let text) = sql else { return nil }
        self = text
    }
    public var sql: SQLValue { .text(self) }
}

extension Int: SQLConvertible {
    public init?(sql: SQLValue) {
        guard case .integer(let number) = sql else { return nil }
        self.init(exactly: number)
    }
    public var sql: SQLValue { .integer(Int64(self)) }
}

extension Int64: SQLConvertible {
    public init?(sql: SQLValue) {
        guard case .integer(let number) = sql else { return nil }
        self = number
    }
    public var sql: SQLValue { .integer(self) }
}

extension Bool: SQLConvertible {
    public init?(sql: SQLValue) {
        switch sql {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
    public var sql: SQLValue { .integer(self ? 1 : 0) }
}

extension Array: SQLConvertible where Element == UInt8 {
    public init?(sql: SQLValue) {
        guard case .blob(let bytes) = sql else { return nil }
        self = bytes
    }
    public var sql: SQLValue { .blob(self) }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
    public init?(sql: SQLValue) {
        guard sql != .null else {
            self = .none
            return
        }
        guard let value = Wrapped(sql: sql) else { return nil }
        self = .some(value)
    }
    public var sql: SQLValue { self?.sql ?? .null }
}

extension SQLConvertible where Self: RawRepresentable, RawValue == String {
    public init?(sql: SQLValue) {
        guard let text = String(sql: sql) else { return nil }
        self.init(rawValue: text)
    }
    public var sql: SQLValue { .text(rawValue) }
}

extension SQLConvertible where Self: RawRepresentable, RawValue == Int64 {
    public init?(sql: SQLValue) {
        guard let number = Int64(sql: sql) else { return nil }
        self.init(rawValue: number)
    }
    public var sql: SQLValue { .integer(rawValue) }
}

extension MailID: SQLConvertible {}
extension ProjectID: SQLConvertible {}
extension AccountID: SQLConvertible {}
extension SecondFactor.Kind: SQLConvertible {}
extension ProvenSecondFactor.Method: SQLConvertible {}
extension SignInProvider: SQLConvertible {}
extension Action: SQLConvertible {}
extension StoredCode.EndReason: SQLConvertible {}
extension LetterKind: SQLConvertible {}

extension Timestamp: SQLConvertible {
    public init?(sql: SQLValue) {
        guard case .integer(let milliseconds) = sql else { return nil }
        self.init(milliseconds: milliseconds)
    }
    public var sql: SQLValue { .integer(milliseconds) }
}

extension EmailAddress: SQLConvertible {
    public init?(sql: SQLValue) {
        guard let text = String(sql: sql) else { return nil }
        self.init(text)
    }
    public var sql: SQLValue { .text(value) }
}

extension PhoneNumber: SQLConvertible {
    public init?(sql: SQLValue) {
        guard let text = String(sql: sql) else { return nil }
        self.init(text)
    }
    public var sql: SQLValue { .text(value) }
}

extension Digest: SQLConvertible {
    public init?(sql: SQLValue) {
        guard let bytes = [UInt8](sql: sql) else { return nil }
        self.init(bytes: bytes)
    }
    public var sql: SQLValue { .blob(bytes) }
}
