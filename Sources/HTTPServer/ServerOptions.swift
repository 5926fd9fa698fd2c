/// The limits and timeouts of the server. The defaults suit a port that is open to the internet.
public struct ServerOptions: Sendable, Hashable {
    /// The largest sizes that are accepted.
    public struct SizeLimits: Sendable, Hashable {
        /// Bytes of the request target; a longer one is refused with 414. Source: RFC 9112 §3.
        public var maxTargetBytes = 8_000
        /// Bytes of all field lines of a request, trailers and line ends included; more are refused
        /// with 431.
        public var maxHeaderBytes = 32_768
        /// The number of field lines of a request, trailers included; more are refused with 431.
        public var maxFields = 100
        /// Bytes of a decoded body; a larger one is refused with 413.
        public var maxBodyBytes = 1_048_576

        public init() {}
    }

    /// The longest durations of the phases of a connection. When one is exceeded, the connection is
    /// closed, with a 408 if a request has begun.
    public struct Deadlines: Sendable, Hashable {
        /// The time from accepting a connection to the end of its TLS handshake.
        public var handshake = Duration.seconds(10)
        /// The time from a request's first byte, from accepting a connection, or from the end of
        /// its handshake, to the end of the request's head.
        public var header = Duration.seconds(10)
        /// The time between two reads of a body.
        public var bodyIdle = Duration.seconds(10)
        /// The time from the end of the head to the end of the body.
        public var bodyTotal = Duration.seconds(60)
        /// The time between two requests.
        public var keepAlive = Duration.seconds(65)
        /// The time between two writes of a response.
        public var writeIdle = Duration.seconds(30)
        /// The time from the end of the last response until the client closes.
        public var linger = Duration.seconds(2)

        public init() {}

        var shortest: Duration { min(handshake, header, bodyIdle, bodyTotal, keepAlive, writeIdle, linger) }
    }

    public var limits = SizeLimits()
    public var deadlines = Deadlines()
    /// The bytes that are held for the clients of all listeners together: incomplete requests,
    /// bodies, and responses that wait to be sent. Beyond it new bodies are answered with 503, and
    /// those clients are cut first whose bytes have been held for longest.
    public var maxBufferedBytes = 67_108_864
    /// The number of open connections over all listeners; a further one is answered with 503.
    public var maxConnections = 20_000
    /// The number of TLS handshakes in progress over all listeners; a further one closes the
    /// longest.
    public var maxHandshakes = 512
    /// The `max-age` of `Strict-Transport-Security`; nil: the header is not sent. Source: RFC 6797.
    public var strictTransport: Duration?
    /// The number of event loops, which share each port.
    public var listeners = Machine.cores
    /// The time that idle connections and the listening sockets stay open while the server stops,
    /// for requests that are already on their way.
    public var idleGrace = Duration.milliseconds(200)
    /// The time that running requests may take while the server stops, before their connections are
    /// closed.
    public var grace = Duration.seconds(20)

    public init() {}
}
