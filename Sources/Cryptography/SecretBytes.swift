internal import COpenSSL

/// The bytes of a key. The memory is overwritten when the last reference to it goes.
public final class SecretBytes: Sendable, Equatable {
    // Written only before `init` returns, and freed when no reference is left.
    private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

    /// Copies `bytes`; clearing the original is the caller's business.
    public convenience init(_ bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// - Parameter fill: writes all `count` bytes.
    public init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        // One byte at least, because a null address means *no argument* to libcrypto.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 1), alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        self.memory = memory
        self.count = count
        try fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]))
    }

    deinit {
        OPENSSL_cleanse(memory.baseAddress, memory.count)
        memory.deallocate()
    }

    public let count: Int

    /// Calls `body` with the bytes, whose address is never null.
    public func withUnsafeBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
    }

    /// Compares in constant time.
    public static func == (a: SecretBytes, b: SecretBytes) -> Bool {
        a.count == b.count && CRYPTO_memcmp(a.memory.baseAddress, b.memory.baseAddress, a.count) == 0
    }
}

/// Comparison of secrets, in a time that depends on their lengths only.
public enum ConstantTime {
    public static func equal(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
        a.count == b.count && CRYPTO_memcmp(Array(a), Array(b), a.count) == 0
    }
}

extension Array<UInt8> {
    /// Calls `body` with an address that is not null even if the array is empty: to libcrypto, a
    /// null address means *no argument*.
    func withAddress<T>(_ body: (UnsafePointer<UInt8>, Int) throws -> T) rethrows -> T {
        try withUnsafeBufferPointer { bytes in
            if let address = bytes.baseAddress { return try body(address, bytes.count) }
            return try Swift.withUnsafePointer(to: UInt8(0)) { try body($0, 0) }
        }
    }
}
