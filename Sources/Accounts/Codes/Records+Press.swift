internal import Base

/// The question that answers a press which may be a program's, and was not applied.
struct PressChallenge: Sendable {
    let sign: AutomationSign
    let question: PressQuestion
}

extension StoredCode {
    /// The number of wrong confirmation numbers that withdraw a code. A person mistypes twice; a
    /// program that guesses five of the 10,000 numbers is right once in 2,000 codes.
    public static let wrongNumbersAllowed = 5

    /// How long an undo link does not work after that many wrong numbers. It does not end, because
    /// an intruder's program may have typed them. The pause is as long as the link is old, but at
    /// most a day, so that some forty pauses, and two hundred guesses, are possible.
    fileprivate func pause(at now: Timestamp) -> Duration { min(.seconds(86_400), max(.seconds(3600), now - createdAt)) }
}

extension Records {
    /// Looks for a reason to doubt a press of a live code, in the transaction that would apply it.
    /// Returns nil if there is none or the press answers the question.
    ///
    /// Once a press was doubtful, every later one is, so that a program cannot try again more
    /// slowly. Wrong numbers are counted here, so that processes and restarts share the count.
    /// - Parameters:
    ///   - code: the code as this transaction read it.
    ///   - number: returns the code's confirmation number.
    func challenge(
        _ press: Press, of code: StoredCode, numbered number: (StoredCode) -> String, in project: Project, at now: Timestamp
    ) throws(ActionError) -> PressChallenge? {
        guard code.state(at: now) == .live, let sign = press.automationSign(of: code.action, code, in: project, at: now) else { return nil }
        guard code.mailHasNumber else {
            return press.isSecondAfterPause(at: now) ? nil : PressChallenge(sign: sign, question: .secondPress)
        }
        if let until = code.pausedUntil, now < until { throw .tooSoon(retryAfter: until - now) }
        let left = code.wrongNumbersLeft ?? StoredCode.wrongNumbersAllowed
        let isWrong = press.number != nil
        guard !isWrong || press.number != number(code) else { return nil }
        if isWrong, left == 1, code.action.isUndo {
            try pause(code.key, until: now + code.pause(at: now))
        } else if isWrong || code.wrongNumbersLeft == nil {
            try setWrongNumbersLeft(isWrong ? left - 1 : left, of: code.key, at: now)
        }
        return PressChallenge(sign: sign, question: .number(wasWrong: isWrong, left: isWrong ? left - 1 : left))
    }
}
