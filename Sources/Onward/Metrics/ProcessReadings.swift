import Foundation

/// What the system knows of this process, under the names that Prometheus's own clients use.
enum ProcessReadings {
    /// As soon as the program looks at it for the first time.
    private static let start = Date().timeIntervalSince1970

    static func begin() { _ = start }

    static var all: [Exposition.Reading] {
        let values: KeyValuePairs<Metric, Double?> = [
            .memory: memory, .processor: processor, .descriptors: descriptors, .maxDescriptors: maxDescriptors, .start: start,
        ]
        return values.compactMap { metric, value in value.map { Exposition.Reading(metric: metric, value: $0) } }
    }

    /// The second number is of pages. Source: proc(5), statm.
    private static var memory: Double? {
        let text = FileManager.default.contents(atPath: "/proc/self/statm").map { String(decoding: $0, as: UTF8.self) }
        guard let pages = text?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else { return nil }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static var processor: Double? {
        var usage = rusage()
        guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return nil }
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
    }

    /// Without the one that looks.
    private static var descriptors: Double? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count - 1) }
    }

    private static var maxDescriptors: Double? {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? Double(limit.rlim_cur) : nil
    }
}
