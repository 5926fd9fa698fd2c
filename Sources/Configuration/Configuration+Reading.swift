import Base
import Foundation
import Yams

extension Configuration {
    /// Returns the value of an environment variable.
    public typealias Environment = @Sendable (_ name: String) -> String?

    /// Reads a configuration file. Throws `InvalidConfiguration` with all problems in it (Z6).
    /// - Parameters:
    ///   - environment: the environment; nil: secrets are not looked up.
    ///   - certificates: the demands on certificates; nil: their files are not read.
    ///   - readsResources: whether languages, logos and templates are read, too.
    public init(
        file: String, environment: Environment?, certificates: CertificateCheck? = nil, readsResources: Bool = false
    ) throws(InvalidConfiguration) {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            let sentence =
                FileManager.default.fileExists(atPath: file)
                ? "the file cannot be read; run the command as the user of the server"
                : "there is no such file; `onward init` writes a first one"
            throw InvalidConfiguration(problems: [Problem(file: file, sentence: sentence)])
        }
        guard let yaml = String(validating: bytes, as: UTF8.self) else {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
            let sentence = "the file is not UTF-8: save it as UTF-8"
            throw InvalidConfiguration(problems: [Problem(file: file, line: line, sentence: sentence)])
        }
        try self.init(yaml: yaml, file: file, environment: environment, certificates: certificates, readsResources: readsResources)
    }

    /// Parses the text of a configuration file, whose name is used in messages only.
    public init(
        yaml: String, file: String, environment: Environment?, certificates: CertificateCheck? = nil, readsResources: Bool = false
    ) throws(InvalidConfiguration) {
        let context = ReadingContext(file: file, environment: environment, certificates: certificates)
        var read: Configuration?
        if let root = Self.compose(yaml, context) {
            let file = Setting(path: "", node: root, context: context)
            // Other values are judged by these two, wherever they are in the file.
            context.origin = file["publicOrigin"].flatMap { try? ValueForm<WebURL>.origin.read($0) }
            let folder = file["resources"]
            if readsResources, folder == nil || folder?.word?.isEmpty == false {
                (folder ?? file).noting { try context.readResources(named: folder?.word) }
            }
            read = file.noting { try ValueForm<Configuration>.section(Configuration.self).read(file) }
        }
        try context.check()
        guard let read else {
            throw InvalidConfiguration(problems: [Problem(file: file, sentence: "cannot be used")])
        }
        self = read
    }

    static func compose(_ yaml: String, _ context: ReadingContext) -> Node? {
        do {
            guard let root = try Yams.compose(yaml: yaml) else {
                context.note("the file is empty")
                return nil
            }
            return root
        } catch {
            switch error as? YamlError {
            case .duplicatedKeysInMapping(let keys, let place)?:
                for key in keys {
                    let lines = Self.lines(of: key, in: yaml, from: place.mark).map(String.init).joined(separator: " and ")
                    context.note(
                        "the key \(key) is given twice" + (lines.isEmpty ? "" : ", in lines \(lines)"), at: place.mark)
                }
            case .scanner(_, let problem, let mark, _)?, .parser(_, let problem, let mark, _)?, .composer(_, let problem, let mark, _)?:
                context.note("not YAML: \(explanation(of: problem, at: mark, in: yaml))", at: mark)
            default: context.note("not YAML: \(error)")
            }
            return nil
        }
    }

    /// The words of the library, or plainer ones for the slips that are made most.
    private static func explanation(of problem: String, at mark: Mark, in yaml: String) -> String {
        let lines = yaml.split(separator: "\n", omittingEmptySubsequences: false)
        let line = lines.indices.contains(mark.line - 1) ? lines[mark.line - 1] : ""
        if line.prefix(while: \.isWhitespace).contains("\t") { return "the line begins with a tab; indent by spaces" }
        if line.contains("\t"), problem.contains("cannot start any token") { return "the line contains a tab; write spaces" }
        return switch problem {
        case "did not find expected key":
            "the line does not fit the lines before it; its indentation must be theirs, and a text that begins with a sign needs quotes"
        case "mapping values are not allowed in this context":
            "a key is not expected here; its indentation must be that of its neighbours, and a text with \": \" needs quotes"
        case "could not find expected ':'": "a colon is missing after a key, or a text of several lines is not indented"
        default: problem
        }
    }

    /// The lines that begin with a key of the block mapping at a position.
    private static func lines(of key: String, in yaml: String, from start: Mark) -> [Int] {
        let lines = yaml.split(separator: "\n", omittingEmptySubsequences: false).enumerated().dropFirst(start.line - 1)
        return lines.filter { _, line in
            let bare = line.drop { $0 == " " || $0 == "-" }
            return line.count - bare.count == start.column - 1 && bare.hasPrefix(key + ":")
        }.map { $0.offset + 1 }
    }
}

extension LogOptions {
    /// The options of a configuration file, which may be unusable otherwise; those that cannot be
    /// read have their defaults.
    public init(ofFile file: String) {
        self.init()
        guard let bytes = FileManager.default.contents(atPath: file),
            let root = try? Yams.compose(yaml: String(decoding: bytes, as: UTF8.self))
        else { return }
        Setting(path: "", node: root, context: ReadingContext(file: file))["log"]?.read(into: &self, Self.keys)
    }
}
