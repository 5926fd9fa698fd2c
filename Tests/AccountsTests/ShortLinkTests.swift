import AppLinks
import Base
import Store
import Testing
import World
@testable import Accounts

@Suite struct `A short link that is asked for` {
    private static let start = "https://links.example/?link=https%3A%2F%2Fapp.example%2Fx"

    private func propose(_ link: String, byClient: Bool = false, _ change: (inout Project) throws -> Void = { _ in }) async throws
        -> Result<ShortLinkProposal, ShortLinkRefusal>
    {
        let project = try await World(change).project
        return Result { () throws(ShortLinkRefusal) in
            try project.propose(shortLinkTo: link, at: Timestamp(seconds: 1), byClient: byClient)
        }
    }

    @Test func `stores the canonical form of the long link`() async throws {
        let proposal = try await propose(Self.start + "&ibi=com.example.shop&st=A+%26+B&d=1&x=y#f").get()
        #expect(
            proposal.draft.link
                == "https://links.example/__/auth/links?link=https%3A%2F%2Fapp.example%2Fx&ibi=com.example.shop&st=A%20%26%20B")
        #expect(proposal.draft.origin == "https://links.example" && proposal.draft.project.rawValue == "shop" && proposal.prefix == "")
        #expect(Set(proposal.warnings.map(\.code)) == [.debug, .fragment, .unrecognizedParameter])
    }

    @Test(arguments: [
        ("/?", ""), ("/__/auth/links?", ""), ("/share?", "/share"), ("/share/?", "/share"), ("/a/b/c?", "/a/b/c"),
    ])
    func `has the path of the long link before its suffix`(path: String, prefix: String) async throws {
        let link = Self.start.replacing("/?", with: path)
        #expect(try await propose(link).get().prefix == prefix)
    }

    /// R1, R14: nothing is stored that would be refused when it is opened.
    @Test(arguments: [
        ("https://links.example", "The link has no link parameter"),
        (
            "https://evil.example/?link=https://app.example/",
            "https://evil.example is not a link domain of the project; expected https://links.example."
        ),
        ("https://links.example/?link=https://evil.example/", "No authorised domain covers evil.example"),
        (start + "&ofl=https://evil.example/", "The parameter ofl is refused"), (start + "&apn=com.evil", "com.evil is registered"),
        (start + "&apn=com.example.shop&afl=https://play.google.com/store/apps/details?id%3Dcom.evil", "The parameter afl is refused"),
        (start + "&ibi=com.example.shop&ius=evil", "custom scheme evil does not belong"),
        (start + "&link=https://app.example/", "more than once"),
        ("https://links.example/?link=https://links.example/a", "leads to a link domain again"),
        ("https://links.example/?link=javascript:alert(1)", "is not a usable URL"), ("no link", "The link cannot be read."),
        (start.replacing("/?", with: "/v1/?"), "one to four segments"), (start.replacing("/?", with: "/__/x?"), "one to four segments"),
        (start.replacing("/?", with: "/a/b/c/d?"), "one to four segments"),
        (start + "%3F" + String(repeating: "a", count: 7_200), "longer than 7168 bytes"),
    ])
    func `is refused with a sentence that says why`(link: String, sentence: String) async throws {
        guard case .failure(let refusal) = try await propose(link) else { throw Unexpected() }
        #expect(refusal.explanation.contains(sentence), "\(refusal.explanation)")
    }

    /// R16, O1: a stored code could be read by admins and from backups.
    @Test(arguments: [
        "https://links.example/?link=https%3A%2F%2Fauth.example%2F__%2Fauth%2Faction%3FoobCode%3DS3cret",
        "https://links.example/?link=https%3A%2F%2Fapp.example%2F%3Fu%3Dhttps%253A%252F%252Fx%252F%253FOOBCODE%253DS3cret",
        start + "&ofl=https%3A%2F%2Fapp.example%2F%3FoobCode%3DS3cret", start + "&sd=oobCode", start + "&utm_term=oobcode",
        start + "%3F%256FobCode%3DS3cret", start + "%3F%256FobCode%3DS3cret&apn=com.evil",
    ])
    func `never carries a code`(link: String) async throws {
        guard case .failure(.carriesCode) = try await propose(link) else { throw Unexpected() }
    }

    @Test(
        arguments: [
            ("&amv=3", .unnecessaryAndroidVersion), ("&afl=https://app.example/", .unnecessaryAndroidLink),
            ("&ius=x", .unnecessaryCustomScheme),
            ("&isi=1", .unnecessaryStoreID), ("&si=nothing", .unusableImage), ("&si=http://app.example/i.png", .imageScheme),
            ("&d=1", .debug),
            ("#f", .fragment), ("&unknown=1", .unrecognizedParameter),
        ] as [(String, ShortLinkWarning.Code)])
    func `comes with a warning about what has no effect`(more: String, code: ShortLinkWarning.Code) async throws {
        let proposal = try await propose(Self.start + more).get()
        #expect(proposal.warnings.map(\.code) == [code])
        #expect(try await proposal.draft.link == propose(Self.start).get().draft.link)
    }

    /// Anyone can read an API key, and so write words under the project's domain.
    @Test func `by a client has neither a preview nor a path of its choice`() async throws {
        let preview = "&st=Call+us&sd=now&si=https://cdn.example/i.png"
        let byClient = try await propose(Self.start + preview, byClient: true).get()
        #expect(try await byClient.draft.link == propose(Self.start).get().draft.link)
        #expect(byClient.warnings.map(\.code) == [.unrecognizedParameter])
        #expect(
            try await propose(Self.start + preview).get().draft.link.hasSuffix("&st=Call%20us&sd=now&si=https%3A%2F%2Fcdn.example%2Fi.png"))
        guard case .failure(.prefixByClient) = try await propose(Self.start.replacing("/?", with: "/urgent?"), byClient: true) else {
            throw Unexpected()
        }
    }

    @Test func `gets a suffix without letters that look alike`() {
        let all: RandomBytes = { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) } }
        for suffix in ShortLinkSuffix.allCases {
            for text in suffix.candidates(random: all) { #expect(text.allSatisfy { !"0O1lIo".contains($0) }) }
        }
        #expect(Set(ShortLinkSuffix.unguessable.candidates(random: all).map(\.count)) == [17])
        #expect(ShortLinkSuffix.short.candidates(random: all).map(\.count) == Array(4..<12))
        #expect(Set(ShortLinkSuffix.alphabet).count == 56)
    }

    @Test func `takes a longer suffix after each collision, and never one that is taken`() async throws {
        let world = try await World()
        let proposal = try world.project.propose(shortLinkTo: Self.start, at: world.clock.now())
        let links = ShortLinks(store: world.store, now: world.clock.now, random: { [UInt8](repeating: 0, count: $0) })
        var paths: [String] = []
        for _ in 0..<ShortLinkSuffix.tries { paths.append(try await links.create(proposal, suffix: .short).path) }
        #expect(paths == (4..<12).map { "/" + String(repeating: "A", count: $0) })
        let error = await #expect(throws: ActionError.self) { try await links.create(proposal, suffix: .short) }
        #expect(error?.cause.contains("ask for an UNGUESSABLE one") == true)
        #expect(try await links.create(proposal, suffix: .unguessable).path.count == 18)
    }

    @Test func `is created for as many clients as the project allows, and for every admin`() async throws {
        let world = try await World()
        let proposal = try world.project.propose(shortLinkTo: Self.start, at: world.clock.now())
        let links = world.accounts.shortLinks
        var created: [ShortLink] = []
        for _ in 1...3 { created.append(try await links.create(proposal, suffix: .short, maxByClients: 3)) }
        #expect(created.map(\.clientNumber) == [1, 2, 3])
        let error = await #expect(throws: ActionError.self) { try await links.create(proposal, suffix: .short, maxByClients: 3) }
        #expect(error?.refusal == .insufficientPermission && error?.cause.contains("shortLinks.maxByAPIKey allows, 3") == true)
        #expect(try await links.create(proposal, suffix: .short).clientNumber == nil)

        // An operator ends what strangers made.
        _ = try await world.store.disable(created[0], at: world.clock.now())
        #expect(try await links.create(proposal, suffix: .short, maxByClients: 3).clientNumber == 4)
        await #expect(throws: ActionError.self) { try await links.create(proposal, suffix: .short, maxByClients: 3) }
    }

    @Test func `is live for its project until it is disabled`() async throws {
        let world = try await World()
        let links = world.accounts.shortLinks
        let proposal = try world.project.propose(shortLinkTo: Self.start, at: world.clock.now())
        let path = try #require(ShortLinkPath("/spring"))
        let created = try await links.create(proposal, at: path)
        let domain = try LinkDomain("links.example")
        #expect(try await links.live(path, on: domain, in: world.project) == created)
        #expect(try await links.live(path, on: LinkDomain("other.example"), in: world.project) == nil)
        let other = Project(
            id: ProjectID(rawValue: "blog"), displayName: "Blog", authorizedDomains: world.project.authorizedDomains,
            actionURL: world.project.actionURL)
        #expect(try await links.live(path, on: domain, in: other) == nil)
        await #expect(throws: ActionError.self) { try await links.create(proposal, at: path) }
        _ = try await world.store.disable(created, at: world.clock.now())
        #expect(try await links.live(path, on: domain, in: world.project) == nil)
    }

    /// R17: a short link leads only where its long link would lead.
    @Test func `is approved again at each visit`() async throws {
        let world = try await World()
        let links = world.accounts.shortLinks
        let proposal = try world.project.propose(shortLinkTo: Self.start + "&apn=com.example.shop", at: world.clock.now())
        let stored = try await links.create(proposal, suffix: .unguessable)
        #expect(try world.project.approve(stored, visitedWith: [("d", "1")]).link.asksForExplanation)
        var changed = world.project
        changed.apps = .none
        #expect(throws: AppLinkRefusal.self) { try changed.approve(stored, visitedWith: []) }
        changed = world.project
        changed.authorizedDomains = try AuthorizedDomains([])
        #expect(throws: AppLinkRefusal.self) { try changed.approve(stored, visitedWith: []) }
    }

    @Test func `counts its visits without growing for ever`() {
        let counter = ShortLinkCounter()
        func visit(_ link: Int) -> ShortLinkVisit { ShortLinkVisit(link: link, day: 1, platform: .apple, event: .click) }
        for link in 0..<(ShortLinkCounter.maxVisits + 10) { counter.count(visit(link)) }
        counter.count(visit(0))
        let counts = counter.take()
        #expect(counts.count == ShortLinkCounter.maxVisits && counts[visit(0)] == 2)
        #expect(counter.take().isEmpty)
        counter.add([visit(1): 3])
        counter.count(visit(1))
        #expect(counter.take() == [visit(1): 4])
    }

    private struct Unexpected: Error {}
}
