/// Tells the deliverer that a mail was queued. Several calls in a row are one.
package struct MailWakes: Sendable {
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Makes the deliverer look at the queue soon.
    package func wake() { continuation.yield() }
}
