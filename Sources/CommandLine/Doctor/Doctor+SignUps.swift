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
        return configuration.projects.compactMap { Diagnosis(signUpsIn: stored.applied(to: $0)) }
    }

    /// Invited people who did not come in time. A database that cannot be read is another
    /// diagnosis, here and for events.
    func invitations() async -> [Diagnosis] {
        let moment = now()
        let found = try? await configuration.database.withStoreAsItIs { try await $0.diagnosisOfInvitations(at: moment) }
        return [found ?? nil].compactMap(\.self)
    }

    func events() async -> [Diagnosis] {
        let urls = configuration.events.map(\.endpoint.url)
        return (try? await configuration.database.withStoreAsItIs { try await $0.diagnosesOfEvents(for: urls) }) ?? []
    }
}
