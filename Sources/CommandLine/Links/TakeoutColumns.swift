import AppLinks
import Configuration
import Foundation

/// The columns of a file that Google exported for a domain of Firebase Dynamic Links.
///
/// Source: https://firebase.google.com/support/guides/export-dynamic-links, which lists the fields
/// and their order. The header's spelling is not documented, so columns are known by the words of
/// that list and by the parameters.
struct TakeoutColumns {
    enum Column: Hashable {
        case shortLink, name, created
        /// Dynamic Links listed archived links elsewhere; visitors saw no difference.
        case archived
        case parameter(AppLink.Parameter)
    }

    /// Every column with its names, in the order of the export.
    private static let all: [(Column, names: [String])] = [
        (.shortLink, ["short link", "short dynamic link", "short url"]), (.parameter(.link), ["deep link", "link"]),
        (.parameter(.apn), ["Android package name"]), (.parameter(.afl), ["Android fallback link"]),
        (.parameter(.amv), ["Android minimum package version code", "Android min package version code", "Android minimum version"]),
        (.parameter(.ibi), ["iOS bundle ID"]), (.parameter(.ifl), ["iOS fallback link"]), (.parameter(.ius), ["iOS custom scheme"]),
        (.parameter(.ipfl), ["iOS iPad fallback link", "iPad fallback link"]),
        (.parameter(.ipbi), ["iOS iPad bundle ID", "iPad bundle ID"]),
        (.parameter(.isi), ["iOS app store ID", "app store ID"]), (.parameter(.imv), ["iOS minimum version", "iOS min version"]),
        (.parameter(.efr), ["enable forced redirect", "forced redirect"]), (.parameter(.ofl), ["desktop fallback link"]),
        (.parameter(.st), ["social title"]), (.parameter(.sd), ["social description"]), (.parameter(.si), ["social image link"]),
        (.parameter(.utmSource), ["UTM source"]), (.parameter(.utmMedium), ["UTM medium"]), (.parameter(.utmCampaign), ["UTM campaign"]),
        (.parameter(.utmTerm), ["UTM term"]), (.parameter(.utmContent), ["UTM content"]), (.parameter(.at), ["iTunes Connect at"]),
        (.parameter(.ct), ["iTunes Connect ct"]), (.parameter(.mt), ["iTunes Connect mt"]), (.parameter(.pt), ["iTunes Connect pt"]),
        (.archived, ["archived", "is archived"]), (.name, ["link name", "name"]),
        (.created, ["creation timestamp", "created", "created at", "creation time", "create time"]),
    ]

    /// The column of each field of a row; nil where the header was not understood.
    let columns: [Column?]
    /// The titles that were not understood.
    let unknown: [String]
    /// Whether the first row is a header.
    let hasHeader: Bool

    /// Reads the first row. Throws `Failure` if it has no short link, or names a column twice.
    init(firstRow: [String]) throws(Failure) {
        if firstRow.count == Self.all.count, firstRow[0].hasPrefix("https://") {
            (columns, unknown, hasHeader) = (Self.all.map(\.0), [], false)
            return
        }
        let columns = firstRow.map(Self.column)
        let named = columns.compactMap(\.self)
        guard named.contains(.shortLink), named.contains(.parameter(.link)) else {
            throw Failure("the first row does not name the columns; expected titles such as Short link and Deep link (link)")
        }
        guard Set(named).count == named.count else { throw Failure("the first row names a column twice") }
        self.columns = columns
        unknown = zip(firstRow, columns).filter { $1 == nil }.map(\.0)
        hasHeader = true
    }

    /// The column of a title such as `Deep link (link)`, by its words, or by the parameter in
    /// parentheses or alone.
    private static func column(_ title: String) -> Column? {
        let parts = title.split(separator: "(", maxSplits: 1).map(letters)
        let candidates = Set(parts + [letters(title[...])])
        return all.first { column, names in
            if case .parameter(let key) = column, candidates.contains(letters(key.rawValue[...])) { return true }
            return names.contains { candidates.contains(letters($0[...])) }
        }?.0
    }

    /// The letters of a title in lower case, without spaces and marks.
    private static func letters(_ text: Substring) -> String {
        String(String.UnicodeScalarView(text.lowercased().unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic }))
    }
}
