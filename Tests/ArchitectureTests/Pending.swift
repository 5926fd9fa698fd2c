/// Paths in which a rule does not hold yet. Each list only becomes shorter: remove a path when its
/// folder is done.
enum Pending {
    static let phrases: [String] = []
    static let firstWords: [String] = []
    static let citations: [String] = []
    static let wrapping: [String] = []
    static let formerNames: Set<String> = []
    static let sqliteFiles: Set<String> = []

    static func includes(_ path: String, in list: [String]) -> Bool { list.contains { path.hasPrefix($0) } }
}
