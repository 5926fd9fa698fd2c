import Accounts
import AppLinks
import Base
import Store
import Testing
import World

@Suite struct `Asking for a link` {
    private let ada = AccountID(rawValue: "ada")

    private func settings(_ change: (inout ActionCodeSettings) -> Void) -> ActionCodeSettings {
        var settings = ActionCodeSettings()
        change(&settings)
        return settings
    }

    /// V2: the mails that admins have sent to many accounts wait for each other, not the users'.
    @Test func `without a network shares the turns of all such requests`() async throws {
        let world = try await World()
        _ = try await world.issue(.verifyEmail)
        _ = try await world.send(.resetPassword)
        let mails = try await world.store.mails(limit: 5)
        #expect(mails.count == 2 && mails.allSatisfy { $0.source == 0 && $0.account == ada })
    }

    /// R1, R10: The refusal names the host of the continue URL.
    @Test func `is refused if the continue URL is not authorised`() async throws {
        let world = try await World()
        do {
            _ = try await world.issue(.resetPassword, settings: settings { $0.url = "https://evil.example/" })
            Issue.record("was not refused")
        } catch ActionError.refused(let refusal, let detail) {
            #expect(refusal == .unauthorizedDomain)
            #expect(detail?.contains("evil.example") == true)
        }
        #expect(try await world.mails().isEmpty)
    }

    /// Settings that are refused, with the field that the detail names.
    static let badSettings: [(Refusal, field: String, @Sendable (inout ActionCodeSettings) -> Void)] = [
        (.invalidContinueURI, "continueUrl", { $0.url = "no url" }), (.invalidContinueURI, "continueUrl", { $0.url = "" }),
        (.invalidContinueURI, "continueUrl", { $0.url = #"https://evil.example\@app.example"# }),
        (.invalidContinueURI, "continueUrl", { $0.url = "javascript:alert(1)" }),
        (.invalidContinueURI, "continueUrl", { $0.url = "https://app.example/?" + String(repeating: "x", count: 2000) }),
        (.unauthorizedDomain, "continueUrl", { $0.url = "https://evil.example/" }),
        (.unauthorizedDomain, "continueUrl", { $0.url = "http://app.example/" }),
        (.unauthorizedDomain, "continueUrl", { $0.url = "com.evil://app.example/" }),
        (.missingAndroidPackageName, "androidInstallApp", { $0.androidInstallIfNotAvailable = true }),
        (.missingAndroidPackageName, "androidMinimumVersion", { $0.androidMinimumVersion = "12" }),
        (.missingIOSBundleID, "iOSAppStoreId", { $0.iOSAppStoreID = "123" }),
        (.invalidAppID, "androidPackageName", { $0.androidPackageName = "com.example.other" }),
        (.invalidAppID, "androidPackageName", { $0.androidPackageName = "" }),
        (.invalidAppID, "iOSBundleId", { $0.iOSBundleID = "com.example.other" }),
        (.invalidAppID, "iOSAppStoreId", { ($0.iOSBundleID, $0.iOSAppStoreID) = ("com.example.shop", "124") }),
        (.invalidHostingLinkDomain, "linkDomain", { $0.linkDomain = "links.evil.example" }),
        (.invalidHostingLinkDomain, "linkDomain", { $0.linkDomain = "https://links.example/" }),
        (.invalidDynamicLinkDomain, "dynamicLinkDomain", { $0.dynamicLinkDomain = "links.evil.example" }),
        (.invalidArgument, "androidMinimumVersion", { ($0.androidPackageName, $0.androidMinimumVersion) = ("com.example.shop", "twelve") }),
        (.invalidArgument, "androidMinimumVersion", { ($0.androidPackageName, $0.androidMinimumVersion) = ("com.example.shop", "-1") }),
    ]

    @Test(arguments: badSettings.indices)
    func `is refused with the field and what it should be, if settings are invalid`(_ index: Int) async throws {
        let world = try await World()
        let (refusal, field, change) = Self.badSettings[index]
        let error = await #expect(throws: ActionError.self) { try await world.issue(.resetPassword, settings: settings(change)) }
        guard case .refused(refusal, let detail?) = error else { throw Missing() }
        #expect(detail.contains(field) && detail.utf8.count > field.utf8.count + 10, "\(detail)")
        #expect(try await world.mails().isEmpty)
    }

    @Test func `mails the action link unless the app handles the code`() async throws {
        let world = try await World()
        _ = try await world.issue(.resetPassword, settings: settings { $0.url = "https://app.example/welcome?a=1&mode=x" })
        let link = try #require(try await world.mails().first?.link)
        let start = "https://auth.example/__/auth/action?lang=en&continueUrl=https%3A%2F%2Fapp.example%2Fwelcome%3Fa%3D1%26mode%3Dx"
        #expect(link.hasPrefix(start + "&apiKey=shop-key&mode=resetPassword&oobCode="))
    }

    /// R2: the test suites of SDKs compare the continue URL of the link with what they requested.
    @Test(arguments: [
        ("http://localhost?a=1&b=5#f=1", "http%3A%2F%2Flocalhost%3Fa%3D1%26b%3D5%23f%3D1", "http://localhost/?a=1&b=5#f=1"),
        ("http://localhost/?a=1", "http%3A%2F%2Flocalhost%2F%3Fa%3D1", "http://localhost/?a=1"),
        ("https://app.example?a@b", "https%3A%2F%2Fapp.example%2F%3Fa%40b", "https://app.example/?a@b"),
    ])
    func `mails a continue URL without a path as it was requested`(requested: String, inLink: String, location: String) async throws {
        let world = try await World()
        let code = try await world.issue(.resetPassword, settings: settings { $0.url = requested })
        let link = try #require(try await world.mails().first?.link)
        #expect(link.contains("&continueUrl=\(inLink)&"))
        // The user is sent to the canonical form.
        let page = ActionLink(action: .resetPassword, code: code, apiKey: "shop-key")
        #expect(try await world.inspect(code).pending().destination(link: page).location == location)
    }

    @Test func `mails an app link around the action link if the app handles the code`() async throws {
        let world = try await World()
        let asked = settings {
            $0.url = "https://app.example/welcome"
            $0.handleCodeInApp = true
            $0.iOSBundleID = "com.example.shop"
            $0.androidPackageName = "com.example.shop"
            $0.androidMinimumVersion = "12"
        }
        _ = try await world.issue(.signIn, settings: asked)
        let link = try #require(try await world.mails().first?.link)
        #expect(link.hasPrefix("https://links.example/__/auth/links?link=https%3A%2F%2Fauth.example%2F__%2Fauth%2Faction%3F"))
        #expect(link.contains("&apn=com.example.shop&amv=12&"))
        #expect(link.contains("&ibi=com.example.shop"))
    }

    /// Released versions of apps differ in what they parse.
    @Test(
        arguments: [
            (nil, "/__/auth/links"), ("android", "/"), ("apple", "/__/auth/links"),
        ] as [(String?, String)])
    func `mails the form of app links that the named app parses`(app: String?, path: String) async throws {
        let world = try await World {
            $0.apps = try RegisteredApps(
                apple: [AppleApp(bundleID: "com.example.apple", teamID: "ABCDE12345")],
                android: [AndroidApp(packageName: "com.example.android", sha256Fingerprints: [], linkForm: .dynamicLinks)])
        }
        let asked = settings {
            ($0.url, $0.handleCodeInApp) = ("https://app.example/welcome", true)
            $0.iOSBundleID = app == "apple" ? "com.example.apple" : nil
            $0.androidPackageName = app == "android" ? "com.example.android" : nil
        }
        _ = try await world.issue(.signIn, settings: asked)
        let link = try #require(try await world.mails().first?.link)
        #expect(link.hasPrefix("https://links.example\(path)?link=https%3A%2F%2Fauth.example"), "\(link)")
    }

    @Test func `keeps no code in the store`() async throws {
        let world = try await World()
        let code = try await world.issue(.resetPassword)
        let mail = try #require(try await world.store.mails(limit: 100).first)
        #expect(!String(decoding: mail.sealed, as: UTF8.self).contains(code.text))
    }

    /// D10: the secret is checked when the database is opened, so it is not to blame.
    @Test func `calls a stored mail that is damaged so`() async throws {
        let world = try await World()
        _ = try await world.issue(.resetPassword)
        let mail = try #require(try await world.store.mails(limit: 100).first)
        let damaged = StoredMail(
            id: mail.id, project: mail.project, recipient: mail.recipient, recipientDigest: mail.recipientDigest, kind: mail.kind,
            language: mail.language, sealed: mail.sealed.reversed(), createdAt: mail.createdAt, uselessAfter: nil)
        let error = #expect(throws: ActionError.self) { try world.outbox.open(damaged) }
        #expect(error?.cause.hasPrefix("the stored letter cannot be read: it is damaged; restore a backup, or drop it") == true)
    }

    @Test func `reports an unknown account only if accounts are not hidden`() async throws {
        let open = try await World()
        await expectRefused(.emailNotFound) { try await open.send(.resetPassword) }
        let hiding = try await World { $0.hidesAccounts = true }
        #expect(try await hiding.send(.resetPassword) == nil)
        #expect(try await hiding.mails().isEmpty)
    }

    @Test func `reports an unknown account to admins even if accounts are hidden`() async throws {
        let world = try await World { $0.hidesAccounts = true }
        var request = CodeRequest(.resetPassword, for: .address(.ada), with: ApprovedSettings(in: world.project))
        request.mails = false
        let asked = request
        await expectRefused(.emailNotFound) { try await world.accounts.send(asked) }
    }

    @Test func `mails nothing for a taken address, and reports it only if accounts are not hidden`() async throws {
        for hides in [false, true] {
            let world = try await World { $0.hidesAccounts = hides }
            try await world.account("new@app.example", id: "bob")
            try await world.account("ada@app.example")
            if hides {
                #expect(try await world.send(.verifyAndChangeEmail) == nil)
            } else {
                await expectRefused(.emailExists) { try await world.send(.verifyAndChangeEmail) }
            }
            #expect(try await world.mails().isEmpty)
        }
    }

    @Test func `stores the language of a signed-in user's client`() async throws {
        let world = try await World()
        let account = try await world.account("ada@app.example")
        var request = CodeRequest(.verifyEmail, for: .account(account), with: ApprovedSettings(in: world.project))
        request.language = "ar"
        _ = try await world.accounts.send(request)
        #expect(try await world.stored(ada)?.language == "ar")
    }

    /// R10: A new mail is sent even if the settings of the old link are no longer allowed.
    @Test func `again replaces an expired link once`() async throws {
        let world = try await World()
        let code = try await world.issue(.verifyEmail, settings: settings { $0.url = "https://app.example/" })
        world.clock.advance(by: .days(4))
        guard case .expired(let ended) = try await world.inspect(code) else { throw Missing() }
        try await world.accounts.sendAgain(ended)
        #expect(try await world.mails().count == 2)
        guard case .expired(let after) = try await world.inspect(code) else { throw Missing() }
        #expect(after.newerSince != nil)
        try await world.accounts.sendAgain(after)
        #expect(try await world.mails().count == 2)
    }

    /// A page after an undo does not offer it, either.
    @Test func `of a reset is refused where passwords are switched off`() async throws {
        var world = try await World()
        let undo = try await world.issue(.recoverEmail)
        world.project.signIn.password = false
        await expectRefused(.passwordLoginDisabled) { [world] in
            try await world.accounts.send(CodeRequest(.resetPassword, for: .address(.ada), with: ApprovedSettings(in: world.project)))
        }
        try await world.redeem(undo)
        guard case .used(let ended) = try await world.inspect(undo) else { throw Missing() }
        #expect(ended.addressToSecure == nil)
        world.project.signIn.password = true
        guard case .used(let offered) = try await world.inspect(undo) else { throw Missing() }
        #expect(offered.addressToSecure == .ada)
    }

    @Test func `again is not offered for undo links`() async throws {
        let world = try await World()
        let code = try await world.issue(.recoverEmail)
        world.clock.advance(by: .days(31))
        guard case .expired(let ended) = try await world.inspect(code) else { throw Missing() }
        #expect(ended.recipient == nil)
    }

    /// L6, H16: a link that is mailed is one that the server takes.
    @Test(arguments: ["a", "あ", "%41", "%25"], [true, false])
    func `has a link that the server takes, or is refused`(_ character: String, _ throughApp: Bool) async throws {
        var lengths: [Int] = []
        for count in stride(from: 100, to: 2_000, by: 100) {
            let world = try await World()
            try await world.account("ada@app.example")
            let wanted = settings {
                $0.url = "https://app.example/done?note=" + String(repeating: character, count: count)
                $0.androidPackageName = "com.example.shop"
                $0.handleCodeInApp = throughApp
            }
            guard let approved = try? ApprovedSettings(wanted, in: world.project) else { break }
            let issued = try #require(try await world.accounts.send(CodeRequest(.verifyEmail, for: .address(.ada), with: approved)))
            let link = ActionLink(action: .verifyEmail, code: issued.code, apiKey: "shop-key")
            let next = try await world.inspect(issued.code).pending().destination(link: link).location
            lengths.append(count)
            #expect(issued.link.utf8.count < 8_000 && next.map { $0.utf8.count < 8_000 } == true, "\(count)")
        }
        // What is usual is not refused.
        #expect(lengths.count >= (character == "あ" ? 2 : character == "a" ? 18 : 5))
    }

    /// However many there are, a query for live codes of the address, by their expiry, reads none.
    @Test func `stores decoys that have expired`() async throws {
        let world = try await World { $0.hidesAccounts = true }
        for _ in 0..<3 { #expect(try await world.send(.resetPassword) == nil) }
        let moment = world.clock.now()
        #expect(try await world.store.purgeCodes(expiredBefore: moment) == 0)
        #expect(try await world.store.purgeCodes(expiredBefore: moment + .milliseconds(1)) == 3)
    }

    /// A decoy, which is stored for an unknown account, is purged early; real codes stay.
    @Test func `stores decoys that are purged without touching codes`() async throws {
        let world = try await World { $0.hidesAccounts = true }
        #expect(try await world.send(.resetPassword) == nil)
        let code = try await world.issue(.resetPassword)
        world.clock.advance(by: .hours(1))
        #expect(try await world.store.purgeDecoys(createdBefore: world.clock.now()) == 1)
        guard case .expired = try await world.inspect(code) else { throw Missing() }
    }
}
