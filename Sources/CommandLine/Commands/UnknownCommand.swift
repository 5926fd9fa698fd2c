import ArgumentParser
import Configuration

/// A word of the command line in the place of a command that does not exist, which ArgumentParser
/// takes for an argument too many.
struct UnknownCommand {
    let word: String
    /// The commands before it, such as `onward users`.
    let parent: String
    /// The name that was probably meant; nil if none is near.
    let suggestion: String?

    /// Nil if each word in the place of a command is one.
    /// - Parameter arguments: without the name of the program.
    static func find(in arguments: [String], of root: any ParsableCommand.Type) -> UnknownCommand? {
        var known = root.configuration.subcommands
        var path = [root._commandName]
        for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
            if word.hasPrefix("-") || word == "help" || known.isEmpty { return nil }
            guard let next = known.first(where: { $0._commandName == word }) else {
                let names = known.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
                return UnknownCommand(
                    word: word, parent: path.joined(separator: " "), suggestion: Spelling.nearest(to: word, among: names))
            }
            path.append(word)
            known = next.configuration.subcommands
        }
        return nil
    }

    var message: String {
        let hint = suggestion.map { " Did you mean `\(parent) \($0)`?" } ?? ""
        return "onward: there is no command `\(parent) \(word)`.\(hint) `\(parent) --help` lists those that there are."
    }
}
