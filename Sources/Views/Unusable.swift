extension Views {
    /// Why the templates, languages or public files cannot be used; the server refuses to start with it.
    package struct Unusable: Error, Hashable, CustomStringConvertible {
        /// The path of the file, as far as the resources folder was given.
        package let file: String
        /// The key, placeholder or line, and what is wrong with it.
        package let problem: String

        /// For the log, and for whoever starts the server.
        package var description: String { "\(file): \(problem)" }
    }
}
