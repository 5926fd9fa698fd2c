import Accounts
import AppLinks
import Base
import Configuration
import Foundation

/// A row of an exported file.
struct TakeoutRow {
    private var values: [TakeoutColumns.Column: String] = [:]

    init(_ fields: [String], _ columns: TakeoutColumns) throws(Failure) {
        guard fields.count <= columns.columns.count else {
            throw Failure("The row has \(fields.count) columns, the first one \(columns.columns.count): is a quote missing?")
        }
        for (column, field) in zip(columns.columns, fields) {
            let value = field.trimmingCharacters(in: .whitespacesAndNewlines)
            if let column, !value.isEmpty { values[column] = value }
        }
    }

    var shortLink: String { values[.shortLink] ?? "" }

    /// The short link and what it stands for, checked like links of the API.
    /// - Parameters:
    ///   - domain: the link domain that replaces that of the row; nil keeps it.
    ///   - project: finds the project of a link.
    func draft(
        on domain: LinkDomain?, at now: Timestamp, project: (String) async throws -> Project
    ) async throws -> (draft: ShortLinkDraft, path: ShortLinkPath) {
        let short: WebURL
        do { short = try WebURL(shortLink) } catch { throw Failure("The short link cannot be read. \(error.explanation)") }
        guard let path = ShortLinkPath(short.path), short.query == nil else { throw Failure(ShortLinkRefusal.path.explanation) }
        let origin = domain?.origin ?? short.origin
        let project = try await project(origin)
        do {
            var draft = try project.propose(shortLinkTo: AppLink.text(on: origin, parameters), at: now).draft
            draft.name = values[.name]
            draft.createdAt = values[.created].flatMap(Self.moment) ?? now
            return (draft, path)
        } catch { throw Failure(error.explanation) }
    }

    private var parameters: [(AppLink.Parameter, String?)] {
        AppLink.Parameter.allCases.map { key in
            let value = values[.parameter(key)]
            guard key == .efr else { return (key, value) }
            return (key, ["1", "true", "yes"].contains(value?.lowercased()) ? "1" : nil)
        }
    }

    /// A moment in ISO 8601, with a space for its T, or as a number of seconds, milliseconds or
    /// microseconds since 1970.
    static func moment(_ text: String) -> Timestamp? {
        if let number = Int64(text) {
            guard number >= 0 else { return nil }
            return switch number {
            case ..<100_000_000_000: Timestamp(seconds: number)
            case ..<100_000_000_000_000: Timestamp(milliseconds: number)
            default: Timestamp(milliseconds: number / 1000)
            }
        }
        let words = text.split(separator: " ")
        let zone = words.count > 1 && ["UTC", "GMT", "Z"].contains(words[words.count - 1])
        let plain = (zone ? words.dropLast() : words[...]).joined(separator: "T")
        return Timestamp(iso8601: plain) ?? Timestamp(iso8601: plain + "Z")
    }
}
