/// Suggests the correct spelling of an unknown key.
public enum Spelling {
    /// The name with the smallest edit distance; nil if none is similar.
    public static func nearest(to word: String, among names: [String]) -> String? {
        let near = names.map { (name: $0, distance: distance(word.lowercased(), $0.lowercased())) }
        return near.filter { $0.distance <= max(1, min($0.name.count, word.count) / 3) }.min { $0.distance < $1.distance }?.name
    }

    /// Keys of earlier versions, with what replaces each.
    static let replaced = ["accountEvents": "write events: [{url: …, secret: …}] instead (Docs/Events.md)"]

    /// The Levenshtein distance, with one row of the table at a time.
    public static func distance(_ first: String, _ second: String) -> Int {
        let (a, b) = (Array(first), Array(second))
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let replaced = diagonal + (x == y ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
