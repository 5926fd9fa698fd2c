import Configuration

/// A configuration file: it is read, or each problem has a sentence and a line of the file (O6).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let yaml = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    do throws(InvalidConfiguration) {
        _ = try Configuration(yaml: yaml, file: "onward.yaml", environment: { _ in nil })
    } catch {
        let lines = yaml.unicodeScalars.count { $0.properties.generalCategory == .lineSeparator || ["\n", "\r", "\u{85}", "\u{2029}"].contains($0) } + 1
        precondition(!error.problems.isEmpty)
        for problem in error.problems {
            precondition(!problem.sentence.isEmpty)
            precondition(problem.line.map { (1...lines + 1).contains($0) } ?? true, "\(problem)")
        }
    }
    return 0
}
