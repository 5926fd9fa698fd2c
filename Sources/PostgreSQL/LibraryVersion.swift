internal import CPostgreSQL

enum LibraryVersion {
    /// As in `15.18`.
    static var libpq: String { "\(PQlibVersion() / 10000).\(PQlibVersion() % 10000)" }
}
