import Accounts
import Foundation

/// What the house takes as arguments, as the machine has it.
enum System {
    static let now: Now = { Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) }

    /// From the kernel's generator.
    static let random: RandomBytes = { count in
        var generator = SystemRandomNumberGenerator()
        let words = (0..<(count + 7) / 8).map { _ in generator.next() }
        return words.withUnsafeBytes { Array($0.prefix(count)) }
    }

    static let environment: Configuration.Environment = { ProcessInfo.processInfo.environment[$0] }

    /// The name of the Unix user that runs this process, else its number. No variable can change it.
    static var user: String { getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? String(getuid()) }

    static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }
}
