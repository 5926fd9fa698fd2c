public import Base
import Foundation

/// The place of a secret outside of the configuration file. It is looked up when it is used, so no
/// value of the configuration contains it.
public enum SecretReference: Sendable, Hashable {
    case variable(String)
    case file(String)

    /// The secret, which is not empty.
    public func text(_ environment: Configuration.Environment = System.environment) throws(SettingError) -> String {
        let text = try content(environment)
        guard text.isEmpty else { return text }
        switch self {
        case .variable(let name): throw SettingError("the environment variable \(name) is not set")
        case .file(let path): throw SettingError("the file \(path) is empty")
        }
    }

    /// The secret, which may be empty.
    func content(_ environment: Configuration.Environment) throws(SettingError) -> String {
        switch self {
        case .file(let path): return try SecretFile.content(of: path)
        case .variable(let name):
            guard let value = environment(name) else { throw SettingError("the environment variable \(name) is not set") }
            return value
        }
    }
}
