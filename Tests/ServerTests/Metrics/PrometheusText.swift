import Foundation

/// Reads the text format of Prometheus, version 0.0.4, as strictly as its description allows; an
/// error says which line.
struct PrometheusText {
    struct Sample: Hashable {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    struct Family {
        let name: String
        let kind: String
        let help: String
        var samples: [Sample] = []
    }

    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var families: [Family] = []

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Malformed(description: "no line end at the end") }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()[...]
        while let line = lines.popFirst() {
            if let help = line.wholeMatch(of: #/# HELP ([a-z_:][a-z0-9_:]*) (.+)/#) {
                guard let type = lines.popFirst()?.wholeMatch(of: #/# TYPE ([a-z_:][a-z0-9_:]*) (counter|gauge|histogram)/#),
                    type.1 == help.1, !families.contains(where: { $0.name == help.1 })
                else { throw Malformed(description: "\(line)") }
                families.append(Family(name: String(help.1), kind: String(type.2), help: String(help.2)))
            } else {
                let sample = try Self.sample(String(line))
                guard let family = families.last, family.owns(sample), !family.samples.contains(where: sample.isSameSeries) else {
                    throw Malformed(description: "\(line)")
                }
                families[families.count - 1].samples.append(sample)
            }
        }
        for family in families { try family.check() }
    }

    subscript(name: String) -> Family? { families.first { $0.name == name } }

    /// The value of the one series with these labels.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        families.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?.value
    }

    private static func sample(_ line: String) throws -> Sample {
        guard let parts = line.wholeMatch(of: #/([a-z_:][a-z0-9_:]*)(?:\{(.+)\})? ([^ ]+)/#),
            let value = ["+Inf": .infinity, "-Inf": -.infinity, "NaN": .nan][String(parts.3)] ?? Double(String(parts.3))
        else { throw Malformed(description: line) }
        var labels: [String: String] = [:]
        var rest = (parts.2 ?? "")[...]
        while !rest.isEmpty {
            guard let label = rest.prefixMatch(of: #/([a-z_][a-z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,(?=.)|$)/#),
                labels[String(label.1)] == nil
            else {
                throw Malformed(description: line)
            }
            labels[String(label.1)] = Self.unescaped(String(label.2))
            rest = rest[label.range.upperBound...]
        }
        return Sample(name: String(parts.1), labels: labels, value: value)
    }

    private static func unescaped(_ value: String) -> String {
        value.replacing(#/\\(.)/#) { $0.1 == "n" ? "\n" : String($0.1) }
    }
}

extension PrometheusText.Sample {
    fileprivate func isSameSeries(_ other: Self) -> Bool { name == other.name && labels == other.labels }
}

extension PrometheusText.Family {
    fileprivate func owns(_ sample: PrometheusText.Sample) -> Bool {
        kind == "histogram" ? ["_bucket", "_sum", "_count"].contains { sample.name == name + $0 } : sample.name == name
    }

    /// Counters only grow; buckets are cumulative, end with all, and all are counted.
    fileprivate func check() throws {
        guard !samples.isEmpty else { throw PrometheusText.Malformed(description: "\(name) is empty") }
        if kind == "counter", samples.contains(where: { $0.value < 0 || !$0.value.isFinite }) || !name.hasSuffix("_total") {
            throw PrometheusText.Malformed(description: "\(name) does not count")
        }
        guard kind == "histogram" else { return }
        let series = Dictionary(grouping: samples) { $0.labels.filter { $0.key != "le" } }
        for (labels, samples) in series {
            let buckets = samples.filter { $0.name == name + "_bucket" }
            let ends = buckets.compactMap { $0.labels["le"].flatMap { $0 == "+Inf" ? .infinity : Double($0) } }
            let count = samples.first { $0.name == name + "_count" }?.value
            guard ends == ends.sorted(), ends.last == .infinity, ends.count == buckets.count, Set(ends).count == ends.count,
                buckets.map(\.value) == buckets.map(\.value).sorted(), buckets.last?.value == count,
                samples.contains(where: { $0.name == name + "_sum" })
            else { throw PrometheusText.Malformed(description: "\(name) \(labels)") }
        }
    }
}
