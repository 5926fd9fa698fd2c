import Accounts
import Testing

/// Records an issue unless `body` is refused with this code. The detail of the refusal may be
/// anything.
func expectRefused<T>(_ expected: Refusal, sourceLocation: SourceLocation = #_sourceLocation, by body: () async throws -> T) async {
    do {
        _ = try await body()
        Issue.record("was not refused", sourceLocation: sourceLocation)
    } catch ActionError.refused(let refusal, _) {
        #expect(refusal == expected, sourceLocation: sourceLocation)
    } catch { Issue.record(error, sourceLocation: sourceLocation) }
}
