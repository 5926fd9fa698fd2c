import Accounts
import ArgumentParser
import Base
import Configuration
import Foundation
import Mail
import Server
import Views

/// `onward mail preview`, which writes a mail as files, without sending it.
struct MailPreview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Writes a mail with sample values as HTML, text and raw message.",
        discussion: """
            The mail is composed as the server would compose it now: with the templates of the configuration, and with those that admins \
            have set if the database can be read. Secrets are not needed, and nothing is sent. The paths of the files are printed. \
            Scripts/mail-preview of the source takes pictures of them too.

            EXAMPLES
              onward mail preview --action resetPassword --lang ar
              onward mail preview --action passwordChanged --out /tmp/mails
            """)

    @Option(help: ArgumentHelp("The mail: an action, such as verifyEmail, or a notice, such as passwordChanged.", valueName: "name"))
    var action: String
    @Option(help: ArgumentHelp("The language. Default: the project's.", valueName: "tag")) var lang: String?
    @Option(help: ArgumentHelp("The project. Default: the first of the configuration.", valueName: "id")) var project: String?
    @Option(help: ArgumentHelp("The folder to write to. Default: a new one for temporary files.", valueName: "folder")) var out: String?
    @OptionGroup var file: ConfigurationFile

    func run() async throws { try await running { _ = try await writeMail() } }

    /// Writes the HTML, the text and the message.
    /// - Returns: their path without its ending.
    func writeMail() async throws -> String {
        let configuration = try file.readWithoutSecrets()
        let loaded = try LoadedResources(configuration, mode: .production)
        let project = try await self.project(of: configuration, loaded)
        guard let kind = LetterKind(rawValue: action) else {
            throw Failure("unknown action \(action); expected one of \(LetterKind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let tag = lang ?? project.language
        guard let language = loaded.views.language(matching: tag) else {
            throw Failure("unknown language \(tag); expected one of \(loaded.views.languages.map(\.code).joined(separator: ", "))")
        }
        let letters = Samples(for: project, at: Date()).letters(in: tag)
        guard let letter = letters.first(where: { $0.name == kind.rawValue })?.letter else {
            throw Failure("\(kind.rawValue) has no sample")
        }
        let content = try loaded.composer(at: configuration.publicOrigin).compose(letter, in: project)
        let sender = configuration.mail?.sender ?? MailSender(from: Mailbox(name: nil, address: letter.recipient))
        let message = MIMEMessage(sender.mail(letter, id: MailID(rawValue: 0), content, of: project))
        let stem = "\(try folder())/\(project.id)-\(kind.rawValue)-\(language.code)"
        try Self.write(Array(content.html.utf8), to: stem + ".html")
        try Self.write(Array("Subject: \(content.subject)\n\n\(content.text)\n".utf8), to: stem + ".txt")
        try Self.write(message.bytes, to: stem + ".eml")
        return stem
    }

    private func project(of configuration: Configuration, _ loaded: LoadedResources) async throws -> Project {
        let all = configuration.projects
        guard let found = project.map({ id in all.first { $0.id.rawValue == id } }) ?? all.first else {
            throw Failure("unknown project \(project ?? ""); expected one of \(all.map(\.id.rawValue).joined(separator: ", "))")
        }
        let changes = await StoredAdminSettings(database: configuration.database)
        if let caveat = changes.caveat { FileHandle.standardError.write(Data((caveat + "\n").utf8)) }
        return changes.applied(to: found, checks: SettingsChecks(views: loaded.views)).project
    }

    /// The folder of the files, which is created.
    private func folder() throws -> String {
        let temporary = FileManager.default.temporaryDirectory.appending(path: "onward-preview-\(UUID().uuidString.prefix(8))")
        let folder = out ?? temporary.path(percentEncoded: false)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return URL(filePath: folder).standardizedFileURL.path(percentEncoded: false).trimmingSuffix("/")
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
        print(path)
    }
}
