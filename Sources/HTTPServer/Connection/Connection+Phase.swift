extension Connection {
    enum Phase {
        /// Waiting for a request, or for the rest of one.
        case reading
        /// A handler runs, or the response waits to be sent.
        case serving
        /// The response is held.
        case waiting
        /// Part of `output` waits until the socket is writable.
        case writing
        /// Everything is sent and the write side is shut down; further input is discarded until the
        /// client closes. Source: RFC 9112 §9.6.
        case lingering
        case closed
    }
}
