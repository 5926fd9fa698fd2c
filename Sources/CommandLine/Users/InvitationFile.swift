import Accounts
import Base
import Configuration
import Foundation

/// A person to invite, as the command or a row of a file names them.
struct InvitedPerson: Equatable {
    var email: String
    var name: String?
    var continueURL: String?
    var language: String?

    /// Invites the person. Throws `Failure` or `ActionError`.
    func invite(in context: ProjectAccounts.Context) async throws -> InvitedAccount {
        if let language, !LanguageTag.isWellFormed(language) {
            throw Failure("\(language) is not the tag of a language, such as de or pt-BR")
        }
        // As long as names by the API.
        if let name, name.utf8.count > 2048 || name.contains("\0") { throw Failure("the name is longer than 2048 bytes") }
        var settings = ActionCodeSettings()
        settings.url = continueURL
        let address = try EmailAddress(argument: email)
        return try await context.accounts.invite(
            address, named: name, with: try ApprovedSettings(settings, in: context.settings), in: language)
    }
}

/// The people of a file: an address on each line, or CSV whose first row names the columns.
struct InvitationFile {
    let people: [(line: Int, person: InvitedPerson)]

    private static let columns = ["email", "name", "continue", "language"]

    /// Throws `Failure` for a file that cannot be read, and for columns that are not known.
    init(_ path: String) throws {
        guard var bytes = FileManager.default.contents(atPath: path).map([UInt8].init) else {
            throw Failure("the file \(path) cannot be read")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Failure("the file \(path) is not in UTF-8") }
        if bytes.starts(with: "\u{feff}".utf8) { bytes.removeFirst(3) }
        var reader = CSVRows()
        var rows = try reader.rows(in: bytes) + (try reader.finish())
        guard let first = rows.first else { throw Failure("the file \(path) is empty") }
        var names = ["email"]
        let heads = first.columns.map { $0.lowercased().trimmingCharacters(in: .whitespaces) }
        let expected = "expected an address on each line, or a first row with some of \(Self.columns.joined(separator: ", "))"
        if heads.contains("email") {
            (names, rows) = (heads, Array(rows.dropFirst()))
            if let unknown = heads.first(where: { !Self.columns.contains($0) }) { throw Failure("unknown column \(unknown); \(expected)") }
        } else if let row = rows.first(where: { $0.columns.count > 1 }) {
            throw Failure("line \(row.line) has several columns, which have no names; \(expected)")
        }
        people = rows.map { row in
            func value(_ name: String) -> String? {
                guard let index = names.firstIndex(of: name), row.columns.indices.contains(index) else { return nil }
                let text = row.columns[index].trimmingCharacters(in: .whitespaces)
                return text.isEmpty ? nil : text
            }
            let person = InvitedPerson(
                email: value("email") ?? "", name: value("name"), continueURL: value("continue"), language: value("language"))
            return (row.line, person)
        }
    }
}
