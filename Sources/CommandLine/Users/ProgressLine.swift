import Base
import Foundation

/// A progress line on a terminal, updated once a second. Nothing is printed if standard error is
/// not a terminal.
struct ProgressLine {
    private let isShown: Bool
    /// The things that are counted, in the plural.
    private let things: String
    private let start = Uptime.now
    private var last = Uptime.now

    init(of things: String = "users") { (isShown, self.things) = (isatty(STDERR_FILENO) == 1, things) }

    /// - Parameters:
    ///   - count: the number of those that were processed.
    ///   - share: the processed share from 0 to 1; nil if the total is unknown.
    ///   - activity: what was done to the things, such as `copied`; nil: left out.
    mutating func show(
        _ count: Int, doing activity: String? = nil, refused: Int = 0, share: Double? = nil, at now: Uptime = .now
    ) {
        guard isShown, (now - last) >= .seconds(1) else { return }
        last = now
        write(
            "\r\(Self.line(count, activity.map { "\(things) \($0)" } ?? things, refused: refused, share: share, after: (now - start)))\u{1b}[K"
        )
    }

    /// Clears the line.
    func finish() { if isShown { write("\r\u{1b}[K") } }

    static func line(_ count: Int, _ things: String = "users", refused: Int, share: Double?, after span: Duration) -> String {
        let seconds = Double(span.milliseconds) / 1000
        let rate = seconds > 0 ? ", \(Int(Double(count) / seconds).formatted()) a second" : ""
        let percent = share.map { ", \(Int($0 * 100)) %\(timeLeft(after: seconds, share: $0))" } ?? ""
        return "\(count.formatted()) \(things)\(percent)\(rate)\(refused > 0 ? ", \(refused.formatted()) refused" : "")"
    }

    /// The time that is left at this pace; nothing in the first seconds, which say little.
    private static func timeLeft(after seconds: Double, share: Double) -> String {
        guard seconds >= 3, share > 0, share < 1 else { return "" }
        let left = Int((seconds / share - seconds).rounded(.up))
        return left < 90 ? ", \(left) s left" : ", \((left + 59) / 60) min left"
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
