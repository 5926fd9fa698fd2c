import Accounts
import Foundation

/// Writes the users of a project into files that `firebase auth:import` and `onward users import` take, page by page: who is changed
/// meanwhile is written as they were or as they are.
struct Exporting {
    /// What there was, and what could not be written.
    struct AtomicCounter: Equatable {
        var users = 0
        /// Of another secret, or damaged.
        var unreadablePasswords = 0
        /// By provider: Firebase's tool takes four only.
        var omittedLinks: [String: Int] = [:]
        /// Firebase's tool takes none.
        var omittedFactors = 0
    }

    let store: any AccountStore
    let passwords: Passwords
    let project: ProjectID
    let isComplete: Bool

    private static let page = 500

    /// The first file takes who has no password and who has one of the first kind; each other kind has a file of its own.
    func run(to path: String, progress: (Int) -> Void) async throws -> (files: [ExportedFile], tally: AtomicCounter) {
        var files = [try ExportedFile(new: path)]
        do {
            let tally = try await write(to: &files, progress: progress)
            for index in files.indices { try files[index].finish() }
            return (files, tally)
        } catch {
            for file in files { try file.discard() }
            throw error
        }
    }

    private func write(to files: inout [ExportedFile], progress: (Int) -> Void) async throws -> AtomicCounter {
        var tally = AtomicCounter()
        var page = Accounts.Page(limit: Self.page)
        while true {
            let profiles = try await store.profiles(page, in: project)
            for profile in profiles { try write(profile, to: &files, tally: &tally) }
            progress(tally.users)
            guard profiles.count == Self.page, let last = profiles.last else { return tally }
            page.after = last.account.id
        }
    }

    private func write(_ profile: Accounts.Profile, to files: inout [ExportedFile], tally: inout AtomicCounter) throws {
        let password = profile.account.passwordHash.flatMap { passwords.exported($0) }
        if profile.account.passwordHash != nil, password == nil { tally.unreadablePasswords += 1 }
        let user = ExportedUser(profile, password: password, isComplete: isComplete)
        for link in profile.linkedProviders where !user.providerUserInfo.contains(where: { $0.providerId == link.provider }) {
            tally.omittedLinks[link.provider, default: 0] += 1
        }
        tally.omittedFactors += profile.secondFactors.count - (user.mfaInfo?.count ?? 0)
        tally.users += 1
        let index = try files.firstIndex { $0.takes(password?.scheme) } ?? another(&files)
        try files[index].write(user, hashedBy: password?.scheme)
    }

    /// `users.json`, `users-2.json`, `users-3.json`.
    private func another(_ files: inout [ExportedFile]) throws -> Int {
        let first = URL(filePath: files[0].path)
        let name = first.deletingPathExtension().path(percentEncoded: false)
        let suffix = first.pathExtension.isEmpty ? "" : "." + first.pathExtension
        files.append(try ExportedFile(new: "\(name)-\(files.count + 1)\(suffix)"))
        return files.count - 1
    }
}
