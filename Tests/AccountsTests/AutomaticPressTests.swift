import Accounts
import Base
import Testing
import World

/// Gateways open the links of mails in a browser, run scripts and press buttons (V10).
@Suite struct `A press that looks automatic` {
    /// The actions that need no more than a press.
    static let actions: [Action] = [.verifyEmail, .verifyAndChangeEmail, .recoverEmail, .revertSecondFactorAddition]

    let world: World

    init() async throws { world = try await World { $0.confirmBy = .automatic } }

    private func press(_ code: OobCode, _ action: Action, _ press: Press, in project: Project? = nil) async throws(ActionError)
        -> PressResult
    {
        try await world.accounts.press(ActionLink(action: action, code: code, apiKey: "shop-key"), press, in: project ?? world.project)
    }

    /// A press of a page that was made `span` ago.
    private func press(
        _ code: OobCode, _ action: Action, after span: Duration, typing number: String? = nil, isSecond: Bool = false,
        followsIdleControl: Bool = false, in project: Project? = nil
    ) async throws(ActionError) -> PressResult {
        let press = Press(
            pageMadeAt: world.clock.now() + (.zero - span), followsIdleControl: followsIdleControl, isSecond: isSecond, number: number,
            waysMark: try await world.waysMark(of: code))
        return try await self.press(code, action, press, in: project)
    }

    private func question(_ result: PressResult) -> PressQuestion? {
        if case .challenged(_, let question, _) = result { question } else { nil }
    }

    private func sign(_ result: PressResult) -> AutomationSign? {
        if case .challenged(_, _, let sign) = result { sign } else { nil }
    }

    /// Whether the press was let through.
    private func isTaken(_ result: PressResult) -> Bool { if case .applied = result { true } else { false } }

    private func isLive(_ code: OobCode) async throws -> Bool {
        if case .live = try await world.inspect(code) { true } else { false }
    }

    private func number(of code: OobCode) -> String { code.confirmationNumber(by: world.secrets) }

    private func wrongNumber(for code: OobCode) -> String { number(of: code) == "1234" ? "4321" : "1234" }

    /// V10: a robot that runs scripts and presses every button changes nothing.
    @Test(arguments: actions, [Duration.zero, .milliseconds(1), .milliseconds(1999)])
    func `is asked for the number of its mail, and changes nothing`(_ action: Action, after span: Duration) async throws {
        let code = try await world.issue(action)
        let before = try await world.stored(AccountID(rawValue: "ada"))
        world.clock.advance(by: .minutes(5))
        let result = try await press(code, action, after: span)
        #expect(question(result) == .number(wasWrong: false, left: 5) && sign(result) == .fastPress)
        #expect(try await isLive(code))
        #expect(try await world.stored(AccountID(rawValue: "ada")) == before)
    }

    /// V10: after two seconds, unless the mail has just been written.
    @Test(arguments: actions, [9_999, 10_000])
    func `is not that of a person who read the page`(_ action: Action, millisecondsAfterMail: Int) async throws {
        let code = try await world.issue(action)
        world.clock.advance(by: .milliseconds(millisecondsAfterMail))
        let result = try await press(code, action, after: .seconds(2))
        #expect(isTaken(result) == (millisecondsAfterMail == 10_000))
        #expect(sign(result) == (millisecondsAfterMail == 10_000 ? nil : .freshMail))
    }

    @Test(arguments: actions)
    func `followed a use of the language switch that changed nothing`(_ action: Action) async throws {
        let code = try await world.issue(action)
        world.clock.advance(by: .minutes(5))
        #expect(sign(try await press(code, action, after: .minutes(1), followsIdleControl: true)) == .idleControl)
    }

    @Test(arguments: actions)
    func `is applied with the number, in any script and with spaces`(_ action: Action) async throws {
        for typed: (String) -> String in [
            { $0 }, { " \($0.prefix(2)) \($0.suffix(2)) " },
            { $0.unicodeScalars.map { String(Unicode.Scalar($0.value + 0x630)!) }.joined() },
        ] {
            let world = try await World { $0.confirmBy = .automatic }
            let code = try await world.issue(action)
            let press = Press(
                pageMadeAt: world.clock.now(), number: typed(code.confirmationNumber(by: world.secrets)),
                waysMark: try await world.waysMark(of: code))
            let result = try await world.accounts.press(
                ActionLink(action: action, code: code, apiKey: "shop-key"), press, in: world.project)
            #expect(isTaken(result))
        }
    }

    /// A program that tries again more slowly is asked again.
    @Test(arguments: actions)
    func `makes every later press of its code doubtful`(_ action: Action) async throws {
        let code = try await world.issue(action)
        _ = try await press(code, action, after: .zero)
        world.clock.advance(by: .minutes(5))
        #expect(sign(try await press(code, action, after: .minutes(1))) == .askedBefore)
        guard case .live(let pending) = try await world.inspect(code) else { throw Missing() }
        #expect(pending.question() == .number(wasWrong: false, left: 5))
        #expect(isTaken(try await press(code, action, after: .minutes(1), typing: number(of: code))))
    }

    @Test(arguments: actions.filter { !$0.isUndo })
    func `withdraws its code after five wrong numbers, and no other code`(_ action: Action) async throws {
        let code = try await world.issue(action)
        for left in (1...4).reversed() {
            let result = try await press(code, action, after: .zero, typing: wrongNumber(for: code))
            #expect(question(result) == .number(wasWrong: true, left: left))
        }
        // Neither is four digits.
        for text in ["", "12345", "abcd", "١٢٣", "12.3", "½½½½"] {
            #expect(question(try await press(code, action, after: .zero, typing: text)) == .number(wasWrong: false, left: 1), "\(text)")
        }
        #expect(try await isLive(code))
        guard case .inspected(.withdrawn(let ended)) = try await press(code, action, after: .zero, typing: wrongNumber(for: code)) else {
            throw Missing()
        }
        #expect(ended.hadWrongNumbers)
        guard case .inspected(.withdrawn) = try await press(code, action, after: .zero, typing: number(of: code)) else { throw Missing() }

        // Undo links are mailed once.
        guard !action.isUndo else { return }
        let next = try #require(try await world.send(action))
        #expect(isTaken(try await press(next, action, after: .zero, typing: number(of: next))))
    }

    /// The count is in the store, in the transaction that compares the number.
    @Test(arguments: [Action.verifyEmail, .verifyAndChangeEmail])
    func `has five numbers in all, however many are sent at once`(_ action: Action) async throws {
        let code = try await world.issue(action)
        let right = try #require(Int(number(of: code)))
        let guesses = (1...60).map { String(String(10_000 + (right + $0) % 10_000).suffix(4)) }
        let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
            for guess in guesses {
                group.addTask {
                    if case .number(wasWrong: true, _) = question(try await press(code, action, after: .zero, typing: guess)) {
                        true
                    } else {
                        false
                    }
                }
            }
            return try await group.reduce(0) { $1 ? $0 + 1 : $0 }
        }
        // The fifth withdraws the code, perhaps before another press reads that it is live.
        #expect(wrong <= 4)
        #expect(try await !isLive(code))
    }

    /// S9: someone who gets the number wrong gets another link.
    @Test func `does not keep its user from a new link`() async throws {
        let code = try await world.issue(.verifyEmail)
        for _ in 1...5 { _ = try await press(code, .verifyEmail, after: .zero, typing: wrongNumber(for: code)) }
        guard case .withdrawn(let ended) = try await world.inspect(code) else { throw Missing() }
        #expect(ended.recipient == .ada)
        try await world.accounts.sendAgain(ended)
        let next = try #require(try await world.mailedCode(.verifyEmail))
        #expect(next != code)
        #expect(isTaken(try await press(next, .verifyEmail, after: .zero, typing: number(of: next))))
    }

    /// Links that an admin's program mails itself, and templates without the number.
    @Test(arguments: [true, false])
    func `is asked for a second press after a pause if the mail has no number`(_ isMailedByAnother: Bool) async throws {
        let accounts = world.accounts(signedWith: nil, mailHasNumber: { _, _, _ in false })
        let ada = try await world.account("ada@app.example")
        var request = CodeRequest(.verifyEmail, for: .account(ada), with: ApprovedSettings(in: world.project))
        request.mails = !isMailedByAnother
        let code = try #require(try await (isMailedByAnother ? world.accounts : accounts).send(request)?.code)
        #expect(question(try await press(code, .verifyEmail, after: .zero)) == .secondPress)
        #expect(question(try await press(code, .verifyEmail, after: .zero, typing: number(of: code))) == .secondPress)
        #expect(question(try await press(code, .verifyEmail, after: .milliseconds(1999), isSecond: true)) == .secondPress)
        #expect(try await isLive(code))
        #expect(isTaken(try await press(code, .verifyEmail, after: .seconds(2), isSecond: true)))
    }

    /// A reset needs a password, which no scanner invents; a sign-in link is completed by the app.
    @Test(arguments: [Action.resetPassword, .signIn], Project.ConfirmBy.allCases)
    func `of a link that needs more is not asked`(_ action: Action, confirmBy: Project.ConfirmBy) async throws {
        let code = try await world.issue(action)
        var project = world.project
        project.confirmBy = confirmBy
        switch try await press(code, action, after: .zero, in: project) {
        case .inspected(.live(let pending)), .passwordRefused(let pending, _): #expect(pending.question() == nil)
        case .applied, .challenged, .inspected: Issue.record("\(action) was applied or asked")
        }
    }

    @Test(arguments: actions)
    func `is what every press looks like if the project always asks, and none if it never does`(_ action: Action) async throws {
        let code = try await world.issue(action)
        var project = world.project
        project.confirmBy = .number
        world.clock.advance(by: .minutes(5))
        #expect(sign(try await press(code, action, after: .minutes(1), in: project)) == .setting)
        guard case .live(let pending) = try await world.accounts.inspect(code, in: project) else { throw Missing() }
        #expect(pending.question() == .number(wasWrong: false, left: 5))
        project.confirmBy = .press
        #expect(isTaken(try await press(code, action, after: .zero, followsIdleControl: true, in: project)))
    }

    /// C10: a question never names the number of another project's mail.
    @Test func `asks nothing about codes that are not its link's`() async throws {
        let code = try await world.issue(.recoverEmail)
        guard case .inspected(.live(let pending)) = try await press(code, .verifyEmail, after: .zero) else { throw Missing() }
        #expect(pending.action == .recoverEmail)
        let other = world.project.renamed(ProjectID(rawValue: "blog"))
        guard case .inspected(.unknown) = try await press(code, .recoverEmail, after: .zero, in: other) else { throw Missing() }
        guard case .live(let same) = try await world.inspect(code) else { throw Missing() }
        #expect(same.question() == nil)
    }

    @Test(arguments: [Project.ConfirmBy.number, .automatic])
    func `a page does not ask for a number that its mail does not have`(_ confirmBy: Project.ConfirmBy) async throws {
        let world = try await World { $0.confirmBy = confirmBy }
        let ada = try await world.account("ada@app.example")
        var request = CodeRequest(.verifyEmail, for: .account(ada), with: ApprovedSettings(in: world.project))
        request.mails = false
        let code = try #require(try await world.accounts.send(request)?.code)
        #expect(try await world.inspect(code).pending().question(choosing: .notMine) == nil)
    }

    /// A8: an undo link does not end, because an intruder's program may have typed the numbers.
    @Test func `an undo link with five wrong numbers says how long it waits, and works then`() async throws {
        let code = try await world.issue(.recoverEmail)
        for _ in 1...5 { _ = try await press(code, .recoverEmail, after: .zero, typing: wrongNumber(for: code)) }
        world.clock.advance(by: .hours(1) - .milliseconds(1))
        let error = await #expect(throws: ActionError.self) {
            try await press(code, .recoverEmail, after: .zero, typing: number(of: code))
        }
        guard case .tooSoon(_, let wait)? = error else { throw Missing() }
        #expect(wait == .milliseconds(1))
        world.clock.advance(by: .milliseconds(1))
        #expect(isTaken(try await press(code, .recoverEmail, after: .zero, typing: number(of: code))))
    }

    @Test func `an undo link that expired in its pause is reported as expired`() async throws {
        let code = try await world.issue(.recoverEmail)
        func keepNewAddress(typing number: String? = nil) async throws(ActionError) -> PressResult {
            try await press(code, .recoverEmail, Press(pageMadeAt: world.clock.now(), number: number, choice: .itWasMe))
        }
        world.clock.advance(by: world.project.lifetimes[.recoverEmail] - .seconds(1))
        for _ in 1...5 { _ = try await keepNewAddress(typing: wrongNumber(for: code)) }
        world.clock.advance(by: .seconds(1))
        guard case .inspected(.expired) = try await keepNewAddress() else { throw Missing() }
    }

    /// C10.
    @Test(arguments: actions.filter { $0 != .verifyEmail })
    func `a link with the code of a confirmation asks nothing`(_ action: Action) async throws {
        let code = try await world.issue(.verifyEmail)
        guard case .inspected(.live(let pending)) = try await press(code, action, after: .zero) else { throw Missing() }
        #expect(pending.action == .verifyEmail && pending.question() == nil)
    }
}
