internal import Accounts
internal import Network

/// Why a credential could not be verified: it is at fault, or the provider is.
enum ProviderError: Error, Sendable {
    case refused(CredentialRefusal)
    /// The provider did not say anything of use.
    /// - Parameter cause: for the log.
    case unavailable(cause: String)

    /// Runs checks of a credential.
    static func checking<T>(_ checks: () throws(CredentialRefusal) -> T) throws(ProviderError) -> T {
        do { return try checks() } catch { throw .refused(error) }
    }
}
