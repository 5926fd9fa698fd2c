import Accounts
import Foundation
import Yams

extension Section {
    /// The secret from which all keys are derived. The configuration only refers to it, so that the
    /// file itself is not secret.
    /// - Returns: nil if secrets are not looked up.
    func secrets(_ environment: Configuration.Environment?) throws(SettingError) -> Secrets? {
        guard let text = try secretText(environment) else { return nil }
        guard text.utf8.count >= 32 else {
            throw SettingError("the secret has \(text.utf8.count) bytes; expected at least 32, as `openssl rand -base64 48` makes them")
        }
        return Secrets(root: Array(text.utf8))
    }

    /// A secret from an environment variable (`env`) or a file (`file`).
    /// - Returns: nil if secrets are not looked up.
    func secretText(_ environment: Configuration.Environment?) throws(SettingError) -> String? {
        let variable = value("env") { value throws(SettingError) in
            try value.text(matching: #/[A-Za-z_][A-Za-z0-9_]*/#, "the name of an environment variable")
        }
        let file = value("file") { value throws(SettingError) in try value.text() }
        guard (variable == nil) != (file == nil) else {
            throw SettingError("expected either env, the name of an environment variable, or file, the path of a file with the secret")
        }
        guard let environment else { return nil }
        return if let variable { try Self.variable(variable, in: environment) } else { try Self.content(of: file ?? "") }
    }

    private static func variable(_ name: String, in environment: Configuration.Environment) throws(SettingError) -> String {
        guard let value = environment(name) else { throw SettingError("the environment variable \(name) is not set") }
        return value
    }

    /// The content of a secret file without line breaks at the end. A file that others can read is
    /// refused (K7).
    static func content(of file: String) throws(SettingError) -> String {
        guard let bytes = FileManager.default.contents(atPath: file) else { throw SettingError("the file \(file) cannot be read") }
        let attributes = try? FileManager.default.attributesOfItem(atPath: (file as NSString).resolvingSymlinksInPath)
        guard let mode = attributes?[.posixPermissions] as? Int, mode & 0o007 == 0 else {
            throw SettingError("the file \(file) can be read by others; expected mode 0600, as by `chmod 600 \(file)`")
        }
        guard let text = String(bytes: bytes, encoding: .utf8) else { throw SettingError("the file \(file) is not text") }
        return text.trimmingCharacters(in: .newlines)
    }
}

extension Setting {
    /// A secret that is not empty, or nil if secrets are not looked up.
    func secret(_ environment: Configuration.Environment?) throws(SettingError) -> String? {
        let text = try section { section throws(SettingError) in try section.secretText(environment) }
        guard text?.isEmpty != true else { throw SettingError("the secret is empty") }
        return text
    }
}
