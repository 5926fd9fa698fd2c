import Accounts
import Foundation

/// What the house takes as arguments, as the machine has it.
enum System {
    static let now: Now = { Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) }

    /// From the kernel's generator, asked once for up to 256 bytes.
    static let random: RandomBytes = { count in
        [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            while filled < count {
                let some = min(count - filled, 256)
                let status = getentropy(bytes.baseAddress! + filled, some)
                // Fails only where the kernel has no generator, which is nowhere that this runs.
                precondition(status == 0, "the kernel has no random bytes")
                filled += some
            }
        }
    }

    static let environment: Configuration.Environment = { ProcessInfo.processInfo.environment[$0] }

    /// The name of the Unix user that runs this process, else its number. No variable can change it.
    static var user: String { getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? String(getuid()) }

    static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }
}
