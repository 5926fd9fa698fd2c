import ArgumentParser
import Foundation
import HTTPServer

/// `onward healthcheck`: for containers, whose images hold no other client.
struct Healthcheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Asks a running server whether it is alive.",
        discussion: """
            Fetches /healthz (or, with --ready, /readyz) from the server on this machine. The exit status is 0 if it answers 200 within \
            two seconds, else 1.

            EXAMPLE
              HEALTHCHECK CMD ["onward", "healthcheck", "--address", "127.0.0.1:8080"]
            """)

    @Option(help: ArgumentHelp("Where the server listens.", valueName: "address:port"), transform: Self.address)
    var address = ListenAddress.standard
    @Flag(help: "Ask whether it can serve, not only whether it lives.") var ready = false

    func run() async throws {
        let path = ready ? "/readyz" : "/healthz"
        guard Probe.status(of: path, at: address) == 200 else { throw ExitCode.failure }
    }

    private static func address(_ text: String) throws -> ListenAddress {
        guard let address = ListenAddress(text) else { throw ValidationError("Expected an address such as 127.0.0.1:8080.") }
        return address
    }
}

/// One HTTP request over a blocking socket, which is all that a process that then ends needs.
enum Probe {
    /// The status of the answer; nil if there was none within two seconds.
    static func status(of path: String, at address: ListenAddress) -> Int? {
        PlainSocket.open(for: address) { socket in
            socket.limitWaits(toSeconds: 2)
            guard socket.connect() else { return nil }
            let request = Array("GET \(path) HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n".utf8)
            guard send(socket.descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
            var start = [UInt8](repeating: 0, count: "HTTP/1.1 200".utf8.count)
            guard recv(socket.descriptor, &start, start.count, Int32(MSG_WAITALL)) == start.count else { return nil }
            return Int(String(decoding: start.suffix(3), as: UTF8.self))
        }
    }
}
