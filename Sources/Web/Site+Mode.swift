package import Accounts
package import EmailActions

extension Site {
    /// The differences between `onward serve` and `onward dev`.
    package enum Mode: Sendable {
        case production(Production)
        case development(Development)

        var production: Production? { if case .production(let production) = self { production } else { nil } }
        var development: Development? { if case .development(let development) = self { development } else { nil } }
    }

    /// The part of a site that only `serve` has: it recognises admins by key and records what they
    /// do.
    package struct Production: Sendable {
        package let audit: Audit
        /// The host names, without ports, of the admin listener; empty if there is none.
        package let adminHosts: Set<String>
        /// The admin with this key; nil if there is none.
        package let admin: @Sendable (_ bearer: String) async throws(ActionError) -> Admin?

        package init(
            audit: Audit, adminHosts: Set<String> = [], admin: @escaping @Sendable (_ bearer: String) async throws(ActionError) -> Admin?
        ) {
            self.audit = audit
            self.adminHosts = adminHosts
            self.admin = admin
        }
    }

    /// The part of a site that only `dev` has: `Bearer owner` is an admin without audit records,
    /// every API key is valid, and mails can be read in an inbox.
    package struct Development: Sendable {
        package let inbox: any Inbox
        /// Composes the mails that the inbox shows.
        package let compose: Compose
        /// Writes a composed mail as the message that a relay would get.
        package let encode: Encode
        package let sampleAccounts: [SampleAccount]
        package let project: ProjectID
        /// The key in the examples of the start page; any other works as well.
        package let apiKey: String
        /// Whether pages of every origin may be admin and read mails.
        package let trustsEveryOrigin: Bool
        /// The hosts that are served beside the origin's.
        package let hosts: DevelopmentHosts
        /// Whether passwords need six characters only, as with Firebase.
        package let hasFirebasePasswordRules: Bool

        package typealias Encode = @Sendable (_ mail: StoredMail, _ content: ComposedLetter, _ project: Project) -> [UInt8]

        package init(
            inbox: any Inbox, compose: @escaping Compose, encode: @escaping Encode, sampleAccounts: [SampleAccount], project: ProjectID,
            apiKey: String, trustsEveryOrigin: Bool = false, hosts: DevelopmentHosts = DevelopmentHosts(listensBeyondLoopback: false),
            hasFirebasePasswordRules: Bool = true
        ) {
            self.inbox = inbox
            self.compose = compose
            self.encode = encode
            self.sampleAccounts = sampleAccounts
            self.project = project
            self.apiKey = apiKey
            self.trustsEveryOrigin = trustsEveryOrigin
            self.hosts = hosts
            self.hasFirebasePasswordRules = hasFirebasePasswordRules
        }
    }

    /// An account for trying out the API. Its password is public.
    package struct SampleAccount: Sendable {
        package let email: EmailAddress
        package let password: String?

        package init(email: EmailAddress, password: String?) {
            self.email = email
            self.password = password
        }
    }
}
