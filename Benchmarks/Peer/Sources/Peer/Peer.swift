import Hummingbird
import NIOPosix

/// The smallest form of the link flow: `GET` shows a page with a button for a live code, `POST`
/// applies the code once, durably, and redirects.
@main struct Peer {
    struct Form: Decodable { let oobCode: String }

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 3, let port = Int(arguments[1]), let threads = Int(arguments[3]) else {
            print("usage: peer PORT DATABASE THREADS")
            return
        }
        let application = Application(
            router: router(try Codes(path: arguments[2])), configuration: .init(address: .hostname("127.0.0.1", port: port)),
            eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: threads)))
        try await application.runService()
    }

    static func router(_ codes: Codes) -> Router<BasicRequestContext> {
        let router = Router()
        router.get("/healthz") { _, _ in "ok\n" }
        router.get("/__/auth/action") { request, _ -> Response in
            let code = try request.uri.queryParameters.require("oobCode")
            guard try await codes.isLive(code) else { throw HTTPError(.gone) }
            return Response(
                status: .ok, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: page(code))))
        }
        router.post("/__/auth/action") { request, context -> Response in
            let form = try await URLEncodedFormDecoder().decode(Form.self, from: request, context: context)
            guard let url = try await codes.spend(form.oobCode) else { throw HTTPError(.gone) }
            return Response(status: .seeOther, headers: [.location: url])
        }
        return router
    }

    /// A stored code is base64url and needs no escaping.
    static func page(_ code: String) -> String {
        """
        <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Verify your email</title></head><body><main>\
        <h1>Verify your email</h1><form method="post"><input type="hidden" name="oobCode" value="\(code)"><button>Verify</button>\
        </form></main></body></html>
        """
    }
}
