import Accounts
import AppLinks
import Base
import Foundation
import HTTPTypes
import Testing
import World

/// Each mailed link from the mail to its end, through the whole site, on each device.
@Suite struct `A mailed link on each device` {
    /// The first to open: `canHandleCodeInApp` of the action code settings.
    enum First: CaseIterable { case app, web }

    static let devices = [
        "iphone", "android", "desktop",
        "Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
    ]
    static let goal = "https://app.example/welcome?say=%C3%A9&mode=x"

    /// A user with a mailed link and a device, and where the browser has been.
    private struct Reader {
        let visitor: Visitor
        let agent: String
        /// The ways that the page of an app link offered to open the app.
        var offered: [String] = []
        var pressed = false

        init(_ visitor: Visitor, on device: String) {
            (self.visitor, agent) = (visitor, `An app link that opened in a browser`.agents[device] ?? device)
        }

        /// Follows a link without the app, presses the button of its page, and returns the address
        /// at which the browser ends.
        mutating func follow(_ text: String) async throws -> String {
            var address = text
            for _ in 0..<6 {
                let url = try WebURL(address)
                let host = try #require(url.host?.serialized)
                guard ["auth.example", "links.example", "links.example.net"].contains(host), url.path != "/__/auth/done" else {
                    return address
                }
                let path = url.path + (url.query.map { "?" + $0 } ?? "")
                let headers: [HTTPField.Name: String] = [.userAgent: agent, .secFetchSite: "same-origin"]
                let reply = await visitor.ask(.get, path, host: host, headers: headers)
                if let location = reply.location {
                    address = location
                } else if host == "auth.example" {
                    #expect(reply.status == 200)
                    pressed = true
                    let isReset = reply.text.contains("name=\"newPassword\"")
                    let next = try await visitor.press(
                        reply, typing: isReset ? [("newPassword", "a quiet long phrase")] : [], headers: headers)
                    address = try #require(next.location, "\(next.text)")
                    if address.hasPrefix("/") { address = "https://auth.example" + address }
                } else {
                    #expect(reply.status == 200)
                    let ways = reply.text.matches(of: #/<a (?:class="button[^"]*" )?href="([^"]*)"/#).map {
                        String($0.1.replacing("&amp;", with: "&"))
                    }
                    offered += ways.dropLast()
                    address = try #require(ways.last)
                }
            }
            throw GoesInCircles()
        }
    }

    private struct GoesInCircles: Error {}

    /// - Returns: a visitor of a project with two link domains, and the mailed link.
    private func mailed(_ action: Action, _ first: First, form: AppLink.LinkForm = .hosting) async throws -> (world: World, link: String) {
        let world = try await World {
            $0.linkDomains.append(try LinkDomain("links.example.net"))
            $0.apps = try RegisteredApps(
                apple: [
                    AppleApp(
                        bundleID: "com.example.shop", teamID: "ABCDE12345", appStoreID: "123", customSchemes: ["com.example.shop"])
                ],
                android: [AndroidApp(packageName: "com.example.shop", sha256Fingerprints: [])], linkForm: form)
        }
        var settings = ActionCodeSettings()
        settings.url = Self.goal
        settings.iOSBundleID = "com.example.shop"
        settings.androidPackageName = "com.example.shop"
        settings.handleCodeInApp = first == .app
        _ = try await world.issue(action, settings: settings)
        return (world, try #require(try await world.mails().first { $0.kind.action == action }?.link))
    }

    /// The payload that an app is opened with.
    private func payload(_ text: String, in world: World) throws -> String {
        var text = text
        if let match = text.wholeMatch(of: #/intent(://.*)#Intent;scheme=https;package=com\.example\.shop;.*/#) { text = "https" + match.1 }
        return try AppLink(WebURL(text), on: world.project.linkDomains, apps: world.project.apps).link.serialized
    }

    @Test(arguments: Action.allCases, First.allCases)
    func `ends where its action and its settings say`(action: Action, first: First) async throws {
        for device in Self.devices {
            let (world, link) = try await mailed(action, first)
            let code = try #require(link.firstMatch(of: #/oobCode(?:=|%3D)([\w\-]{43})/#).flatMap { OobCode(String($0.1)) })
            var reader = Reader(try await Visitor(world), on: device)
            let end = try await reader.follow(link)
            #expect(reader.pressed)

            // No client asks for an undo, so there are no settings.
            #expect(link.hasPrefix("https://links.example/") == (first == .app && !action.isUndo))
            switch action {
            case .recoverEmail, .revertSecondFactorAddition:
                #expect(end.hasPrefix("https://auth.example/__/auth/done?receipt="), "\(device): \(end)")
            case .signIn:
                #expect(end.hasPrefix(Self.goal.prefix { $0 != "?" } + "?say=%C3%A9&") && end.hasSuffix("&oobCode=" + code.text), "\(end)")
            case .verifyEmail, .resetPassword, .verifyAndChangeEmail: #expect(end == Self.goal, "\(device)")
            }
            guard case .live = try await world.inspect(code) else {
                #expect(action != .signIn)
                continue
            }
            #expect(action == .signIn)
        }
    }

    /// Phones with the app open the payload of the mailed link; others are offered the same one.
    @Test(arguments: Action.allCases.filter { !$0.isUndo }, AppLink.LinkForm.allCases)
    func `opens the app first, or after its page`(action: Action, form: AppLink.LinkForm) async throws {
        for device in Self.devices {
            let isDesktop = device == "desktop"
            var (world, link) = try await mailed(action, .app, form: form)
            var page = try payload(link, in: world)
            #expect(page.hasPrefix("https://auth.example/__/auth/action?") && page.contains("mode=\(action.rawValue)"))
            var reader = Reader(try await Visitor(world), on: device)
            _ = try await reader.follow(link)
            // A code goes through no store and no custom scheme.
            #expect(reader.offered.count == (isDesktop ? 0 : 1))
            for way in reader.offered { #expect(try payload(way, in: world) == page) }

            (world, link) = try await mailed(action, .web, form: form)
            #expect(link.hasPrefix("https://auth.example/__/auth/action?"))
            reader = Reader(try await Visitor(world), on: device)
            _ = try await reader.follow(link)
            guard action != .signIn else {
                // The page hands the code on to the continue URL, which is the app's own page.
                #expect(reader.offered.isEmpty)
                continue
            }
            page = Self.goal
            let openings = reader.offered.filter { $0.hasPrefix("intent:") || $0.hasPrefix("https://links.example.net") }
            #expect(openings.count == (isDesktop ? 0 : 1), "\(device): \(reader.offered)")
            for way in openings {
                #expect(try payload(way, in: world) == page)
                #expect(way.contains(form == .hosting ? "/__/auth/links?link=" : "/?link="))
            }
        }
    }

    /// R16: the apps of a mail may be gone from the configuration when it is read.
    @Test(arguments: Action.allCases.filter { !$0.isUndo })
    func `finds its page after its apps were removed`(action: Action) async throws {
        for device in Self.devices + ["mac", "program"] {
            var (world, link) = try await mailed(action, .app)
            let page = try payload(link, in: world)
            world.project.apps = .none
            let visitor = try await Visitor(world)
            let url = try WebURL(link)
            let agent = `An app link that opened in a browser`.agents[device] ?? device
            let reply = await visitor.ask(.get, url.path + "?" + (url.query ?? ""), host: "links.example", headers: [.userAgent: agent])
            if device == "program" {
                #expect(reply.status == 200 && reply.text.contains("href=\"\(page.replacing("&", with: "&amp;"))\""))
            } else {
                #expect(reply.status == 303 && reply.location == page, "\(device)")
            }
        }
    }
}
