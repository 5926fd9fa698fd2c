/// The SQL of a statement as a dictionary key. Few statements have the same length, so hashing the
/// length is enough, and equal strings share their storage, so comparing them is quick.
public struct StatementKey: Hashable, Sendable {
    public let sql: String
    public init(sql: String) { self.sql = sql }
    public func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}
