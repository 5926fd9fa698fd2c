/// The operations that an admin may do, and the project in which it may do them.
public struct AdminScope: Sendable, Hashable {
    /// A kind of operation, by its name at the command line and in the store.
    public enum Permission: String, Sendable, CaseIterable {
        /// Accounts, settings, the records of mails; metrics, if the scope is every project.
        case read
        /// Everything that changes an account or a setting, and sign-ins.
        case write
        /// Links, mailed or returned. The holder of a link can sign in as its account.
        case createLinks = "create-links"
        /// The password hashes of the accounts that it reads.
        case passwordHashes = "password-hashes"
    }

    /// Nil for every project.
    public var project: ProjectID?
    public var permissions: Set<Permission>

    public init(project: ProjectID? = nil, permissions: Set<Permission>) { (self.project, self.permissions) = (project, permissions) }

    /// The scope of an admin to whom none was given. Nothing that an admin does by the API needs
    /// password hashes.
    public static let usual = AdminScope(permissions: [.read, .write, .createLinks])

    public func permits(_ permission: Permission) -> Bool { permissions.contains(permission) }

    public func includes(_ project: ProjectID) -> Bool { self.project == nil || self.project == project }
}

extension Set<AdminScope.Permission> {
    /// The names, separated by spaces, always in the same order.
    public var names: String { AdminScope.Permission.allCases.filter(contains).map(\.rawValue).joined(separator: " ") }

    /// Nil if a name is unknown.
    public init?(names: String) {
        self.init()
        for name in names.split(separator: " ") {
            guard let permission = AdminScope.Permission(rawValue: String(name)) else { return nil }
            insert(permission)
        }
    }
}
