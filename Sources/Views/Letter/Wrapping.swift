/// Text in lines of at most 72 characters, as mail programs of all ages show it. Lines break at spaces only, so a link stays whole
/// however long it is (L6). Several empty lines become one.
func wrapped(_ text: String) -> String {
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        guard line.count > 72 else {
            if !(line.isEmpty && lines.last?.isEmpty != false) { lines.append(line) }
            continue
        }
        var start = line.startIndex
        while line.distance(from: start, to: line.endIndex) > 72 {
            let end = line.index(start, offsetBy: 72)
            guard let space = line[start...end].lastIndex(of: " ") ?? line[end...].firstIndex(of: " ") else { break }
            lines.append(line[start..<space])
            start = line.index(after: space)
        }
        lines.append(line[start...])
    }
    return lines.joined(separator: "\n")
}
