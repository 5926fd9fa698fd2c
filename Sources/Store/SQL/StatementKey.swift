/// The SQL of a statement as a dictionary key. Few statements have the same length, so hashing the
/// length is enough, and equal strings share their storage, so comparing them is quick.
package struct StatementKey: Hashable, Sendable {
    package let sql: String
    package init(sql: String) { self.sql = sql }
    package func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}
