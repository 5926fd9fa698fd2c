/// What the server accepts, and how long it waits for it. Everything has a default that suits an open port.
package struct ServerOptions: Sendable, Hashable {
    /// Sizes above which a request is refused; each value itself is still accepted.
    package struct Limits: Sendable, Hashable {
        /// Bytes of the request target, else 414. Source: RFC 9112 §3.
        package var maxTargetBytes = 8_000
        /// Bytes of all field lines of a head (and of its trailers), with their line ends, else 431.
        package var maxHeaderBytes = 32_768
        /// Field lines of a head (and its trailers), else 431.
        package var maxFields = 100
        /// Bytes of a decoded body, else 413.
        package var maxBodyBytes = 1_048_576

        package init() {}
    }

    /// How long a connection may take for each part of its life, after which it is cut (with a 408 when a request had begun).
    package struct Deadlines: Sendable, Hashable {
        /// From accepting a connection to the end of its TLS handshake.
        package var handshake = Duration.seconds(10)
        /// From a request's first byte, or from accepting a connection (or the end of its handshake), to the end of its head.
        package var header = Duration.seconds(10)
        /// Between two pieces of a body.
        package var bodyIdle = Duration.seconds(10)
        /// From the end of the head to the end of the body.
        package var bodyTotal = Duration.seconds(60)
        /// Between two requests.
        package var keepAlive = Duration.seconds(65)
        /// Between two pieces of a response that the client takes.
        package var writeIdle = Duration.seconds(30)
        /// From our last byte to the client's, when the connection ends.
        package var linger = Duration.seconds(2)

        package init() {}

        var shortest: Duration { min(handshake, header, bodyIdle, bodyTotal, keepAlive, writeIdle, linger) }
    }

    package var limits = Limits()
    package var deadlines = Deadlines()
    /// Connections at once over all listeners; one more is answered 503.
    package var maxConnections = 20_000
    /// TLS handshakes at once over all listeners; with one more, the one that has taken longest is cut.
    package var maxHandshakes = 512
    /// For how long browsers shall come back by https only; nil where people do not come by https. Source: RFC 6797.
    package var strictTransport: Duration?
    /// Event loops that share the port, each with connections of its own.
    package var listeners = Machine.cores
    /// While stopping: how long connections that were just being opened or about to carry a request may still do so.
    package var settle = Duration.milliseconds(200)
    /// While stopping: how long running requests may take to finish before their connections are cut.
    package var grace = Duration.seconds(20)

    package init() {}
}
