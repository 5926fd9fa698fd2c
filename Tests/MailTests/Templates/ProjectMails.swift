import Accounts
import Base
import Foundation
import Testing
import Views
@testable import Mail

/// Letters of a project, and its templates in files and of admins.
struct ProjectMails {
    static let link = "https://auth.example/__/auth/action?mode=resetPassword&oobCode=Ab9_-Ab9_&apiKey=k%3D_&lang=en"
    static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized.path
    static let sharedViews = Result { try Views(resources: Resources(release: root)) }

    let views: Views
    let project: Project
    /// A folder for template files, which the process removes at its end.
    let folder = FileManager.default.temporaryDirectory.appending(path: "onward-templates-\(UUID())").path

    init() throws {
        views = try Self.sharedViews.get()
        project = Project(
            id: ProjectID(rawValue: "shop"), displayName: "Shop", authorizedDomains: try AuthorizedDomains([]),
            actionURL: try WebURL("https://auth.example/__/auth/action"))
    }

    /// Writes template files, by their paths in the folder of the project.
    func files(_ files: [String: String]) throws -> ProjectTemplates {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, content) in files {
            let file = URL(filePath: "\(folder)/\(name.hasPrefix("/") ? "" : "shop/")\(name)")
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(content.utf8).write(to: file)
        }
        return try ProjectTemplates(folder: folder, views: views)
    }

    /// The project with a template that an admin has set. Throws if it is not accepted.
    func project(_ kind: LetterKind = .action(.resetPassword), _ change: (inout LetterTemplate) -> Void) throws -> Project {
        var settings = ProjectSettings()
        change(&settings[template: kind])
        let (project, objections) = project.applying(settings, checks: SettingsChecks(views: views))
        try #require(objections.isEmpty, "\(objections)")
        return project
    }

    static func letter(
        _ kind: LetterKind = .action(.resetPassword), in language: String = "en", name: String? = "Ada", factor: String? = "Phone"
    ) throws -> Letter {
        var letter = Letter(
            kind, to: try #require(EmailAddress("ada@mail.example")), language: language, createdAt: Timestamp(seconds: 1_795_380_540))
        letter.displayName = name
        letter.otherEmail = EmailAddress("new@mail.example")
        letter.secondFactor = factor
        letter.device = ClientDevice(browser: "Firefox", system: "Android")
        guard kind.action != nil else { return letter }
        letter.link = link
        letter.expiresAt = Timestamp(seconds: 1_795_384_140)
        letter.confirmationNumber = "4182"
        return letter
    }

    func composer(_ templates: ProjectTemplates = .none, app: String = "Shop") throws -> LetterComposer {
        let brand = try views.brand(name: app)
        return LetterComposer(views: views, templates: templates, brand: { _ in brand }, origin: "https://auth.example")
    }

    func compose(_ letter: Letter, files: [String: String] = [:], in project: Project? = nil) throws -> RenderedMail {
        try composer(files.isEmpty ? .none : self.files(files)).compose(letter, in: project ?? self.project)
    }

    static let sender = MailSender(from: Mailbox(name: nil, address: EmailAddress("no-reply@app.example")!))

    func outgoing(_ letter: Letter, in project: Project) throws -> OutgoingMail {
        Self.sender.mail(letter, id: MailID(rawValue: 1), try compose(letter, in: project), of: project)
    }
}

extension String {
    /// The text as it is written in HTML.
    var escaped: String { replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;") }
}
