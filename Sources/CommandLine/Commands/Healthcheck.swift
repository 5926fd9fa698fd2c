import ArgumentParser
import Configuration
import HTTPServer
import Network

/// `onward healthcheck`, which probes a running server, for container images without an HTTP
/// client.
struct Healthcheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks whether a server on this machine responds.",
        discussion: """
            Requests /healthz (with --ready, /readyz) from the server on this machine. The exit status is 0 if the response is 200 within \
            two seconds, otherwise 1; standard error says why. A server that listens for TLS only is asked with --tls and the name of its \
            certificate, which is checked as browsers check it: an expired one is a failure.

            EXAMPLES
              HEALTHCHECK CMD ["onward", "healthcheck", "--address", "127.0.0.1:8080"]
              onward healthcheck --address 127.0.0.1:443 --tls auth.example.com
            """)

    @Option(help: ArgumentHelp("The address of the server.", valueName: "address:port"), transform: Self.address)
    var address = ListenAddress.standard
    @Option(help: ArgumentHelp("Speak TLS, to the server of this name.", valueName: "host")) var tls: String?
    @Option(help: ArgumentHelp("A PEM file with the certificates to trust. (default: the system's)", valueName: "path")) var ca: String?
    @Flag(help: "Check whether the server is ready, not only whether it responds.") var ready = false

    func validate() throws {
        guard ca == nil || tls != nil else { throw ValidationError("--ca needs --tls.") }
    }

    func run() async throws {
        try await running {
            let path = ready ? "/readyz" : "/healthz"
            let url = tls.map { "https://\($0):\(address.port)\(path)" } ?? "http://\(address)\(path)"
            var limits = TransferLimits()
            (limits.width, limits.total) = (1, .seconds(2))
            let client = HTTPClient(limits, caFile: ca, circuitChanged: { _ in })
            let response: TransferResponse
            do throws(TransferError) {
                response = try await client.send(TransferRequest(url: url, fields: [], body: nil, connectingTo: address.description))
            } catch {
                throw Failure("no response to \(url) from \(address): \(error.cause)")
            }
            guard response.status == 200 else { throw Failure("\(url) was answered \(response.status)") }
        }
    }

    private static func address(_ text: String) throws -> ListenAddress {
        guard let address = ListenAddress(text) else { throw ValidationError("Expected an address such as 127.0.0.1:8080.") }
        return address
    }
}
