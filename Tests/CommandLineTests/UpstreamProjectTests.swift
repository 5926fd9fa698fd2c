import Accounts
import Base
import ConfigurationSamples
import HTTPServer
import HTTPTypes
import Logging
import Remote
import Synchronization
import Testing
import World
@testable import CommandLine
@testable import Configuration
@testable import Server

/// The configuration of projects with an upstream.
@Suite struct `A project with an upstream` {
    private static func read(_ lines: String...) throws -> Configuration {
        let project = lines.map { "\n    " + $0 }.joined()
        return try Configuration(sample: Configuration.sampleYAML.replacing("\n    authorizedDomains: [one.example.com]", with: project))
    }

    @Test func `has its codes at the upstream, and its domains from the file or the upstream`() throws {
        let authority = "authority: https://identitytoolkit.googleapis.com"
        let own = try Self.read("authority: local", "authorizedDomains: [one.example.com]").projects[0]
        #expect(own.upstream == nil)
        let listed = try Self.read(authority, "authorizedDomains: [one.example.com]").projects[0]
        #expect(listed.upstream?.base.serialized == "https://identitytoolkit.googleapis.com/")
        #expect(listed.upstream?.domains == .file)
        #expect(listed.authorizedDomains.texts == ["one.example.com"])
        let read = try Self.read(authority, "authorizedDomains: upstream").projects[0]
        #expect(read.upstream?.domains == .awaited)
        #expect(read.authorizedDomains.texts == [])
    }

    @Test(arguments: [
        (["authority: http://identitytoolkit.googleapis.com", "authorizedDomains: []"], "plain http is for localhost only"),
        (["authority: nowhere", "authorizedDomains: []"], "expected local, or the URL of an Identity Toolkit"),
        (["authority: https://a.example/?key=1", "authorizedDomains: []"], "without ? and #"),
        (["authorizedDomains: upstream"], "the value upstream requires an authority"),
        (["authority: local", "authorizedDomains: upstream"], "the value upstream requires an authority"),
    ])
    func `is refused with an invalid authority`(_ lines: [String], _ said: String) {
        let yaml = Configuration.sampleYAML.replacing(
            "\n    authorizedDomains: [one.example.com]", with: lines.map { "\n    " + $0 }.joined())
        #expect { try Configuration(sample: yaml) } throws: { "\($0)".contains(said) }
    }

    @Test func `passes Firebase's helper pages on only if firebaseHelpers says so`() throws {
        func helpers(_ value: String) throws -> String? {
            try Self.read("authority: https://identitytoolkit.googleapis.com", "authorizedDomains: upstream", "firebaseHelpers: \(value)")
                .projects[0].upstream?.helpers?.origin
        }
        #expect(try helpers("true") == "https://one.firebaseapp.com")
        #expect(try helpers("false") == nil)
        #expect(try helpers("one.web.app") == "https://one.web.app")
        #expect(try helpers("\"http://127.0.0.1:5000\"") == "http://127.0.0.1:5000")
        for bad in ["yes", "no", "FALSE", "shop", "a.example/path", "\"http://a.example\"", "\"https://a.example/?x\"", "\"a b\""] {
            #expect { try helpers(bad) } throws: { "\($0)".contains("a host such as my-app.firebaseapp.com") }
        }
    }

    /// Y12: Google's scripts run at the origin.
    @Test func `is refused firebaseHelpers beside a project whose accounts are local`() throws {
        let one = ["authority: https://identitytoolkit.googleapis.com", "authorizedDomains: upstream", "firebaseHelpers: true"]
        func problem(_ lines: [String], second: [String]? = nil) -> String {
            let more =
                second.map { "\n  - id: two\n    displayName: Two\n    apiKeys: [two-key-1]" + $0.map { "\n    " + $0 }.joined() } ?? ""
            let yaml = Configuration.sampleYAML.replacing(
                "\n    authorizedDomains: [one.example.com]", with: lines.map { "\n    " + $0 }.joined() + more)
            do { return try Configuration(sample: yaml).projects.description.isEmpty ? "" : "none" } catch { return "\(error)" }
        }
        #expect(problem(one) == "none" && problem(one, second: Array(one.prefix(2))) == "none")
        #expect(problem(["authorizedDomains: []", "firebaseHelpers: true"]).contains("requires an authority other than local"))
        #expect(problem(one, second: ["authorizedDomains: []"]).contains("the origin of the project two, whose accounts are here"))
        #expect(problem(one, second: one).contains("another project has it"))
    }

    /// Y11: one mistake is reported once.
    @Test func `with an invalid authority gets no second error`() {
        let lines = ["authority: http://one.example", "authorizedDomains: upstream"]
        let yaml = Configuration.sampleYAML.replacing(
            "\n    authorizedDomains: [one.example.com]", with: lines.map { "\n    " + $0 }.joined())
        #expect { try Configuration(sample: yaml) } throws: { !"\($0)".contains("requires an authority") }
    }

    /// Y11: an emulator in docker-compose.
    @Test(arguments: [
        ("http://firebase:9099", true), ("http://10.1.2.3:9099", true), ("http://172.31.0.2", true), ("http://192.168.0.1", true),
        ("http://[fd00::1]:9099", true), ("http://host.docker.internal:9099", true), ("http://172.32.0.1", false),
        ("http://8.8.8.8", false), ("http://firebase.example", false),
    ])
    func `is reached by plain http on a private network if the file says so`(_ base: String, isPrivate: Bool) {
        func reads(_ lines: String...) -> Bool {
            (try? Self.read("authority: \"\(base)\"", "authorizedDomains: []", lines.joined())) != nil
        }
        #expect(reads("allowPlainHTTPUpstream: true") == isPrivate)
        #expect(!reads("allowPlainHTTPUpstream: false"))
    }

    /// Y8: Firebase accepts passwords of six characters.
    @Test func `demands no more of a password than its upstream, unless the file does`() throws {
        let lines = ["authority: https://identitytoolkit.googleapis.com", "authorizedDomains: []"]
        #expect(try Self.read(lines[0], lines[1]).projects[0].passwordPolicy.minimumLength == 6)
        #expect(try Self.read(lines[0], lines[1], "passwords: {minimumLength: 12}").projects[0].passwordPolicy.minimumLength == 12)
        #expect(try Self.read("authority: local", lines[1]).projects[0].passwordPolicy.minimumLength == 8)
    }

    /// An upstream with given responses.
    private func withUpstream(
        _ answer: @escaping @Sendable (_ key: String) -> (Int, String), _ body: (WebURL) async throws -> Void
    ) async throws {
        let server = HTTPServer(addresses: [ListenAddress(host: "127.0.0.1", port: 0)], logger: Logger(label: "test")) { request, _, _ in
            let (status, text) = answer(String((request.path ?? "").split(separator: "=").last ?? ""))
            return (HTTPResponse(status: .init(code: status)), Array(text.utf8))
        }
        let port = try #require(try await server.start().first).port
        try await body(try WebURL("http://127.0.0.1:\(port)"))
        await server.stop()
    }

    @Test func `is checked with each API key`() async throws {
        try await withUpstream { key in
            key == "good-key-1"
                ? (200, #"{"projectId":"1","authorizedDomains":["localhost","app.example","*.x"]}"#)
                : (400, #"{"error":{"message":"API key not valid.","details":[{"reason":"API_KEY_INVALID"}]}}"#)
        } _: { base in
            var project = try Self.read("authorizedDomains: []").projects[0]
            project.apiKeys = ["good-key-1", "stale-key-2"]
            project.upstream = UpstreamProject(base: base, domains: .awaited)
            let report = await UpstreamReport(of: project)
            #expect(!report.isUsable)
            let lines = report.lines
            #expect(lines.count == 4)
            #expect(lines[0] == "project one: API key good-key-1 works. Authorized domains of the upstream: localhost, app.example, *.x")
            #expect(lines[1].hasSuffix("*.x"))
            #expect(
                lines[2] == "project one: API key stale-key-2 does not work: \(base.origin): the response is an error: 400 API_KEY_INVALID")
            #expect(lines[3].hasSuffix("enter https://auth.example.com/__/auth/action"))
            project.upstream = nil
            #expect(await UpstreamReport(of: project).lines.isEmpty)
        }
    }

    @Test(arguments: [200, 404])
    func `has the host of firebaseHelpers asked for its script by check-config`(_ status: Int) async throws {
        try await withUpstream { key in
            key == "good-key-1" ? (200, #"{"projectId":"1","authorizedDomains":["app.example"]}"#) : (status, "script")
        } _: { base in
            var project = try Self.read("authorizedDomains: []").projects[0]
            project.apiKeys = ["good-key-1"]
            project.upstream = UpstreamProject(base: base, domains: .file, helpers: base)
            let report = await UpstreamReport(of: project)
            let fault = "firebaseHelpers does not work: \(base.origin)/__/auth/handler.js has status 404"
            #expect(report.isUsable == (status == 200))
            #expect(
                report.lines.dropLast().last == "project one: " + (status == 200 ? "firebaseHelpers: \(base.origin) has the pages" : fault))
        }
    }

    /// Y11: which of the two to mend.
    @Test(arguments: [
        (404, #"{"error":{"code":404,"message":"Not Found","status":"NOT_FOUND"}}"#, true), (200, "<html>", true), (404, "no page", true),
        (503, "", true), (403, #"{"error":{"message":"Forbidden","details":[{"reason":"API_KEY_SERVICE_BLOCKED"}]}}"#, false),
    ])
    func `is checked for a wrong base URL, apart from its keys`(_ status: Int, _ text: String, isBase: Bool) async throws {
        try await withUpstream { _ in
            (status, text)
        } _: { base in
            var project = try Self.read("authorizedDomains: []").projects[0]
            project.apiKeys = ["good-key-1"]
            project.upstream = UpstreamProject(base: base, domains: .awaited)
            let report = await UpstreamReport(of: project)
            let part = isBase ? "authority \(base.serialized)" : "API key good-key-1"
            #expect(!report.isUsable && report.lines[0].hasPrefix("project one: \(part) does not work: "))
            #expect(report.lines[0].contains("check the base URL") == (isBase && status != 503))
        }
    }

    /// Y8: an upstream that was down at the start is asked again soon, one without rules is not.
    @Test func `has the rules for passwords of its upstream as soon as that answers`() async throws {
        let said = Mutex((500, ""))
        let asked = Mutex(0)
        try await withUpstream { _ in
            asked.withLock { $0 += 1 }
            return said.withLock { $0 }
        } _: { base in
            let world = try await World { $0.upstream = UpstreamProject(base: base, domains: .file) }
            let projects = world.current(Projects([world.project]))
            let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let upstreams = Upstreams(uptime: world.clock.uptime, logger: quiet)
            let watch = UpstreamWatch(projects: { projects }, upstreams: upstreams, logger: quiet)
            func rules() -> PasswordRequirements? { projects.value[world.project.id]?.upstream?.passwords }
            await watch.refresh()
            #expect(rules() == nil)
            said.withLock { $0 = (501, #"{"error":{"code":501,"message":"Not implemented","status":"NOT_IMPLEMENTED"}}"#) }
            await watch.refresh(onlyAwaited: true)
            #expect(rules() == PasswordRequirements())
            await watch.refresh(onlyAwaited: true)
            #expect(asked.withLock { $0 } == 2)
            said.withLock { $0 = (200, #"{"customStrengthOptions":{"minPasswordLength":12},"enforcementState":"ENFORCE"}"#) }
            await watch.refresh()
            for failure in [(500, ""), (429, #"{"error":{"message":"RESOURCE_EXHAUSTED"}}"#), (200, "nonsense")] {
                said.withLock { $0 = failure }
                await watch.refresh()
                #expect(rules()?.minimumLength == 12)
            }
            // Pages work without it, so it is no trouble of the upstream.
            #expect(upstreams.outages(among: projects.value).isEmpty)
        }
    }

    /// Y8: a rule that was relaxed must not refuse a password without asking the upstream.
    @Test func `forgets the rules that refusals named, although its upstream tells none`() async throws {
        try await withUpstream { _ in
            (200, #"{"requestType":"PASSWORD_RESET","email":"ada@app.example"}"#)
        } _: { base in
            let world = try await World { $0.upstream = UpstreamProject(base: base, domains: .file) }
            let projects = world.current(Projects([world.project]))
            let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let upstreams = Upstreams(uptime: world.clock.uptime, logger: quiet)
            let watch = UpstreamWatch(projects: { projects }, upstreams: upstreams, logger: quiet)
            let accounts = world.accounts(signedWith: nil, upstreams: { upstreams[base: $0] })
            let code = try #require(OobCode(ofAnyAuthority: String(repeating: "a", count: 54)))
            let link = ActionLink(action: .resetPassword, code: code, apiKey: "shop-key")
            func pending() async throws -> PendingAction {
                try await accounts.inspect(link, in: try #require(projects.value[world.project.id])).pending()
            }
            projects.learn(PasswordRequirements(minimumLength: 19), from: try await pending())
            #expect(try await pending().passwordPolicy.minimumLength == 19)
            await watch.refresh(onlyAwaited: true)
            #expect(try await pending().passwordPolicy.minimumLength == 19)
            await watch.refresh()
            #expect(try await pending().passwordPolicy.minimumLength < 19)
        }
    }

    @Test func `follows the domains of its upstream, and keeps the last list`() async throws {
        let said = Mutex((500, ""))
        try await withUpstream { _ in
            said.withLock { $0 }
        } _: { base in
            let world = try await World { $0.upstream = UpstreamProject(base: base, domains: .awaited) }
            let projects = world.current(Projects([world.project]))
            let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let watch = UpstreamWatch(
                projects: { projects }, upstreams: Upstreams(uptime: world.clock.uptime, logger: quiet), logger: quiet)
            func project() throws -> Project { try #require(projects.value[world.project.id]) }
            await watch.refresh()
            #expect(try project().upstream?.domains == .awaited)
            for list in [["app.example"], ["app.example", "more.example"]] {
                said.withLock { $0 = (200, #"{"projectId":"1","authorizedDomains":\#(list)}"#) }
                await watch.refresh()
                #expect(try project().upstream?.domains == .read)
                #expect(try project().authorizedDomains.texts == list)
            }
            for bad in [(500, ""), (200, "nonsense"), (403, "{}")] {
                said.withLock { $0 = bad }
                await watch.refresh()
                #expect(try project().authorizedDomains.texts == ["app.example", "more.example"])
            }
            // So does a reload, as long as it is the same upstream.
            let reloaded = world.current(Projects([world.project]))
            reloaded.inheritUpstreams(of: projects.value)
            #expect(reloaded.value[world.project.id]?.authorizedDomains.texts == ["app.example", "more.example"])
            // All projects of Firebase have one base URL.
            var replaced = world.project
            replaced.apiKeys = ["another-key"]
            let beside = world.current(Projects([replaced]))
            beside.inheritUpstreams(of: projects.value)
            #expect(beside.value[world.project.id]?.upstream?.domains == .awaited)
            var moved = world.project
            moved.upstream = UpstreamProject(base: try WebURL("https://other.example"), domains: .awaited)
            let elsewhere = world.current(Projects([moved]))
            elsewhere.inheritUpstreams(of: projects.value)
            #expect(elsewhere.value[world.project.id]?.upstream?.domains == .awaited)
        }
    }
}
