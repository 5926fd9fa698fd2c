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

    /// Invites the person. Throws `Failure` with a sentence for the operator.
    func invite(in context: ProjectAccounts.Context) async throws -> InvitedAccount {
        if let language, !LanguageTag.isWellFormed(language) {
            throw Failure("\(language) is not the tag of a language, such as de or pt-BR")
        }
        var settings = ActionCodeSettings()
        settings.url = continueURL
        let address = try EmailAddress(argument: email)
        do {
            return try await context.accounts.invite(
                address, named: name, with: try ApprovedSettings(settings, in: context.settings), in: language)
        } catch { throw Failure(explanation(of: error)) }
    }
}

/// The people of a file: an address on each line, or CSV whose first row names the columns.
struct InvitationFile {
    let people: [(line: Int, person: InvitedPerson)]

    private static let columns = ["email", "name", "continue", "language"]

    /// Throws `Failure` for a file that cannot be read, and for columns that are not known.
    init(_ path: String) throws {
        guard let bytes = FileManager.default.contents(atPath: path) else { throw Failure("the file \(path) cannot be read") }
        var reader = CSVRows()
        var rows = try reader.rows(in: bytes) + (try reader.finish())
        if let first = rows.first { rows[0] = CSVRows.Numbered(line: first.line, columns: first.columns.withoutByteOrderMark) }
        guard let first = rows.first else { throw Failure("the file \(path) is empty") }
        var names = ["email"]
        let heads = first.columns.map { $0.lowercased().trimmingCharacters(in: .whitespaces) }
        if heads.contains("email") {
            (names, rows) = (heads, Array(rows.dropFirst()))
            if let unknown = heads.first(where: { !Self.columns.contains($0) }) {
                throw Failure("the file has a column \(unknown); expected some of \(Self.columns.joined(separator: ", "))")
            }
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
