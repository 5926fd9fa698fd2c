/// A problem in a configuration file: its position and what was expected.
public struct Problem: Error, Hashable, CustomStringConvertible {
    public let file: String
    /// The line from 1; nil if the problem concerns the whole file.
    public var line: Int?
    /// The column from 1.
    public var column: Int?
    /// The path of keys, such as `projects[0].lifetimes.signIn`.
    public var key: String?
    /// The sentence that says what was expected.
    public let sentence: String

    public init(file: String, line: Int? = nil, column: Int? = nil, key: String? = nil, sentence: String) {
        (self.file, self.line, self.column, self.key, self.sentence) = (file, line, column, key, sentence)
    }

    /// `file:line:column: key.path: sentence`, the format of compilers.
    public var description: String {
        let position = [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
        return [position, key, sentence].compactMap(\.self).joined(separator: ": ")
    }
}

/// The error thrown for a configuration that cannot be used, with all of its problems.
public struct InvalidConfiguration: Error, CustomStringConvertible {
    public let problems: [Problem]

    public init(problems: [Problem]) { self.problems = problems }

    /// The problems in the order of the file, one per line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// The error of reading a value. The caller adds the position and makes a `Problem` of it.
public struct SettingError: Error, CustomStringConvertible {
    public let sentence: String
    public var description: String { sentence }
    public init(_ sentence: String) { self.sentence = sentence }
}
