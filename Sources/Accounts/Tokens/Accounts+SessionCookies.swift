extension Accounts {
    /// How long a session cookie may last; Firebase's own bounds, of which the upper one is the default.
    package static let cookieLifetimes: ClosedRange<Duration> = .seconds(300)...(.seconds(14 * 86_400))

    /// A cookie that says what an ID token says, for the pages of a back-end.
    ///
    /// Refuses `INVALID_DURATION`, and what `account(behind:)` refuses.
    package func sessionCookie(
        for idToken: String, in project: ProjectID, lasting span: Duration = cookieLifetimes.upperBound
    ) async throws(ActionError) -> String {
        guard Self.cookieLifetimes.contains(span) else { throw .refused(.invalidDuration) }
        _ = try await account(behind: idToken, in: project)
        return try await tokens.cookie(of: tokens.verify(idToken, for: project), in: project, lasting: span)
    }
}
