public import Base
internal import CCurl
internal import Glibc

/// A connection to an SMTP server that has been greeted and, if the endpoint says so, is encrypted
/// and verified. libcurl makes it; the caller then exchanges bytes.
///
/// Its calls block, so they run on a `WorkerPool` only, and no two at once. Commands after the last
/// EHLO, credentials among them, are the caller's: libcurl never has them.
public final class SMTPConnection: Sendable {
    private let handle: CurlHandle
    private let socket: Int32
    /// The extensions that the server offers, such as `SIZE 35882577`. Only what was said inside
    /// TLS counts, if there is TLS.
    public let extensions: [String]
    public let isEncrypted: Bool

    /// Connects.
    /// - Parameters:
    ///   - deadline: the time at which connecting fails at the latest.
    ///   - log: called with each line of the dialogue.
    public init(
        to endpoint: SMTPEndpoint, limits: SMTPLimits, before deadline: Uptime, log: @escaping (SMTPDialogueLine) -> Void
    ) throws(SMTPConnectionError) {
        guard let handle = CurlHandle() else { throw SMTPConnectionError(.connecting, "out of memory") }
        self.handle = handle
        isEncrypted = endpoint.encryption != .none
        extensions = try handle.connect(to: endpoint, limits: limits, before: deadline, log: log)
        socket = onward_curl_socket(handle.easy)
        guard socket >= 0 else { throw SMTPConnectionError(.connecting, "it closed the connection") }
    }

    /// Sends bytes.
    /// - Throws: if not all were sent before the deadline.
    public func send(_ bytes: [UInt8], before deadline: Uptime) throws(SMTPConnectionError) {
        var sent = 0
        while sent < bytes.count {
            var count = 0
            let code = bytes.withUnsafeBytes { curl_easy_send(handle.easy, $0.baseAddress?.advanced(by: sent), bytes.count - sent, &count) }
            switch code {
            case CURLE_OK: sent += count
            case CURLE_AGAIN: try wait(for: POLLOUT, before: deadline)
            default: throw SMTPConnectionError(.transaction, "it closed the connection")
            }
        }
    }

    /// Waits for bytes and returns them.
    /// - Throws: if none came before the deadline, or if the connection has ended.
    public func receive(before deadline: Uptime) throws(SMTPConnectionError) -> [UInt8] {
        while true {
            if let bytes = try receiveIfAny() { return bytes }
            try wait(for: POLLIN, before: deadline)
        }
    }

    /// The bytes that have arrived, nil if there are none.
    /// - Throws: if the connection has ended.
    public func receiveIfAny() throws(SMTPConnectionError) -> [UInt8]? {
        var code = CURLE_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: 4_096) { code = curl_easy_recv(handle.easy, $0.baseAddress, $0.count, &$1) }
        if code == CURLE_AGAIN { return nil }
        guard code == CURLE_OK, !bytes.isEmpty else { throw SMTPConnectionError(.transaction, "it closed the connection") }
        return bytes
    }

    /// Says goodbye without waiting for an answer. The connection is closed when it is released.
    public func quit() {
        var count = 0
        _ = Array("QUIT\r\n".utf8).withUnsafeBytes { curl_easy_send(handle.easy, $0.baseAddress, $0.count, &count) }
    }

    private func wait(for events: Int32, before deadline: Uptime) throws(SMTPConnectionError) {
        while true {
            let remaining = deadline - .now
            guard remaining > .zero else { throw SMTPConnectionError(.transaction, "it did not answer in time") }
            var watched = pollfd(fd: socket, events: Int16(events), revents: 0)
            if poll(&watched, 1, Int32(clamping: remaining.wholeMilliseconds + 1)) > 0 { return }
        }
    }
}
