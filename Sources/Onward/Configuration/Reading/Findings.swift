internal import Yams

/// What reading one file brings to light, collected so that all of it is printed at once.
final class Findings {
    private let file: String
    private var problems: [Problem] = []
    /// Where a value stood that may stand only once in the file, such as an API key.
    private var claims: [String: String] = [:]

    init(file: String) { self.file = file }

    func note(_ sentence: String, key: String?, at mark: Mark?) {
        problems.append(Problem(file: file, line: mark?.line, column: mark?.column, key: key, sentence: sentence))
    }

    /// Notes a problem when `value` was claimed before, at whatever key.
    func claim(_ value: String, as kind: String, by setting: Setting) throws(Fault) {
        if let owner = claims.updateValue(setting.path, forKey: "\(kind) \(value)") {
            throw Fault("the \(kind) \"\(value)\" is taken already, by \(owner)")
        }
    }

    /// Throws if anything was noted.
    func check() throws(InvalidConfiguration) {
        guard problems.isEmpty else {
            throw InvalidConfiguration(problems: problems.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) })
        }
    }
}
