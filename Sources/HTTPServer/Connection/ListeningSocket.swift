/// A socket that connections arrive at, and whether they begin with a TLS handshake.
struct ListeningSocket {
    let socket: Socket
    let isSecure: Bool
    /// Other processes have it, too: what waits in it when this one ends is theirs.
    let isShared: Bool
}
