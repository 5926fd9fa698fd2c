/// Something that happened to a code, for metrics, the mail deliverer and `onward dev`.
public enum CodeEvent: Sendable {
    /// It was stored, and its mail waits if it has one.
    case issued(IssuedCode)
    case applied(Action)
    /// - Parameter action: nil if the code is unknown.
    case refused(_ action: Action?, ActionError)
    case pressed(Press, PressResult)
    /// A client was told that an address is taken (V6).
    case takenAddressTold
}
