import Foundation

/// What the system knows of this process, under the names that Prometheus's own clients use.
enum ProcessReadings {
    /// Looked up once: it must be the same each time, as that it changes means that the process is another. Source: proc(5), stat.
    private static let start: Double? = {
        var sinceBoot = timespec()
        // What stands in parentheses is the program's name, which may hold anything.
        guard let fields = text("/proc/self/stat")?.split(separator: ")").last?.split(separator: " "), fields.count > 19,
            let ticks = Double(fields[19]), clock_gettime(CLOCK_BOOTTIME, &sinceBoot) == 0
        else { return nil }
        let age = Double(sinceBoot.tv_sec) + Double(sinceBoot.tv_nsec) / 1e9 - ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        return (Date().timeIntervalSince1970 - age).rounded()
    }()

    static var all: [Exposition.Reading] {
        let values: KeyValuePairs<Metric, Double?> = [
            .memory: memory, .processor: processor, .descriptors: descriptors, .maxDescriptors: maxDescriptors, .start: start,
        ]
        return values.compactMap { metric, value in value.map { Exposition.Reading(metric: metric, value: $0) } }
    }

    /// The second number is of pages. Source: proc(5), statm.
    private static var memory: Double? {
        guard let pages = text("/proc/self/statm")?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else { return nil }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static var processor: Double? {
        var usage = rusage()
        guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return nil }
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
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
