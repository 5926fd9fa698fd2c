/// Text in lines of at most 72 characters, as mail programs of all ages show it. A line that holds a link is left whole (L6), and
/// several empty lines become one.
func wrapped(_ text: String) -> String {
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        guard line.count > 72, !line.contains("://") else {
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
