import Foundation
import Testing
import World

extension `Onward from end to end` {
    @Suite struct `A reload by SIGHUP` {
        /// Z3: each page is built from one version of the file, however often it is reloaded during
        /// the request.
        @Test func `is atomic, and no request fails by it`() async throws {
            let folder = try TemporaryFolder()
            let server = try await ProductionServer(in: folder)
            defer { server.program.signal(SIGKILL) }
            let page = "/__/auth/action?mode=resetPassword&apiKey=shop-key-1&oobCode=" + String(repeating: "A", count: 43)
            let names = (0..<12).map { $0 == 0 ? "Shop" : "Name\($0)" }
            try server.reload(
                replacing: "projects:\n  - {id: shop, displayName: Shop",
                with: """
                    abuseLimits: {wrongCodesPerSource: off}
                    projects:
                      - {id: shop, displayName: Shop, brand: {help: help@shop.example.com}
                    """)
            _ = try await server.program.first(#/(configuration reloaded)/#)
            let report = try await LoadGenerator.run(
                page, at: server.port,
                objection: { reply in
                    let shown = names.filter { reply.body.contains(">\($0)<") }
                    guard reply.status == 400 || reply.status == 404 || reply.status == 410, shown.count == 1,
                        reply.body.contains("help@\(shown[0].lowercased()).example.com")
                    else { return "\(reply.status): \(shown) \(reply.body)" }
                    return nil
                }
            ) {
                for (old, new) in zip(names, names.dropFirst()) {
                    try server.reload(
                        replacing: "\(old), brand: {help: help@\(old.lowercased())", with: "\(new), brand: {help: help@\(new.lowercased())")
                    _ = try await server.program.first(#/(configuration reloaded)/#)
                }
            }
            #expect(report.objections.isEmpty, "\(report.objections.count) of \(report.replies): \(report.objections.first ?? "")")
            #expect(report.replies > 100)
            server.program.signal(SIGTERM)
            #expect(await server.program.status == 0)
        }

        /// Z3, Z6.
        @Test func `changes nothing when the file is wrong, and says where and why`() async throws {
            let folder = try TemporaryFolder()
            let server = try await ProductionServer(in: folder)
            defer { server.program.signal(SIGKILL) }
            let domains = "/identitytoolkit.googleapis.com/v1/projects?key=shop-key-1"
            func answer() async throws -> String {
                try await HTTP.send("GET", "http://127.0.0.1:\(server.port)\(domains)", headers: ["Host": ProductionServer.host]).body
            }
            try server.reload(replacing: "[example.com]", with: "[other.example.com], colour: red")
            let problem = try await server.program.first(#/configuration reload failed[^"]*","problem":"([^"]*)"/#)
            #expect(problem.contains("onward.yaml:8:") && problem.contains("projects[0].colour: unknown key"), "\(problem)")
            #expect(try await answer().contains("\"example.com\""))

            // What only a restart can change is named, and the rest is in force.
            try server.reload(replacing: ", colour: red", with: "")
            try server.reload(replacing: "listen: [\"127.0.0.1:0\"]", with: "listen: [\"127.0.0.1:1\"]")
            #expect(try await server.program.first(#/some keys need a restart","keys":\[([^\]]*)\]/#) == #""listen""#)
            #expect(try await answer().contains("\"other.example.com\""))
            server.program.signal(SIGTERM)
            #expect(await server.program.status == 0)
        }
    }
}
