internal import Base

/// Tells the deliverer that a mail was queued. Several calls in a row are one.
public struct MailWakes: Sendable {
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let hasRoom = Locked(true)

    public init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Makes the deliverer look at the queue soon. Does nothing while it has no room for a mail,
    /// because a request is quicker if it wakes no other thread.
    public func wake() { if hasRoom.value { continuation.yield() } }

    /// Makes the deliverer look whether it has room again.
    func look() { continuation.yield() }

    /// The deliverer says whether it has room before it looks at the queue, so that it misses no
    /// mail that is queued while it looks.
    func setRoom(_ room: Bool) { hasRoom.update { $0 = room } }
}
