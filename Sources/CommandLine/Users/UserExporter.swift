import Accounts
import Foundation

/// Exports the users of a project page by page into files for `firebase auth:import` and `onward
/// users import`. A user that changes during the export is exported before or after the change.
struct UserExporter {
    /// The numbers of exported and omitted items.
    struct ExportCounts: Equatable {
        var users = 0
        /// Passwords that are damaged, or whose key is from before the secret was replaced.
        var unreadablePasswords = 0
        /// Linked accounts by provider. The Firebase CLI accepts four providers.
        var omittedLinks: [String: Int] = [:]
        /// Second factors, which the Firebase CLI does not accept.
        var omittedFactors = 0
    }

    let store: any Storage
    let passwords: Passwords
    let project: ProjectID
    let isComplete: Bool

    private static let pageSize = 500

    /// Exports all users. The first file contains users without a password and those with the first
    /// hash algorithm; each further algorithm has its own file.
    func run(to path: String, progress: (Int) -> Void) async throws -> (files: [ExportedFile], counts: ExportCounts) {
        var files = [try ExportedFile(new: path)]
        do {
            let counts = try await write(to: &files, progress: progress)
            for index in files.indices { try files[index].finish() }
            return (files, counts)
        } catch {
            for file in files { try file.discard() }
            throw error
        }
    }

    private func write(to files: inout [ExportedFile], progress: (Int) -> Void) async throws -> ExportCounts {
        var counts = ExportCounts()
        var page = Accounts.PageRequest(limit: Self.pageSize)
        while true {
            let profiles = try await store.profiles(page, in: project)
            for profile in profiles { try write(profile, to: &files, counts: &counts) }
            progress(counts.users)
            guard profiles.count == Self.pageSize, let last = profiles.last else { return counts }
            page.after = last.account.id
        }
    }

    private func write(_ profile: Accounts.Profile, to files: inout [ExportedFile], counts: inout ExportCounts) throws {
        let password = profile.account.passwordHash.flatMap { passwords.exported($0) }
        if profile.account.passwordHash != nil, password == nil { counts.unreadablePasswords += 1 }
        let user = ExportedUser(profile, password: password, isComplete: isComplete)
        for link in profile.linkedProviders where !user.providerUserInfo.contains(where: { $0.providerId == link.provider }) {
            counts.omittedLinks[link.provider, default: 0] += 1
        }
        counts.omittedFactors += profile.secondFactors.count - (user.mfaInfo?.count ?? 0)
        counts.users += 1
        let index = try files.firstIndex { $0.takes(password?.scheme) } ?? addFile(to: &files)
        try files[index].write(user, hashedBy: password?.scheme)
    }

    /// Adds a file named like the first with a number, such as `users-2.json`; returns its index.
    private func addFile(to files: inout [ExportedFile]) throws -> Int {
        let first = URL(filePath: files[0].path)
        let name = first.deletingPathExtension().path(percentEncoded: false)
        let suffix = first.pathExtension.isEmpty ? "" : "." + first.pathExtension
        files.append(try ExportedFile(new: "\(name)-\(files.count + 1)\(suffix)"))
        return files.count - 1
    }
}
