/// An object of OpenSSL, freed when its last owner releases it.
final class OpenSSLHandle {
    let pointer: OpaquePointer
    private let free: (OpaquePointer) -> Void

    /// Takes ownership of `pointer`; nil if OpenSSL returned none.
    init?(_ pointer: OpaquePointer?, free: @escaping (OpaquePointer) -> Void) {
        guard let pointer else { return nil }
        self.pointer = pointer
        self.free = free
    }

    deinit { free(pointer) }
}
