/// The pages of `onward dev`, for whoever has an app under test.
package enum DevPage: Sendable, Hashable {
    case start(DevStart)
    /// Newest first.
    case inbox([DevMail], brand: Brand)
    case mail(DevMail, brand: Brand)
}
