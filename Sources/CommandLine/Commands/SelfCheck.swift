import Accounts
import ArgumentParser
import Configuration
import Foundation
import Mail
import SQLite
import Server
import Store
import Views
import Web

/// `onward self-check`, which says after an upgrade whether this version can serve what is there.
struct SelfCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks after an upgrade whether it is safe to start, without changing anything.",
        discussion: """
            Reads the configuration, templates and languages as the server does. Opens the database for reading only, also beside a \
            running server: compares its schema with that of this version, and opens a sealed value of each table with the configured \
            secret. Renders every page and every mail of every project in every language. Nothing is sent or written, and no machine is \
            asked but a PostgreSQL server. The exit status is 0 if it is safe to start, 1 if not, and 78 if the configuration is \
            invalid.

            EXAMPLE
              sudo -u onward onward self-check --config /etc/onward/onward.yaml && \\
                systemctl restart onward
            """)

    @OptionGroup var file: ConfigurationFile

    func run() async throws {
        try await running {
            do {
                for line in try await report() { print(line) }
            } catch {
                if error is ActionError { FileHandle.standardError.write(Data("It is not safe to start.\n".utf8)) }
                throw error
            }
        }
    }

    /// The lines to print. Throws an error for the operator if it is not safe to start.
    func report() async throws -> [String] {
        let configuration = try file.readForServer()
        let loaded = try LoadedResources(configuration, mode: .production)
        try loaded.checkWords()
        var lines = ["configuration: \(file.path) is valid"]
        lines += try await Self.database(of: configuration)
        lines.append(try Self.pages(of: loaded))
        lines.append(try Self.mails(of: loaded, configuration))
        return lines + ["It is safe to start Onward \(Version.current)."]
    }

    private static func database(of configuration: Configuration) async throws -> [String] {
        switch configuration.database {
        case .sqlite(let path):
            if let loss = SQLiteFile.loss(of: path) { throw Failure("database: \(path): \(loss)") }
            guard FileManager.default.fileExists(atPath: path) else {
                return ["database: \(path) does not exist; the first start creates it"]
            }
            return try await lines(on: try SQLiteSnapshotReader(path: path), of: configuration)
        case .postgreSQL:
            return try await configuration.database.withDatabase { database in try await lines(on: database, of: configuration) }
        }
    }

    /// The lines about a database, which is only read.
    private static func lines(on reader: any SQLDatabase, of configuration: Configuration) async throws -> [String] {
        let schema = try await Store.schemaState(of: reader)
        let migration = schema.version < schema.newest ? ", which the next start migrates to \(schema.newest)" : ""
        let opened = try await Store.withoutMigrating(reader).openSealedValues(by: try configuration.lookedUpSecrets)
        return [
            "database: \(reader.name) has schema \(schema.version)\(migration)",
            opened.isEmpty ? "secret: nothing is sealed yet" : "secret: opens the sealed values of \(opened.joined(separator: ", "))",
        ]
    }

    private static func pages(of loaded: LoadedResources) throws -> String {
        var count = 0
        for project in loaded.projects.all {
            let contents = Samples(for: project, at: Date()).pages.map(\.content)
            count = contents.count
            let brand = loaded.brands.brand(of: project)
            for language in loaded.views.languages {
                for content in contents {
                    let html = loaded.views.html(Page(content, brand: brand, now: Date()), in: language)
                    guard html.count > 500, String(decoding: html.prefix(500), as: UTF8.self).contains("lang=\"\(language.code)\"") else {
                        throw Failure("a page in \(language.code) is not rendered: \(content)")
                    }
                }
            }
        }
        return "pages: \(count) in \(loaded.views.languages.count) languages"
    }

    private static func mails(of loaded: LoadedResources, _ configuration: Configuration) throws -> String {
        var count = 0
        let composer = loaded.composer(at: configuration.publicOrigin)
        for project in loaded.projects.all {
            for language in loaded.views.languages {
                let letters = Samples(for: project, at: Date()).letters(in: language.code)
                count = letters.count
                for (name, letter) in letters {
                    let mail = try composer.compose(letter, in: project)
                    guard !mail.subject.isEmpty, !mail.text.isEmpty, letter.link.map({ mail.text.contains($0) }) != false else {
                        throw Failure("the mail \(name) in \(language.code) of project \(project.id) has no subject, text or link")
                    }
                }
            }
        }
        return "mails: \(count) in \(loaded.views.languages.count) languages, of \(loaded.projects.all.count) projects"
    }
}
