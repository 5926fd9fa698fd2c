/// A problem in a configuration file: its position and what was expected.
struct Problem: Error, Hashable, CustomStringConvertible {
    let file: String
    /// The line from 1; nil if the problem concerns the whole file.
    var line: Int?
    /// The column from 1.
    var column: Int?
    /// The path of keys, such as `projects[0].lifetimes.signIn`.
    var key: String?
    /// The sentence that says what was expected.
    let sentence: String

    /// `file:line:column: key.path: sentence`, the format of compilers.
    var description: String {
        let position = [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
        return [position, key, sentence].compactMap(\.self).joined(separator: ": ")
    }
}

/// The error thrown for a configuration that cannot be used, with all of its problems.
struct InvalidConfiguration: Error, CustomStringConvertible {
    let problems: [Problem]

    /// The problems in the order of the file, one per line.
    var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// The error of reading a value. The caller adds the position and makes a `Problem` of it.
struct SettingError: Error, CustomStringConvertible {
    let sentence: String
    var description: String { sentence }
    init(_ sentence: String) { self.sentence = sentence }
}
