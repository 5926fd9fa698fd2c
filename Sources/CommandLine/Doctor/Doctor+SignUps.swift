import Accounts
import Base
import Configuration
import Server
import Store

extension Doctor {
    /// The projects in which no one can get an account, or be invited, by the settings of the file
    /// and of admins.
    func signUps() async -> [Diagnosis] {
        let stored = await StoredAdminSettings(database: configuration.database)
        return configuration.projects.compactMap { Self.diagnosis(ofSignUpsIn: stored.applied(to: $0)) }
    }

    /// Invited people who did not come in time. A database that cannot be read is another
    /// diagnosis.
    func invitations() async -> [Diagnosis] {
        let moment = now()
        let expired = try? await configuration.database.withStoreAsItIs { store in
            try await store.countInvitations(expiringUntil: moment, upTo: 10_000)
        }
        guard let expired, expired > 0 else { return [] }
        return [
            .note(
                "invitations", "\(expired) have expired before their person came",
                "`onward users list --invited` names them. Invite them again, or withdraw the invitations.")
        ]
    }

    static func diagnosis(ofSignUpsIn project: Project) -> Diagnosis? {
        let subject = "sign-ups of \(project.id)"
        let methods = project.signIn
        switch project.signUps {
        case _ where project.upstream != nil: return nil
        case .byLink where !methods.emailLink:
            return .warning(
                subject, "need a sign-in link, and an admin has switched those off",
                "Set signIn.email.passwordRequired to false by the API, or signUp: open in the file.")
        case .closed where !methods.password:
            let says = "are closed, and an invitation asks for a password, which no one uses here"
            guard methods.emailLink || project.providers.contains(where: \.value.isEnabled) else {
                return .warning(subject, says, "Set signIn.password: true, or let your back end sign users in by custom tokens.")
            }
            return .note(subject, says, "Make accounts with an address: their users come by a sign-in link or a provider.")
        case .open, .byLink, .closed: return nil
        }
    }
}
