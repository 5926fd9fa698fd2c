import Accounts
import Base
import Foundation

/// The place of a secret: `{env: NAME}` or `{file: PATH}`. The configuration only refers to it, so
/// that the file itself is not secret.
struct SecretSection: Section {
    static let expected = "{file: PATH} or {env: NAME}, since the secret itself does not belong in this file"

    var env, file: String?

    static var keys: [ConfigurationKey<Self>] {
        ConfigurationKey("env", \.env, .text(#/[A-Za-z_][A-Za-z0-9_]*/#, "the name of an environment variable"))
        ConfigurationKey("file", \.file, .text)
    }

    func value(in setting: Setting) throws -> SecretReference? {
        switch (env, file) {
        case (let name?, nil): .variable(name)
        case (nil, let path?): .file(path)
        default:
            throw SettingError("expected either env, the name of an environment variable, or file, the path of a file with the secret")
        }
    }
}

extension ValueForm<SecretReference> {
    fileprivate static var place: ValueForm { .section(SecretSection.self, SecretSection.expected) }

    /// A secret that is looked up when it is used. It is checked if there is an environment.
    static var secretReference: ValueForm {
        place.checked { reference, setting in
            if let environment = setting.context.environment { _ = try reference.text(environment) }
        }
    }
}

extension ValueForm<String> {
    /// A secret.
    static func secret(mayBeEmpty: Bool = false) -> ValueForm {
        ValueForm<SecretReference>.place.map { reference, setting in
            let text = try setting.context.environment.map { try reference.content($0) }
            guard mayBeEmpty || text?.isEmpty != true else { throw SettingError("the secret is empty") }
            return text
        }
    }
}

/// The secret from which all keys are derived, and while it is being changed the previous one.
struct RootSecret {
    /// Nil if secrets are not looked up.
    var text, previous: String?
    /// The file of `text`; nil if it comes from the environment.
    var file: String?

    var secrets: Secrets? { text.map { Secrets(root: Array($0.utf8), previous: previous.map { Array($0.utf8) }) } }
}

extension ValueForm<RootSecret> {
    /// `{env: NAME}`, `{file: PATH}`, or `{current: …, previous: …}` of such.
    static var rootSecret: ValueForm {
        .either(single, if: { !$0.has("current") && !$0.has("previous") }, or: .section(ChangingSecretSection.self, SecretSection.expected))
    }

    fileprivate static var single: ValueForm {
        ValueForm<SecretReference>.place.map { reference, setting in
            let text = try setting.context.environment.map { try reference.content($0) }
            if let count = text?.utf8.count, count < 32 {
                throw SettingError("the secret has \(count) bytes; expected at least 32, as `openssl rand -base64 48` makes them")
            }
            guard case .file(let path) = reference else { return RootSecret(text: text) }
            return RootSecret(text: text, file: path)
        }
    }
}

/// The secret and the one before it.
private struct ChangingSecretSection: Section {
    var current, previous: RootSecret?

    static var keys: [ConfigurationKey<Self>] {
        ConfigurationKey("current", \.current, .single).required("the key env or file in it")
        ConfigurationKey("previous", \.previous, .single).required(
            "the key env or file in it; without one, write the secret without current")
    }

    func value(in setting: Setting) throws -> RootSecret? {
        guard let current, let previous else { return nil }
        guard current.text == nil || current.text != previous.text else {
            throw SettingError("current and previous are the same secret; create a new one with `openssl rand -base64 48`")
        }
        return RootSecret(text: current.text, previous: previous.text, file: current.file)
    }
}

/// A file with a secret, which the configuration or a command names.
public enum SecretFile {
    /// The content of a secret file without line breaks at the end. A file that others can read is
    /// refused (K7). The opened file is judged, so a link may lead to it.
    /// - Parameter mayBeSecret: whether the operator may have written the secret in place of its
    ///   path. Then a text that is not a path is not repeated in the error.
    public static func content(of file: String, mayBeSecret: Bool = true) throws(SettingError) -> String {
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

    /// Whether a text is the path of a file, or begins with a folder that exists. The user may not
    /// be allowed to look further.
    private static func isPath(_ text: String) -> Bool {
        let names = text.split(separator: "/")
        guard names.count > 1, let first = names.first else { return System.status(ofFile: text) != nil }
        return System.status(ofFile: (text.hasPrefix("/") ? "/" : "") + first) != nil
    }
}
