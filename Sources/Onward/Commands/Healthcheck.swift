import ArgumentParser
import Foundation
import HTTPServer

/// `onward healthcheck`, which probes a running server, for container images without an HTTP
/// client.
struct Healthcheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks whether a server on this machine responds.",
        discussion: """
            Requests /healthz (with --ready, /readyz) from the server on this machine. The exit status is 0 if the response is 200 within \
            two seconds, otherwise 1; standard error says why.

            EXAMPLE
              HEALTHCHECK CMD ["onward", "healthcheck", "--address", "127.0.0.1:8080"]
            """)

    @Option(help: ArgumentHelp("The address of the server.", valueName: "address:port"), transform: Self.address)
    var address = ListenAddress.standard
    @Flag(help: "Check whether the server is ready, not only whether it responds.") var ready = false

    func run() async throws {
        let path = ready ? "/readyz" : "/healthz"
        try await running {
            guard let status = Probe.status(of: path, at: address) else {
                throw Failure("no response from http://\(address)\(path): \(String(cString: strerror(errno)))")
            }
            guard status == 200 else { throw Failure("http://\(address)\(path) was answered \(status)") }
        }
    }

    private static func address(_ text: String) throws -> ListenAddress {
        guard let address = ListenAddress(text) else { throw ValidationError("Expected an address such as 127.0.0.1:8080.") }
        return address
    }
}

/// A single HTTP request over a blocking socket.
enum Probe {
    /// The status of the response; nil, with `errno` set, if there was none within two seconds.
    static func status(of path: String, at address: ListenAddress) -> Int? {
        BlockingSocket.open(for: address) { socket in
            socket.setTimeout(seconds: 2)
            guard socket.connect() else { return nil }
            let request = Array("GET \(path) HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n".utf8)
            guard send(socket.descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
            var start = [UInt8](repeating: 0, count: "HTTP/1.1 200".utf8.count)
            let count = recv(socket.descriptor, &start, start.count, Int32(MSG_WAITALL))
            guard count == start.count else {
                // The peer closed the connection.
                if count >= 0 { errno = ECONNRESET }
                return nil
            }
            return Int(String(decoding: start.suffix(3), as: UTF8.self))
        }
    }
}
