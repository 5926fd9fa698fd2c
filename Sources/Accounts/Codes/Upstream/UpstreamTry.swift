/// An attempt to apply an upstream's code. Onward stores only the keyed hash of the code.
public enum UpstreamTry: Sendable, Hashable {
    /// No answer has been received: the request is in progress, or its response was lost, or Onward
    /// crashed.
    case unanswered
    case succeeded
}
