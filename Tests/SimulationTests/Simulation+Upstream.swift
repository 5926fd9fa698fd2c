import Accounts
import Base
import World

/// Links whose codes an upstream keeps.
extension Simulation {
    /// The answer of a page to a press.
    enum UpstreamAnswer: String, Sendable { case done, used, uncertain, dead, live }

    private static func project(_ world: World) -> Project {
        var project = world.project
        project.upstream = UpstreamProject(base: World.upstream, domains: .read)
        return project
    }

    private static func link(_ code: OobCode) -> ActionLink { ActionLink(action: .verifyEmail, code: code, apiKey: "shop-key") }

    /// Presses a new link, or one of the newest.
    func pressUpstream() -> Call {
        if upstreamCodes.isEmpty || generator.next(below: 4) == 0 {
            let code = OobCode(random: world.random.bytes)
            upstream.add(code)
            upstreamCodes.append(code)
        }
        let number = max(0, upstreamCodes.count - 1 - generator.next(below: 3))
        let (code, project) = (upstreamCodes[number], Self.project(world))
        var call = Call(name: "follow \(number)") { (accounts, _) throws(ActionError) in
            let inspection = try await accounts.inspect(Self.link(code), in: project)
            guard case .live(let pending) = inspection else { return .upstream(UpstreamAnswer(inspection)) }
            do throws(ActionError) {
                _ = try await accounts.redeem(pending, with: .press(), from: .someone)
                return .upstream(.done)
            } catch {
                // The page says what the link is now.
                guard error.refusal == .invalidOobCode else { throw error }
                return .upstream(UpstreamAnswer(try await accounts.inspect(Self.link(code), in: project)))
            }
        }
        call.follows = code
        return call
    }

    /// A page says the truth: *done* of a code that has taken effect, *dead* only of one that has
    /// not. No code that was not done is done later.
    func learn(_ answer: (told: Told, gain: Gain), of code: OobCode, before: SimulatedUpstream.Facts, isAlone: Bool) throws {
        let facts = upstream.facts(of: code)
        if case .upstream(let said) = answer.gain { try check(said, of: code, facts) }
        // Another caller may have applied it.
        if isAlone, [.notDone, .refused].contains(answer.told), facts != before, !(before.isLate && facts.isApplied) {
            throw broken("a link of the upstream was not done and is \(facts)")
        }
    }

    private func check(_ said: UpstreamAnswer, of code: OobCode, _ facts: SimulatedUpstream.Facts) throws {
        switch said {
        case .done, .used: guard facts.isApplied else { throw broken("a link of the upstream is \(said) and was not applied") }
        case .dead:
            // A backup knows no later press.
            guard forgotten.contains(code) || !facts.isApplied else { throw broken("a link of the upstream is dead and was applied") }
        case .uncertain, .live: break
        }
    }

    /// Once the upstream is well, each link that was applied is known.
    func endFollowing() async throws {
        upstream.recover()
        let accounts = world.accounts(signedWith: nil, upstreams: { [upstream] _ in TurnedUpstream(base: upstream, wait: {}) })
        for code in upstreamCodes {
            let said = UpstreamAnswer(try await accounts.inspect(Self.link(code), in: Self.project(world)))
            let isTrue =
                switch said {
                case .live: !upstream.facts(of: code).isApplied
                case .used, .uncertain: upstream.facts(of: code).isApplied
                case .dead: forgotten.contains(code)
                case .done: false
                }
            guard isTrue else { throw broken("a link of the upstream is \(said) in the end, and \(upstream.facts(of: code))") }
        }
    }
}

extension Simulation.UpstreamAnswer {
    init(_ inspection: Inspection) {
        self =
            switch inspection {
            case .live: .live
            case .used: .used
            case .uncertain: .uncertain
            case .withdrawn, .expired, .unknown: .dead
            }
    }
}

extension World {
    fileprivate static let upstream: WebURL = {
        guard let url = try? WebURL("https://upstream.example") else { preconditionFailure("the URL is valid") }
        return url
    }()
}
