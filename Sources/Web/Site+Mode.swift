public import Accounts

extension Site {
    /// The differences between `onward serve` and `onward dev`.
    public enum Mode: Sendable {
        case production(Production)
        case development(Development)

        var production: Production? { if case .production(let production) = self { production } else { nil } }
        var development: Development? { if case .development(let development) = self { development } else { nil } }
    }

    /// The addresses under which the console is served.
    public enum ConsolePlace: Sendable, Equatable {
        case origin
        /// A listener that serves nothing else.
        /// - Parameter hosts: its host names, without ports.
        case listener(hosts: Set<String>)
    }

    /// The part of a site that only `serve` has: it recognises admins by key and records what they
    /// do.
    public struct Production: Sendable {
        public let audit: Audit
        /// The host names, without ports, of the admin listener; empty if there is none.
        public let adminHosts: Set<String>
        /// Nil if the console is off.
        public let console: ConsolePlace?
        /// The admin with this key; nil if there is none.
        public let admin: @Sendable (_ bearer: String) async throws(ActionError) -> Admin?

        public init(
            audit: Audit, adminHosts: Set<String> = [], console: ConsolePlace? = nil,
            admin: @escaping @Sendable (_ bearer: String) async throws(ActionError) -> Admin?
        ) {
            self.audit = audit
            self.adminHosts = adminHosts
            self.console = console
            self.admin = admin
        }
    }

    /// The part of a site that only `dev` has: `Bearer owner` is an admin without audit records,
    /// every API key is valid, and mails can be read in an inbox.
    public struct Development: Sendable {
        public let inbox: any Inbox
        /// Composes the mails that the inbox shows.
        public let compose: Compose
        /// Writes a composed letter as the message that a relay would get.
        public let encode: Encode
        public let sampleAccounts: [SampleAccount]
        public let project: ProjectID
        /// The key in the examples of the start page; any other works as well.
        public let apiKey: String
        /// Whether pages of every origin may be admin and read mails.
        public let trustsEveryOrigin: Bool
        /// The hosts that are served beside the origin's.
        public let hosts: DevelopmentHosts
        /// Whether passwords need six characters only, as with Firebase.
        public let hasFirebasePasswordRules: Bool

        public typealias Encode = @Sendable (_ letter: Letter, _ id: MailID, _ content: RenderedMail, _ project: Project) -> [UInt8]

        public init(
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
    public struct SampleAccount: Sendable {
        public let email: EmailAddress
        public let password: String?

        public init(email: EmailAddress, password: String?) {
            self.email = email
            self.password = password
        }
    }
}
