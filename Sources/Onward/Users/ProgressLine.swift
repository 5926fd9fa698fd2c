import Accounts
import Foundation

/// Says on a terminal, once a second, how far long work has come; says nothing elsewhere, where nobody is waiting.
struct ProgressLine {
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var last = ContinuousClock.now

    init() { isShown = isatty(STDERR_FILENO) == 1 }

    /// - Parameters:
    ///   - count: how many users are done.
    ///   - share: of the whole, from 0 to 1; nil where the whole is not known.
    mutating func show(_ count: Int, refused: Int = 0, share: Double? = nil, at now: ContinuousClock.Instant = .now) {
        guard isShown, last.duration(to: now) >= .seconds(1) else { return }
        last = now
        write("\r\(Self.line(count, refused: refused, share: share, after: start.duration(to: now)))\u{1b}[K")
    }

    /// Leaves the line.
    func finish() { if isShown { write("\r\u{1b}[K") } }

    static func line(_ count: Int, refused: Int, share: Double?, after span: Duration) -> String {
        let seconds = Double(span.milliseconds) / 1000
        let rate = seconds > 0 ? ", \(Int(Double(count) / seconds).formatted()) a second" : ""
        let percent = share.map { ", \(Int($0 * 100)) %" } ?? ""
        return "\(count.formatted()) users\(percent)\(rate)\(refused > 0 ? ", \(refused.formatted()) refused" : "")"
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
