import Accounts
import Base
import HTTPTypes
import Store
import Testing
import World
@testable import Web

@Suite struct `A change by an admin` {
    private func patch(_ api: API, _ body: JSON, mask: String = "", project: String = "shop") async throws -> (status: Int, json: JSON) {
        let answer = await api.respond(
            .patch, "/v2/projects/\(project)/config" + (mask.isEmpty ? "" : "?updateMask=\(mask)"),
            headers: [.contentType: "application/json", .authorization: "Bearer owner"], body: body.bytes)
        return (answer.status.code, try JSON(answer.body))
    }

    private func asking(for url: String) -> JSON {
        .object(["requestType": "PASSWORD_RESET", "email": "ada@example.com", "continueUrl": .string(url)])
    }

    @Test func `a change by an admin is in force with the next request`() async throws {
        let api = try await API()
        let page = asking(for: "https://new.example/")
        #expect(await api.call("accounts:sendOobCode", page).json.errorCode == "UNAUTHORIZED_DOMAIN")
        #expect(try await patch(api, .object(["authorizedDomains": .array(["new.example"])])).status == 200)
        #expect(await api.call("accounts:sendOobCode", page).status == 200)
        #expect(await api.call("accounts:sendOobCode", asking(for: "https://app.example/")).json.errorCode == "UNAUTHORIZED_DOMAIN")
    }

    @Test(arguments: [
        (JSON.object(["anonymous": .object(["enabled": .bool(false)])]), "accounts:signUp", JSON.object([]), "ADMIN_ONLY_OPERATION"),
        (
            .object(["email": .object(["enabled": .bool(false)])]), "accounts:signInWithPassword",
            .object(["email": "ada@example.com", "password": .string(API.password)]), "PASSWORD_LOGIN_DISABLED"
        ),
        (
            .object(["email": .object(["passwordRequired": .bool(true)])]), "accounts:sendOobCode",
            .object(["requestType": "EMAIL_SIGNIN", "continueUrl": "https://app.example/", "email": "ada@example.com"]),
            "OPERATION_NOT_ALLOWED"
        ),
    ])
    func `a change of the sign-in methods by an admin closes them`(_ signIn: JSON, _ method: String, _ body: JSON, _ refusal: String)
        async throws
    {
        let api = try await API()
        #expect(await api.call(method, body).status == 200)
        #expect(try await patch(api, .object(["signIn": signIn])).status == 200)
        #expect(await api.call(method, body).json.errorCode == refusal)
        #expect(try await patch(api, .object([]), mask: "signIn").status == 200)
        #expect(await api.call(method, body).status == 200)
    }

    /// As the Admin SDKs spell `client.permissions`. False is no third kind of closed: a file that
    /// says so is overruled.
    @Test(arguments: [Project.SignUps.open, .byLink, .closed])
    func `a change of the permissions by an admin closes sign-ups and opens them`(_ file: Project.SignUps) async throws {
        let api = try await API(change: { $0.signUps = file })
        func set(_ permissions: JSON) async throws -> JSON {
            try await patch(api, .object(["client": .object(["permissions": permissions])])).json["client", "permissions"] ?? .null
        }
        let signUp = JSON.object(["email": "new@example.com", "password": .string(API.password)])
        let before: JSON = .object(["disabledUserSignup": .bool(file == .closed), "disabledUserDeletion": .bool(false)])
        #expect(try await patch(api, .object([])).json["client", "permissions"] == before)
        #expect(try await set(.object(["disabledUserSignup": .bool(true)]))["disabledUserSignup"] == .bool(true))
        #expect(await api.call("accounts:signUp", signUp).json.errorCode == "ADMIN_ONLY_OPERATION")
        #expect(try await set(.object(["disabledUserSignup": .bool(false)]))["disabledUserSignup"] == .bool(false))
        #expect(await api.call("accounts:signUp", signUp).json.errorCode == (file == .byLink ? "ADMIN_ONLY_OPERATION" : nil))
        #expect(try await patch(api, .object([]), mask: "client.permissions").json["client", "permissions"] == before)
    }

    @Test func `a change of the permissions by an admin leaves deletions to admins`() async throws {
        let api = try await API()
        let permissions = JSON.object(["client": .object(["permissions": .object(["disabledUserDeletion": .bool(true)])])])
        #expect(try await patch(api, permissions).status == 200)
        let own = JSON.object(["idToken": .string(try await api.filledIn("{idToken grace}"))])
        #expect(await api.call("accounts:delete", own).json.errorCode == "ADMIN_ONLY_OPERATION")
        let byAdmin = await api.respond(
            .post, "/v1/projects/shop/accounts:delete", headers: [.contentType: "application/json", .authorization: "Bearer owner"],
            body: JSON.object(["localId": "grace"]).bytes)
        #expect(byAdmin.status == .ok)
    }

    @Test func `a change of the action URL by an admin is used in new links`() async throws {
        let api = try await API()
        let body = JSON.object([
            "notification": .object(["sendEmail": .object(["callbackUri": "https://own.example/handler"])])
        ])
        #expect(try await patch(api, body).status == 200)
        #expect(await api.call("accounts:sendOobCode", asking(for: "https://app.example/")).status == 200)
        #expect(try await api.world.mails().first?.link?.hasPrefix("https://own.example/handler?") == true)
    }

    /// R9, R10: after a domain was removed, links no longer continue there, but their actions still
    /// work.
    @Test func `a change of the domains by an admin applies to links that were sent before`() async throws {
        let visitor = try await Visitor()
        var settings = ActionCodeSettings()
        settings.url = "https://app.example/welcome"
        let code = try await visitor.world.issue(.verifyEmail, settings: settings)
        _ = try await visitor.site.identityToolkit.projects.change(visitor.world.project.id) { settings throws(ActionError) in
            settings.authorizedDomains = ["elsewhere.example"]
        }
        let page = await visitor.open(code, .verifyEmail)
        #expect(page.status == 200)
        let done = try await visitor.press(page)
        #expect(done.location?.hasPrefix("/__/auth/done") == true)
        let last = await visitor.ask(.get, done.location ?? "")
        #expect(!(page.text + last.text).contains("app.example/") && !(page.text + last.text).contains(">app.example<"))
        let ada = try await visitor.world.stored(AccountID(rawValue: "ada"))
        #expect(ada?.emailVerified == true)
    }

    /// A list that was shortened stays short if a mask is mistyped.
    @Test(arguments: [".", "..", ".authorizedDomains", "authorizedDomains.", "authorizedDomains..x", "authorized.Domains", "%20", "%00"])
    func `a change by an admin with an unknown path resets nothing`(_ mask: String) async throws {
        let api = try await API()
        #expect(try await patch(api, .object(["authorizedDomains": .array(["new.example"])])).status == 200)
        #expect(try await patch(api, .object([]), mask: mask).json["authorizedDomains"] == .array(["new.example"]))
    }

    @Test func `a change by an admin survives a restart, and is seen by other processes`() async throws {
        let api = try await API()
        let other = api.world.current(Projects([api.world.project]))
        #expect(try await patch(api, .object(["authorizedDomains": .array(["new.example"])])).status == 200)
        #expect(other.value[api.world.project.id]?.authorizedDomains.texts.contains("new.example") == false)
        #expect(try await other.refresh() == [])
        #expect(other.value[api.world.project.id]?.authorizedDomains.texts == ["new.example"])
        #expect(try await patch(api, .object([]), mask: "authorizedDomains").status == 200)
        _ = try await other.refresh()
        #expect(other.value[api.world.project.id]?.authorizedDomains.texts == api.world.project.authorizedDomains.texts)
    }

    @Test func `a change by an admin is not lost among many concurrent changes`() async throws {
        let api = try await API()
        let lines = ["senderDisplayName", "subject"]
        let templates = ["resetPasswordTemplate", "verifyEmailTemplate", "changeEmailTemplate", "signInTemplate"]
        try await withThrowingTaskGroup(of: Int.self) { group in
            for template in templates {
                for line in lines {
                    group.addTask {
                        let body = JSON.object([
                            "notification": .object(["sendEmail": .object([template: .object([line: .string("\(template) \(line)")])])])
                        ])
                        return try await patch(api, body, mask: "notification.sendEmail.\(template).\(line)").status
                    }
                }
            }
            for try await status in group { #expect(status == 200) }
        }
        let now = try await patch(api, .object([])).json
        for template in templates {
            for line in lines { #expect(now["notification", "sendEmail", template, line] == .string("\(template) \(line)")) }
        }
        let restarted = api.world.current(Projects([api.world.project]))
        _ = try await restarted.refresh()
        let project = try #require(restarted.value[api.world.project.id])
        #expect(ConfigField.config(of: project, named: "shop")["notification"] == now["notification"])
    }

    @Test func `a change by an admin that is refused changes nothing else of the same call`() async throws {
        let api = try await API()
        let body = JSON.object([
            "authorizedDomains": .array(["new.example", "co.uk"]), "signIn": .object(["anonymous": .object(["enabled": .bool(false)])]),
        ])
        let before = try await patch(api, .object([])).json
        #expect(try await patch(api, body).json.errorCode == "INVALID_CONFIG")
        #expect(try await patch(api, .object([])).json == before)
    }

    /// A server starts although its file no longer fits the settings of admins, and logs what it
    /// ignores.
    @Test func `a change by an admin that no longer fits the file is ignored, and nothing else is`() async throws {
        let world = try await World()
        _ = try await world.current(Projects([world.project])).change(world.project.id) { settings throws(ActionError) in
            settings.linkDomain = "links.example"
            settings.signsInAnonymously = false
        }
        var project = world.project
        project.linkDomains = []
        let restarted = world.current(Projects([project]))
        #expect(try await restarted.refresh().map(\.objection.field) == ["mobileLinksConfig.linkDomain"])
        #expect(restarted.value[project.id]?.signIn.anonymous == false)
        let later = try await restarted.change(project.id) { settings throws(ActionError) in settings.hidesAccounts = true }
        #expect(later.hidesAccounts && !later.signIn.anonymous)
    }

    /// A shortened list must not be reset to the file's because of one entry.
    @Test func `a change of the domains by an admin loses only the entry that is no longer acceptable`() async throws {
        let world = try await World()
        _ = try await world.store.changeSettings(of: world.project.id, at: world.clock.now()) { settings throws(ActionError) in
            settings.authorizedDomains = ["kept.example", "co.uk"]
        }
        let restarted = world.current(Projects([world.project]))
        #expect(try await restarted.refresh().map(\.objection.field) == ["authorizedDomains"])
        #expect(restarted.value[world.project.id]?.authorizedDomains.texts == ["kept.example"])
    }

    @Test func `a change by an admin affects one project, of any name in development`() async throws {
        let api = try await API()
        let body = JSON.object(["emailPrivacyConfig": .object(["enableImprovedEmailPrivacy": .bool(true)])])
        #expect(try await patch(api, body, project: "other").status == 200)
        #expect(api.site.identityToolkit.projects.value[ProjectID(rawValue: "other")]?.hidesAccounts == true)
        #expect(api.site.identityToolkit.projects.value.project(apiKey: "onward-dev-other")?.hidesAccounts == true)
        #expect(api.site.identityToolkit.projects.value.project(apiKey: "any")?.hidesAccounts == false)
        let emulator = try JSON(await api.respond(.get, "/emulator/v1/projects/other/config").body)
        #expect(emulator["emailPrivacyConfig", "enableImprovedEmailPrivacy"] == .bool(true))
    }
}
