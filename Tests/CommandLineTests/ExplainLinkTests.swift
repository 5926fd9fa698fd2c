import Accounts
import AppLinks
import Base
import Testing
@testable import CommandLine
@testable import Configuration

@Suite struct `onward explain-link` {
    private func project() throws -> Project {
        var project = Project(
            id: ProjectID(rawValue: "one"), displayName: "One", authorizedDomains: try AuthorizedDomains(["example.com"]),
            actionURL: try WebURL("https://auth.example.com/__/auth/action"))
        project.linkDomains = [try LinkDomain("links.example.com")]
        project.apps = try RegisteredApps(
            apple: [AppleApp(bundleID: "com.example.app", teamID: "ABCDE12345", appStoreID: "123", customSchemes: ["com.example.app"])])
        return project
    }

    @Test func `prints the decision and its URLs`() throws {
        let project = try project()
        let approved = try project.approve(appLink: "https://links.example.com/?link=https://example.com/x&ibi=com.example.app")
        let (name, device) = try #require(try ExplainLink.devices(named: "iPhone").first)
        #expect(
            ExplainLink.text(of: LinkDecision(approved, on: device), on: name, in: project) == """
                one, iphone: The app did not open by itself, so a page offers it. Without the app: its store.
                    open  com.example.app://google/link?deep_link_id=https%3A%2F%2Fexample.com%2Fx
                    get   https://apps.apple.com/app/id123
                    web   https://example.com/x
                """)
    }

    @Test func `says why a link is refused`() throws {
        let refusal = #expect(throws: AppLinkRefusal.self) {
            try project().approve(appLink: "https://links.example.com/?link=https://evil.example/")
        }
        #expect(
            refusal?.explanation
                == "The parameter link is refused. No authorised domain covers evil.example at this port; the entry \"evil.example\" would."
        )
    }

    @Test func `explains the long link behind a short one`() async throws {
        let setup = try `Short links`.Setup()
        let configuration = try Configuration(file: setup.file("onward.yaml"), environment: nil)
        let project = try #require(configuration.projects.first)
        func short(_ url: String) async throws -> ShortLink? {
            try await ExplainLink.shortLink(url, of: project, in: configuration)
        }
        let url = "https://links.example.com/spring"
        #expect(await #expect(throws: Failure.self) { try await short(url) }?.description.contains("does not exist") == true)

        try await setup.createDatabase()
        let long = "https://links.example.com/?link=https://one.example.com/x&apn=com.example.app"
        #expect(try await setup.run(LinksCommand.self, "create", long, "--path", "/spring") == 0)
        for other in [long, "https://links.example.com/__/auth/links?link=x"] { #expect(try await short(other) == nil) }
        let found = try #require(try await short(url + "?d=1"))
        let approved = try ExplainLink.approved(url + "?utm_source=mail&link=https://evil.example/", found, in: project)
        #expect(LinkDecision(approved, on: LinkDevice(.desktop)).targets.map(\.url) == ["https://one.example.com/x?utm_source=mail"])
        #expect(try await setup.run(ExplainLink.self, url, "--device", "android") == 0)

        #expect(try await setup.run(LinksCommand.self, "disable", url) == 0)
        #expect(await #expect(throws: Failure.self) { try await short(url) }?.description.contains("onward links enable \(url)") == true)
        #expect(await #expect(throws: Failure.self) { try await short(url + "x") }?.description.contains("there is no short link") == true)
        #expect(try await setup.run(ExplainLink.self, url) == 1)
    }

    @Test func `finds the project by the link domain`() throws {
        let projects = Projects([try project()])
        #expect(try ExplainLink.project(of: "https://links.example.com/?link=x", among: projects).id.rawValue == "one")
        #expect(try ExplainLink.project(of: "https://links.example.com/?link=x&utm_campaign=50%", among: projects).id.rawValue == "one")
        for (url, sentence) in [
            ("https://other.example/?link=x", "https://other.example is not a link domain; expected one of https://links.example.com"),
            ("links.example.com", "the link cannot be read: "),
        ] {
            let failure = #expect(throws: Failure.self) { try ExplainLink.project(of: url, among: projects) }
            #expect(failure?.description.hasPrefix(sentence) == true)
        }
    }

    @Test func `knows devices by name and by User-Agent`() throws {
        #expect(try ExplainLink.devices(named: nil).count == LinkDevice.examples.count)
        for name in ["iphone", "ipad", "android", "desktop", "program"] {
            #expect(try ExplainLink.devices(named: name).map(\.name) == [name])
        }
        let pixel = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36"
        #expect(try ExplainLink.devices(named: pixel).map(\.device) == [LinkDevice(.android)])
        let failure = #expect(throws: Failure.self) { try ExplainLink.devices(named: "iphnoe") }
        #expect(failure?.description.hasPrefix("unknown device iphnoe; expected one of iphone,") == true)
    }
}
