/// A thing of OpenSSL's, freed with whoever holds it.
final class Handle {
    let pointer: OpaquePointer
    private let free: (OpaquePointer) -> Void

    /// Takes over `pointer`; nil where OpenSSL gave none.
    init?(_ pointer: OpaquePointer?, free: @escaping (OpaquePointer) -> Void) {
        guard let pointer else { return nil }
        self.pointer = pointer
        self.free = free
    }

    deinit { free(pointer) }
}
