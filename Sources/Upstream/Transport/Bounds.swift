/// How many may ask an upstream at a time, and for how long they wait. The standard is for a service of a large provider.
package struct Bounds: Sendable {
    /// Threads, and connections that stay open.
    package var width = 32
    /// Those beyond, who are told at once that there is no place when there are more.
    package var maxWaiting = 128
    /// To a connection, TLS included.
    package var opening = Duration.seconds(2)
    /// From asking to the last byte, the wait in the queue included.
    package var whole = Duration.seconds(8)

    package init() {}
}
