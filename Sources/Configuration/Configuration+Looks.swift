public import Accounts
import Base
import Foundation

extension Configuration {
    /// A project's name, looks, language, words and password policy as its file has them. All else,
    /// such as secrets, keys, the database, relays and webhooks, is not read.
    public struct Looks: Sendable {
        /// The project, without anything that its clients or mails need.
        public let project: Project
        /// The folder of own words and looks.
        public let resources: String?

        /// The authority decides how short passwords may be.
        private static let keys: Set = [
            "id", "displayName", "homeURL", "language", "timeZone", "lifetimes", "passwords", "brand", "authority",
            "allowPlainHTTPUpstream",
        ]

        /// - Parameters:
        ///   - id: the project; nil: the first of the file.
        ///   - own: the folder of own words and looks, in place of the file's.
        public init(file: String, project id: String? = nil, resources own: String? = nil) throws(InvalidConfiguration) {
            guard let bytes = FileManager.default.contents(atPath: file) else {
                throw InvalidConfiguration(problems: [Problem(file: file, sentence: "the file cannot be read")])
            }
            let context = ReadingContext(file: file)
            let root = Configuration.compose(String(decoding: bytes, as: UTF8.self), context).map {
                Setting(path: "", node: $0, context: context)
            }
            let resources = own ?? root?["resources"]?.word
            self.resources = resources
            root?.noting { try context.readResources(named: resources) }
            let entries = root?["projects"]?.items ?? []
            let entry = id.map { id in entries.first { $0["id"]?.word == id } } ?? entries.first
            if root != nil, entry == nil {
                let ids = entries.compactMap { $0["id"]?.word }.joined(separator: ", ")
                context.note(id.map { "expected the project \($0) in projects; the file has \(ids)" } ?? "expected a project in projects")
            }
            let read = entry.flatMap { Self.project($0) }
            try context.check()
            guard let read else { throw InvalidConfiguration(problems: [Problem(file: file, sentence: "cannot be used")]) }
            project = read
        }

        private static func project(_ entry: Setting) -> Project? {
            var section = ProjectSection()
            for key in ProjectSection.keys where keys.contains(key.name) {
                if let value = entry[key.name] {
                    value.noting { try key.read(value, &section) }
                } else if let expected = key.expected {
                    entry.note("\(key.name) is missing; expected \(expected)")
                }
            }
            entry.noteUnknownKeys(among: ProjectSection.keys.map(\.name))
            // Values that a project needs and that are not shown.
            (section.apiKeys, section.authorizedDomains, section.actionURL) = ([], [], try? WebURL("https://localhost"))
            return section.value(in: entry)
        }
    }
}
