/// A table of the newest schema, with the properties that a copy of whole tables needs. It is read
/// from the statements of the migrations, so that there is no second list of tables and columns.
public struct TableDefinition: Sendable, Hashable {
    public let name: String
    /// In the order in which the statements add them.
    public fileprivate(set) var columns: [String] = []
    /// The columns of the primary key.
    public fileprivate(set) var key: [String] = []
    /// The column whose values the engine assigns if a row has none.
    public fileprivate(set) var identity: String?
    /// The tables that foreign keys of this one refer to.
    public fileprivate(set) var references: Set<String> = []

    /// Every table in the order of its creation: a table comes after those that it refers to.
    static func all(in dialect: SQLDialect) -> [TableDefinition] {
        all(of: Migration.all(in: dialect).flatMap(\.statements), in: dialect)
    }

    static func all(of statements: [String], in dialect: SQLDialect) -> [TableDefinition] {
        var tables: [TableDefinition] = []
        for statement in statements {
            if let created = statement.prefixMatch(of: #/\s*CREATE TABLE (\w+) *\(/#) {
                tables.append(TableDefinition(name: String(created.1), of: statement[created.range.upperBound...], in: dialect))
            } else if let added = statement.prefixMatch(of: #/\s*ALTER TABLE (\w+) ADD (?:COLUMN )?/#),
                let index = tables.firstIndex(where: { $0.name == added.1 })
            {
                tables[index].add(statement[added.range.upperBound...], in: dialect)
            } else if let dropped = statement.prefixMatch(of: #/\s*DROP TABLE (\w+)/#) {
                tables.removeAll { $0.name == dropped.1 }
            }
        }
        return tables
    }

    private init(name: String, of body: Substring, in dialect: SQLDialect) {
        self.name = name
        for part in Self.parts(of: body) { add(part, in: dialect) }
    }

    /// Adds one column or one constraint.
    private mutating func add(_ part: Substring, in dialect: SQLDialect) {
        let words = part.drop(while: \.isWhitespace)
        for match in words.matches(of: #/REFERENCES (\w+)/#) { references.insert(String(match.1)) }
        if let primary = words.prefixMatch(of: #/PRIMARY KEY *\(([^)]*)\)/#) {
            key = primary.1.split(separator: ",").map { String($0.filter { !$0.isWhitespace }) }
        }
        guard words.prefixMatch(of: #/(?:PRIMARY KEY|FOREIGN KEY|UNIQUE|CHECK|CONSTRAINT)\b/#) == nil else { return }
        let column = String(words.prefix { !$0.isWhitespace })
        let definition = words.dropFirst(column.count).drop(while: \.isWhitespace)
        columns.append(column)
        if definition.contains("PRIMARY KEY") { key = [column] }
        if definition.hasPrefix(dialect.identityColumn) { identity = column }
    }

    /// The text up to the closing parenthesis, split at commas that are in no parentheses.
    private static func parts(of body: Substring) -> [Substring] {
        var (parts, start, depth, isQuoted) = ([Substring](), body.startIndex, 0, false)
        for index in body.indices {
            switch body[index] {
            case "'": isQuoted.toggle()
            case _ where isQuoted: break
            case "(": depth += 1
            case ")" where depth == 0: return parts + [body[start..<index]]
            case ")": depth -= 1
            case "," where depth == 0:
                parts.append(body[start..<index])
                start = body.index(after: index)
            default: break
            }
        }
        return parts + [body[start...]]
    }
}
