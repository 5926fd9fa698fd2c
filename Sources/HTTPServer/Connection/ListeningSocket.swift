/// A socket that connections arrive at, and whether they begin with a TLS handshake.
struct ListeningSocket {
    let socket: Socket
    let isSecure: Bool
}
