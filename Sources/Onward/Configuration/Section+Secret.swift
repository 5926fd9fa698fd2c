import Accounts
import Foundation
import Yams

extension Section {
    /// The secret from which all keys are derived, and while it is being changed the previous one:
    /// `{current: …, previous: …}`. The configuration only refers to them, so that the file itself
    /// is not secret.
    /// - Returns: no secrets if they are not looked up; the file of the current one.
    func secrets(_ environment: Configuration.Environment?) throws(SettingError) -> (secrets: Secrets?, file: String?) {
        func root(_ section: Section) throws(SettingError) -> (text: String?, file: String?) {
            let (text, file) = (try section.secretText(environment), section.value("file") { file throws(SettingError) in try file.text() })
            if let count = text?.utf8.count, count < 32 {
                throw SettingError("the secret has \(count) bytes; expected at least 32, as `openssl rand -base64 48` makes them")
            }
            return (text, file)
        }
        func nested(_ setting: Setting) throws(SettingError) -> (text: String?, file: String?) {
            try setting.secretSection(root)
        }
        return try oneOf(has("current") || has("previous")) { section throws(SettingError) in
            try section.changingSecrets(nested)
        } or: { section throws(SettingError) in
            let (text, file) = try root(section)
            return (text.map { Secrets(root: Array($0.utf8)) }, file)
        }
    }

    /// The secret and the one before it.
    private func changingSecrets(
        _ nested: (Setting) throws(SettingError) -> (text: String?, file: String?)
    ) throws(SettingError) -> (secrets: Secrets?, file: String?) {
        let current = required("current", expecting: "the key env or file in it", nested)
        let previous = required("previous", expecting: "the key env or file in it; without one, write the secret without current", nested)
        guard let current, let previous else { return (nil, nil) }
        guard current.text == nil || current.text != previous.text else {
            throw SettingError("current and previous are the same secret; create a new one with `openssl rand -base64 48`")
        }
        return (current.text.map { Secrets(root: Array($0.utf8), previous: previous.text.map { Array($0.utf8) }) }, current.file)
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
        if let variable { return try Self.variable(variable, in: environment) }
        return try Self.content(of: file ?? "")
    }

    /// Whether a text is the path of a file, or begins with a folder that exists. The user may not
    /// be allowed to look further.
    private static func isPath(_ text: String) -> Bool {
        let names = text.split(separator: "/")
        guard names.count > 1, let first = names.first else { return System.status(ofFile: text) != nil }
        return System.status(ofFile: (text.hasPrefix("/") ? "/" : "") + first) != nil
    }

    private static func variable(_ name: String, in environment: Configuration.Environment) throws(SettingError) -> String {
        guard let value = environment(name) else { throw SettingError("the environment variable \(name) is not set") }
        return value
    }

    /// The content of a secret file without line breaks at the end. A file that others can read is
    /// refused (K7). The opened file is judged, so a link may lead to it.
    /// - Parameter mayBeSecret: whether the operator may have written the secret in place of its
    ///   path. Then a text that is not a path is not repeated in the error.
    static func content(of file: String, mayBeSecret: Bool = true) throws(SettingError) -> String {
        guard !mayBeSecret || isPath(file) else {
            throw SettingError(
                "there is no such file; the value, not repeated here, may be the secret itself: write it into a file, and its path here"
            )
        }
        var status = stat()
        guard System.obstacle(toReading: file) == nil, let handle = FileHandle(forReadingAtPath: file),
            fstat(handle.fileDescriptor, &status) == 0, let bytes = try? handle.readToEnd() ?? Data()
        else {
            throw SettingError("the file \(file) cannot be read" + (System.obstacle(toReading: file).map { ": \($0)" } ?? ""))
        }
        guard status.st_mode & 0o007 == 0 else {
            throw SettingError("the file \(file) can be read by others; expected a mode without rights for them, as by `chmod o= \(file)`")
        }
        guard let text = String(bytes: bytes, encoding: .utf8) else { throw SettingError("the file \(file) is not text") }
        return text.trimmingCharacters(in: .newlines)
    }
}

extension Setting {
    /// Reads the section of a secret, to which the file refers without containing it.
    func secretSection<T>(_ read: (Section) throws(SettingError) -> T) throws(SettingError) -> T {
        guard node.scalar == nil else {
            throw SettingError("expected {file: PATH} or {env: NAME}, since the secret itself does not belong in this file")
        }
        return try section(read)
    }

    /// A secret that is not empty, or nil if secrets are not looked up.
    func secret(_ environment: Configuration.Environment?) throws(SettingError) -> String? {
        let text = try secretSection { section throws(SettingError) in try section.secretText(environment) }
        guard text?.isEmpty != true else { throw SettingError("the secret is empty") }
        return text
    }
}
