import Base

/// The deadlines of `ServerOptions` in the unit of `Clock.now`.
struct DeadlineNanoseconds {
    let handshake, header, bodyIdle, bodyTotal, keepAlive, writeIdle, linger, idleGrace: UInt64

    init(_ options: ServerOptions) {
        let deadlines = options.deadlines
        handshake = Self.clamped(deadlines.handshake)
        header = Self.clamped(deadlines.header)
        bodyIdle = Self.clamped(deadlines.bodyIdle)
        bodyTotal = Self.clamped(deadlines.bodyTotal)
        keepAlive = Self.clamped(deadlines.keepAlive)
        writeIdle = Self.clamped(deadlines.writeIdle)
        linger = Self.clamped(deadlines.linger)
        idleGrace = Self.clamped(options.idleGrace)
    }

    static func clamped(_ duration: Duration) -> UInt64 { UInt64(max(0, duration.nanoseconds)) }
}
