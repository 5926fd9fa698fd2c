import Foundation

/// The place of a secret outside of the configuration file. It is looked up when it is used, so no
/// value of the configuration contains it.
enum SecretReference: Sendable, Hashable {
    case variable(String)
    case file(String)

    func text(_ environment: Configuration.Environment = System.environment) throws(SettingError) -> String {
        switch self {
        case .variable(let name):
            guard let value = environment(name), !value.isEmpty else { throw SettingError("the environment variable \(name) is not set") }
            return value
        case .file(let path):
            let text = try Section.content(of: path)
            guard !text.isEmpty else { throw SettingError("the file \(path) is empty") }
            return text
        }
    }
}

extension Section {
    /// The reference `{env: NAME}` or `{file: PATH}`, whose secret is checked if there is an
    /// environment.
    func secretReference(_ environment: Configuration.Environment?) throws(SettingError) -> SecretReference {
        // Reports which of both keys is missing, and what cannot be looked up.
        _ = try secretText(environment)
        let reference =
            value("file") { file throws(SettingError) in SecretReference.file(try file.text()) }
            ?? value("env") { name throws(SettingError) in SecretReference.variable(try name.text()) }
        guard let reference else { throw SettingError("expected {file: PATH} or {env: NAME}") }
        if let environment { _ = try reference.text(environment) }
        return reference
    }
}
