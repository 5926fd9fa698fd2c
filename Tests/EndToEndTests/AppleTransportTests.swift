import Base
import Foundation
import Testing
import World

extension `Onward from end to end` {
    /// `Clients/Apple/OnwardTransport.swift`, on Linux: with a stand-in for the hook of Google's
    /// fetcher, and the requests that FirebaseAuth sends.
    @Suite struct `The transport of Apple apps` {
        @Test(.enabled(if: mayMount, "no mount namespace can be made here, so that a program cannot be shown another certificate"))
        func `reaches a production server over TLS, and nothing else`() async throws {
            let folder = try TemporaryFolder()
            let driver = try Self.driver(in: folder)
            let (certificate, key, port) = (folder.path + "/cert", folder.path + "/key", try FrontDoor.freePort())
            _ = try Program.output(
                of: try Program.path(to: "openssl"),
                [
                    "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-days", "30", "-subj",
                    "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
                ])
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            let onward = try await ProductionServer(
                in: folder, origin: "https://localhost:\(port)",
                more: #"""
                    listenTLS: ["127.0.0.1:\#(port)"]
                    tls: [{certificate: "\#(certificate)", privateKey: "\#(key)"}]
                    """#,
                project: ", signIn: {anonymous: true, emailLink: true}")
            defer { onward.program.signal(SIGKILL) }
            let silent = try LoopbackServer { _ in .hang }
            let program = try Program(
                try Program.path(to: "unshare"),
                Self.namespace + [
                    "/bin/sh", "-c", #"mount --bind "$1" /etc/ssl/certs/ca-certificates.crt && shift && exec "$@""#, "sh", certificate,
                    driver,
                    "https://localhost:\(port)", "http://127.0.0.1:\(onward.adminPort)",
                    // No listener, a certificate of another name, and no answer.
                    "https://localhost:1", "https://127.0.0.1:\(port)", silent.base.origin.replacing("http:", with: "https:"),
                ])
            let lines = try await program.linesToEnd()
            #expect(lines.last == "done" && lines.count > 35)
        }

        private static let namespace = ["--map-root-user", "--mount"]

        /// Whether this user may make a mount namespace, as on Debian.
        private static let mayMount =
            (try? Program.output(
                of: Program.path(to: "unshare"), namespace + ["/bin/sh", "-c", "mount --bind /etc/hostname /etc/hosts && echo yes"]))
            == "yes\n"

        /// Compiles the file as it is, as an app in Swift 6 mode would.
        private static func driver(in folder: TemporaryFolder) throws -> String {
            let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            let compiler = try Program.path(to: "swiftc")
            func path(_ file: String) -> String { sources.appending(path: file).path }
            let strict = ["-swift-version", "6", "-warnings-as-errors", "-parse-as-library"]
            let module = try Program.output(
                of: compiler,
                strict + [
                    "-emit-library", "-emit-module", "-emit-module-path", folder.path + "/GTMSessionFetcherCore.swiftmodule",
                    "-module-name",
                    "GTMSessionFetcherCore", "-o", folder.path + "/libGTMSessionFetcherCore.so",
                    path("Tests/Clients/apple/GTMSessionFetcherCore.swift"),
                ])
            #expect(module == "")
            let program = try Program.output(
                of: compiler,
                strict + [
                    "-I", folder.path, "-L", folder.path, "-lGTMSessionFetcherCore", "-Xlinker", "-rpath", "-Xlinker", folder.path, "-o",
                    folder.path + "/driver", path("Clients/Apple/OnwardTransport.swift"), path("Tests/Clients/apple/Driver.swift"),
                ])
            #expect(program == "")
            // As Xcode 26 makes apps, and as older apps are.
            for mode in [["-swift-version", "6", "-default-isolation", "MainActor"], ["-swift-version", "5"]] {
                let checked = try Program.output(
                    of: compiler,
                    mode + ["-warnings-as-errors", "-typecheck", "-I", folder.path, path("Clients/Apple/OnwardTransport.swift")])
                #expect(checked == "")
            }
            return folder.path + "/driver"
        }
    }
}
