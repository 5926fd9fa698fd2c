public import Base
internal import HTTPTypes

/// The addresses of the operator that programs look for below `/.well-known`: whom to tell of a
/// weakness, and where a password is changed. What is not configured is not found.
public struct WellKnownAddresses: Sendable {
    /// A mailto or https URL. Source: RFC 9116.
    let securityContact: String?
    /// The page of the app where a signed-in user changes the password. Password managers lead
    /// there. Source: W3C, A Well-Known URL for Changing Passwords.
    let changePasswordURL: WebURL?

    public init(securityContact: String? = nil, changePasswordURL: WebURL? = nil) {
        (self.securityContact, self.changePasswordURL) = (securityContact, changePasswordURL)
    }

    /// How long a reader may rely on the contact; it has to be less than a year.
    private static let validity = Duration.days(90)

    private static let securityPath = "/.well-known/security.txt", passwordPath = "/.well-known/change-password"
    public static let paths: Set<String> = [securityPath, passwordPath]

    static let routes: [Route] = [
        Route(
            .read, securityPath, scope: .everyOwnHost, label: RouteLabel("wellKnown", .file),
            handler: .page { site, _ in site.wellKnown.securityText(at: site.now()) }),
        Route(
            .read, passwordPath, label: RouteLabel("wellKnown", .file),
            handler: .page { site, _ in site.wellKnown.changePasswordURL.map { .seeOther($0.serialized) } }),
    ]

    private func securityText(at now: Timestamp) -> Response? {
        securityContact.map { .text(.ok, "Contact: \($0)\nExpires: \((now + Self.validity).iso8601)\n") }
    }
}
