import Foundation
import Testing

/// Comments and documents; only what a test can judge.
@Suite struct `Prose` {
    /// Everything that is written for a reader.
    static func sources() throws -> [Source] {
        let endings: Set = ["swift", "md", "yaml", "yml", "sh", "py", "h", "service", "socket", "timer", "conf", ""]
        let paths = [
            "Sources", "Tests", "Docs", "Config", "Scripts", "Benchmarks", "README.md", "CHANGELOG.md", "Dockerfile", "Package.swift",
        ]
        return try paths.flatMap { try Source.all(in: $0, endings: endings) }
            .filter { !$0.path.contains("/corpus/") && !$0.path.contains("/Exchanges/") && $0.name != "ProseTests" }
    }

    /// Phrases that a reader has to decode.
    static let phrases = [
        "whoever", "nobody", "somebody", "one who", "those who", "that which", "beg[aiu]ns? anew", "stands? in (?:the|a|an)",
    ]

    /// Phrases that nest a clause, or refer back, where a second sentence is easier to read.
    static let clauses = [
        "of which", "to which", "by which", "with which", "of its own", "of their own", "as far as", "also if", "meanwhile", "so far",
    ]

    @Test func `says what it means`() throws {
        let pattern = try Regex("(?i)\\b(?:" + Self.phrases.joined(separator: "|") + ")\\b")
        for source in try Self.sources() {
            for (number, line) in source.prose where line.contains(pattern) { Issue.record("\(source.path):\(number): \(line)") }
        }
    }

    /// Only the comments of the product and its tests.
    @Test func `splits sentences instead of nesting them`() throws {
        let pattern = try Regex("(?i)\\b(?:" + Self.clauses.joined(separator: "|") + ")\\b")
        let sources = try ["Sources", "Tests"].flatMap { try Source.all(in: $0) }.filter { $0.name != "ProseTests" }
        for source in sources {
            for (number, line) in source.prose where line.contains(pattern) { Issue.record("\(source.path):\(number): \(line)") }
        }
    }

    /// A doc comment starts with its subject, not with a clause that stands for it.
    @Test func `begins a doc comment with the subject`() throws {
        let pattern = #/^\s*/// (?:What|Who|Whoever|Those|The same|Of|By|Where)\b/#
        let sources = try Self.sources().filter { $0.path.hasSuffix(".swift") }
        for source in sources {
            var previous: Substring = ""
            for (number, line) in source.prose {
                if !previous.contains("///"), line.contains(pattern) { Issue.record("\(source.path):\(number): \(line)") }
                previous = line
            }
        }
    }

    /// A clone has no `shared` folder and none of the documents in it.
    @Test func `cites nothing that is not in the repository`() throws {
        let pattern = #/\bshared/|\b(?:house|product|safety|writing)\.md\b|\bwire/[a-z]/#
        let sources = try Self.sources().filter { !$0.path.hasPrefix("Tests/Vectors/") }
        for source in sources {
            for (number, line) in source.prose where line.contains(pattern) { Issue.record("\(source.path):\(number): \(line)") }
        }
    }

    /// Only lines that are nothing but a comment.
    @Test func `wraps comments at 100 columns`() throws {
        let comment = #/\s*///#
        for source in try Self.sources() where source.path.hasSuffix(".swift") {
            for (index, line) in source.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if line.count > 100, !line.contains("://"), line.prefixMatch(of: comment) != nil {
                    Issue.record("\(source.path):\(index + 1) has \(line.count) columns")
                }
            }
        }
    }

    /// Tables, links and code are as wide as they are.
    @Test func `wraps Markdown at 100 columns`() throws {
        for source in try Self.sources() where source.path.hasSuffix(".md") {
            var isCode = false
            for (number, line) in source.prose {
                if line.hasPrefix("```") { isCode.toggle() }
                let isExempt = isCode || line.hasPrefix("|") || line.hasPrefix("    ") || line.contains("](") || line.contains("://")
                if line.count > 100 && !isExempt { Issue.record("\(source.path):\(number) has \(line.count) columns") }
            }
        }
    }
}

extension Source {
    /// Numbered lines that are read as sentences: whole documents, the comments of anything else.
    fileprivate var prose: [(number: Int, line: Substring)] {
        let all = text.split(separator: "\n", omittingEmptySubsequences: false)
        let lines = all.enumerated().map { (number: $0.offset + 1, line: $0.element) }
        if path.hasSuffix(".md") { return lines }
        let comment = path.hasSuffix(".swift") || path.hasSuffix(".h") ? "//" : "#"
        return lines.map { ($0.number, $0.line.range(of: comment).map { [line = $0.line] in line[$0.lowerBound...] } ?? "") }
    }
}
