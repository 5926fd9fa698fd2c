public import Base

/// A press of the button on a link's page: what tells a person's press from a program's, and what
/// the user chose.
public struct Press: Sendable {
    /// The time at which the page with the button was made.
    public let pageMadeAt: Timestamp
    /// Whether the page followed a use of its only other control, the language switch, that chose
    /// no other language.
    public let followsIdleControl: Bool
    /// Whether the page asked for a second press.
    public let isSecond: Bool
    /// The typed confirmation number as four digits; nil if none was typed. Every script's digits
    /// are accepted, because keyboards have their own.
    public let number: String?
    /// The choice of the user in place of the button.
    public let choice: ActionChoice?
    /// The mark of the ways to sign in that the page named, which the press accepts; nil if it
    /// named none.
    public let waysMark: UInt32?
    /// Whether the address may be taken from another account. A page has to name that account
    /// first; programs are shown no page.
    public let mayTakeAddress: Bool

    public init(
        pageMadeAt: Timestamp, followsIdleControl: Bool = false, isSecond: Bool = false, number text: String? = nil,
        choice: ActionChoice? = nil, waysMark: UInt32? = nil, mayTakeAddress: Bool = false
    ) {
        self.choice = choice
        self.waysMark = waysMark
        self.mayTakeAddress = mayTakeAddress
        self.pageMadeAt = pageMadeAt
        self.followsIdleControl = followsIdleControl
        self.isSecond = isSecond
        number = text?.typedDigits(OobCode.numberLength)
    }
}

/// The reason why a press may be a program's. The raw value is a label of metrics.
public enum AutomationSign: String, Sendable, CaseIterable {
    /// The project asks at every press.
    case setting
    /// An earlier press of this code was doubtful.
    case askedBefore
    /// The press came sooner after its page than a person reads.
    case fastPress
    /// The press came sooner after its mail was written than a mail arrives and is read.
    case freshMail
    /// The page's other control was used before, without an effect.
    case idleControl
    /// It makes a choice that a quiet button leads to, which a program that presses all finds.
    case choice
    /// The ways to sign in have changed since the page named them. The press may well be a
    /// person's, who would accept a way that an intruder added in between.
    case changedWays
}

/// The question that a doubtful press is answered with.
public enum PressQuestion: Sendable, Hashable {
    /// Asks for the number in the mail.
    /// - Parameter left: how many tries are left.
    case number(wasWrong: Bool, left: Int)
    /// Asks for another press after a pause, because the mail has no number.
    case secondPress
    /// Asks for another press after a look at the ways to sign in.
    case changedWays
}

extension Press {
    /// The time that a user needs at least to read a page and press its button. Gateways press as
    /// soon as the page is ready. The server measures it, so a slow network only makes it longer.
    static let readingTime = Duration.seconds(2)

    /// The time that a mail needs at least to be delivered, noticed and opened, and its page to be
    /// read. Gateways open links while they receive the mail.
    static let deliveryTime = Duration.seconds(10)

    /// The reason why this press may be a program's; nil if there is none, or if the action needs
    /// more than a press.
    ///
    /// - Parameter code: nil for an upstream's code.
    func automationSign(of action: Action, _ code: StoredCode?, in project: Project, at now: Timestamp) -> AutomationSign? {
        guard action.changesByPressAlone else { return nil }
        switch project.confirmBy {
        case .press: return nil
        case .number: return .setting
        case .automatic: break
        }
        if code?.wrongNumbersLeft != nil { return .askedBefore }
        if choice?.hasOwnPage == true { return .choice }
        if isTooFast(at: now) { return .fastPress }
        if let code, now < code.createdAt + Self.deliveryTime { return .freshMail }
        return followsIdleControl ? .idleControl : nil
    }

    private func isTooFast(at now: Timestamp) -> Bool { now < pageMadeAt + Self.readingTime }

    /// Whether this is the second press that a page asked for, after a pause.
    func isSecondAfterPause(at now: Timestamp) -> Bool { isSecond && !isTooFast(at: now) }
}

extension PendingAction {
    /// Whether a mailed link is opened sooner than a mail arrives and is read, mostly by a program.
    public func isOpenedEarly(at now: Timestamp) -> Bool {
        guard let code = (try? stored())?.code, code.isMailed else { return false }
        return now < code.createdAt + Press.deliveryTime
    }
}

extension Press {
    /// The question about a press whose page did not name the present ways to sign in; nil if it
    /// did.
    func challenge(accepting ways: WaysIn, markedBy secrets: Secrets) -> PressChallenge? {
        guard choice == nil, ways.mark(by: secrets) != waysMark else { return nil }
        return PressChallenge(sign: .changedWays, question: .changedWays)
    }
}

extension Action {
    /// Whether a press of the button is all that the action needs. A reset needs a password, which
    /// no scanner invents; a sign-in link is completed by the app, which knows or asks for the
    /// address.
    public var changesByPressAlone: Bool { !setsPassword && !isAppliedByApp }
}

extension PendingAction {
    /// The question that the page asks from the start.
    /// - Parameter choice: what the page is about in place of its button.
    public func question(choosing choice: ActionChoice? = nil) -> PressQuestion? {
        guard action.changesByPressAlone, let code = (try? stored())?.code, code.mailHasNumber else { return nil }
        let isDoubtful = code.wrongNumbersLeft != nil || choice?.hasOwnPage == true
        return project.confirmBy == .number || project.confirmBy == .automatic && isDoubtful
            ? .number(wasWrong: false, left: code.wrongNumbersLeft ?? StoredCode.wrongNumbersAllowed) : nil
    }
}

extension EndedAction {
    /// Whether the code was withdrawn because of wrong confirmation numbers.
    public var hadWrongNumbers: Bool { stored?.wrongNumbersLeft == 0 }
}
