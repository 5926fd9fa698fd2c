/// One thing that is wrong in a configuration file, where it stands, and what was expected there.
struct Problem: Error, Hashable, CustomStringConvertible {
    let file: String
    /// Both from 1; nil where the file as a whole is at fault.
    let line: Int?
    let column: Int?
    /// The path of keys, such as `projects[0].lifetimes.signIn`; nil where there is none.
    let key: String?
    /// What was expected, in a sentence.
    let sentence: String

    /// `file:line:column: key.path: sentence`, as editors and compilers know it.
    var description: String {
        let place = [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
        return [place, key, sentence].compactMap(\.self).joined(separator: ": ")
    }
}

/// Thrown for a configuration that cannot be used, with everything that is wrong in it.
struct InvalidConfiguration: Error, CustomStringConvertible {
    let problems: [Problem]

    /// A line for each, in the order of the file.
    var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// What a reader of one value throws; whoever knows the place makes a `Problem` of it.
struct Fault: Error, CustomStringConvertible {
    let sentence: String
    var description: String { sentence }
    init(_ sentence: String) { self.sentence = sentence }
}
