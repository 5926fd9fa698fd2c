import Accounts
import Foundation
import Yams

extension Section {
    /// The secret that all keys are derived from, by reference only: the file that names it may then be shown around.
    /// - Returns: nil inside where it is not wanted.
    func secrets(_ environment: Configuration.Environment?) throws(Fault) -> Secrets? {
        let variable = value("env") { value throws(Fault) in
            try value.text(matching: #/[A-Za-z_][A-Za-z0-9_]*/#, "the name of an environment variable")
        }
        let file = value("file") { value throws(Fault) in try value.text() }
        guard (variable == nil) != (file == nil) else {
            throw Fault("expected either env, the name of an environment variable, or file, the path of a file that holds the secret")
        }
        guard let environment else { return nil }
        let text = if let variable { try Self.variable(variable, in: environment) } else { try Self.content(of: file ?? "") }
        guard text.utf8.count >= 32 else {
            throw Fault("the secret has \(text.utf8.count) bytes; expected at least 32, as `openssl rand -base64 48` makes them")
        }
        return Secrets(root: Array(text.utf8))
    }

    private static func variable(_ name: String, in environment: Configuration.Environment) throws(Fault) -> String {
        guard let value = environment(name) else { throw Fault("the environment variable \(name) is not set") }
        return value
    }

    /// Without the line break that editors leave at the end. Refused where others can read it (K7).
    static func content(of file: String) throws(Fault) -> String {
        guard let bytes = FileManager.default.contents(atPath: file) else { throw Fault("the file \(file) cannot be read") }
        let attributes = try? FileManager.default.attributesOfItem(atPath: (file as NSString).resolvingSymlinksInPath)
        guard let mode = attributes?[.posixPermissions] as? Int, mode & 0o007 == 0 else {
            throw Fault("the file \(file) can be read by others; expected mode 0600, as by `chmod 600 \(file)`")
        }
        guard let text = String(bytes: bytes, encoding: .utf8) else { throw Fault("the file \(file) is not text") }
        return text.trimmingCharacters(in: .newlines)
    }
}
