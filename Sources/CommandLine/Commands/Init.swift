import ArgumentParser
import Base
import Configuration
import Foundation

/// `onward init`, which writes the first configuration and a secret.
struct Init: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a short configuration and a new secret.",
        discussion: """
            Creates onward.yaml and secret (mode 0600) in a folder, and never overwrites a file. If root runs it and the folder belongs \
            to another group, such as /etc/onward of the package, that group may read them. In a terminal it asks for what is not given. \
            Without --from and --relay no mails are sent, until the configuration says how.

            Keep a copy of the secret: without it every link and session is void, and authenticator apps no longer work.

            EXAMPLES
              onward init --origin https://auth.example.com --domain app.example.com
              onward init --origin https://auth.example.com --domain app.example.com \\
                --name "My App" --from no-reply@example.com \\
                --relay smtp://mail.example.com:587 \\
                --directory /etc/onward --database /var/lib/onward/onward.sqlite
            """)

    @Option(help: ArgumentHelp("Where the pages will be: https and a host.", valueName: "url")) var origin: String?
    @Option(help: ArgumentHelp("A host to which users may continue, with its subdomains; repeatable.", valueName: "host"))
    var domain: [String] = []
    @Option(help: ArgumentHelp("The name of the app, as users know it. By default the first domain.", valueName: "text"))
    var name: String?
    @Option(help: ArgumentHelp("The id of the project, as the app's Firebase configuration has it.", valueName: "id"))
    var project = "my-app"
    @Option(help: ArgumentHelp("The sender of mails, such as no-reply@example.com.", valueName: "address")) var from: String?
    @Option(help: ArgumentHelp("The mail server, such as smtp://mail.example.com:587.", valueName: "url")) var relay: String?
    @Option(help: ArgumentHelp("The folder for both files; it is created if it does not exist.", valueName: "path"))
    var directory = "."
    @Option(
        help: ArgumentHelp(
            "The database. By default onward.sqlite in that folder; for /etc/onward, where the service cannot write, in /var/lib/onward.",
            valueName: "path")) var database: String?

    @Flag(help: "Ask nothing, also in a terminal.") var noInput = false

    func run() async throws {
        try await running { print(try create()) }
    }

    /// - Returns: what the operator should read.
    private func create() throws -> String {
        let file = Self.absolute(directory) + "/onward.yaml"
        let isAnswered = !noInput && isatty(STDIN_FILENO) == 1
        let written = try starter { isAnswered ? Self.ask($0) : nil }
        do { _ = try Configuration(yaml: written.yaml, file: file, environment: nil) } catch {
            throw Failure("nothing was written, because the configuration would be refused:\n\(error)")
        }
        try Self.write(written, to: file)
        return Self.nextSteps(after: written, in: file)
    }

    /// - Parameter ask: asks the user for a value; nil if there is no answer.
    private func starter(asking ask: (_ question: String) -> String?) throws -> StarterConfiguration {
        func required(_ given: String?, _ option: String, _ question: String) throws -> String {
            guard let value = given ?? ask(question) else { throw Failure("expected \(option)") }
            return value
        }
        let origin = try required(
            origin, "--origin, such as https://auth.example.com", "Where will the pages be (https://auth.example.com)?")
        let domains =
            domain.isEmpty
            ? [try required(nil, "--domain, such as app.example.com", "To which host may users continue (app.example.com)?")] : domain
        let from = from ?? ask("Who sends the mails (no-reply@example.com; empty: send none)?")
        let relay = relay ?? (from == nil ? nil : ask("Through which mail server (smtp://mail.example.com:587)?"))
        guard (from == nil) == (relay == nil) else { throw Failure("expected both --from and --relay, or neither") }
        let folder = Self.absolute(directory)
        return StarterConfiguration(
            origin: origin, domains: domains, projectID: project, displayName: name ?? domains[0],
            apiKey: StarterConfiguration.newAPIKey(random: System.random), mail: from.flatMap { from in relay.map { (from, $0) } },
            secretFile: folder + "/secret", database: database.map(Self.absolute) ?? Self.dataFolder(for: folder) + "/onward.sqlite")
    }

    /// The answer of the user; nil for an empty one.
    private static func ask(_ question: String) -> String? {
        FileHandle.standardError.write(Data((question + " ").utf8))
        return readLine().map { $0.trimmingCharacters(in: .whitespaces) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func absolute(_ path: String) -> String {
        let file = URL(filePath: path, relativeTo: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
        return file.standardizedFileURL.path(percentEncoded: false).trimmingSuffix("/")
    }

    /// Writes both files or none.
    private static func write(_ starter: StarterConfiguration, to path: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let configuration = try PrivateFile(new: path).sharingWithGroupOfFolder()
        do {
            let secret = try PrivateFile(new: starter.secretFile).sharingWithGroupOfFolder()
            try secret.write(Data(System.random(48)).base64EncodedString() + "\n")
            try secret.close()
            try configuration.write(starter.yaml)
            try configuration.close()
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    /// The folder of the database unless the operator names one. The units of systemd let the
    /// server write to their state directory only.
    static func dataFolder(for folder: String) -> String { folder == "/etc/onward" ? "/var/lib/onward" : folder }

    static func nextSteps(after starter: StarterConfiguration, in file: String) -> String {
        // The units of systemd read this folder, and run the server as a separate user.
        let isForSystemd = file == "/etc/onward/onward.yaml"
        let user = isForSystemd ? "sudo -u onward " : ""
        let path = file.quotedForShell
        let start = isForSystemd ? "sudo systemctl enable --now onward.socket onward" : "onward serve --config \(path)"
        return """
            Wrote \(file) and \(starter.secretFile). Keep a copy of the secret.
            API key of the app, which is public: \(starter.apiKey)
            \(starter.mail == nil ? "No mails are sent until mail in the configuration says how.\n" : "")
            Next:
              \(user)onward check-config --config \(path)
              \(start)
              \(user)onward doctor --config \(path)
            """
    }
}
