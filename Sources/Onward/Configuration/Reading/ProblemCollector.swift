internal import Views
internal import Yams

/// Collects the problems of a file, so that all are printed at once.
final class ProblemCollector {
    private let file: String
    private var problems: [Problem] = []
    /// The key paths of values that must be unique in the file, such as API keys.
    private var claims: [String: String] = [:]

    /// The languages and logos that values name; nil: they are not checked.
    var views: Views?

    init(file: String) { self.file = file }

    func note(_ problems: [Problem]) { self.problems += problems }

    func note(_ sentence: String, key: String?, at mark: Mark?) {
        problems.append(Problem(file: file, line: mark?.line, column: mark?.column, key: key, sentence: sentence))
    }

    /// Registers a value that must be unique; throws if it was registered before.
    func claim(_ value: String, as kind: String, by setting: Setting) throws(SettingError) {
        if let owner = claims.updateValue(setting.path, forKey: "\(kind) \(value)") {
            throw SettingError("the \(kind) \"\(value)\" is already used by \(owner)")
        }
    }

    /// Throws if a problem was noted.
    func check() throws(InvalidConfiguration) {
        guard problems.isEmpty else {
            // Those of other files come after them.
            let (own, others) = (problems.filter { $0.file == file }, problems.filter { $0.file != file })
            throw InvalidConfiguration(
                problems: own.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) } + others)
        }
    }
}
