import Foundation
import Testing
import World
@testable import Accounts

/// Random histories of an account, with an owner who has the mailboxes `v` and `w`, an intruder who
/// has the mailbox `x` and one session, a stranger who has the mailbox `s` and never does anything,
/// and an admin.
///
/// The environment variable ONWARD_MODEL_HISTORIES sets how many histories are played,
/// ONWARD_MODEL_SEED the first of them, and ONWARD_TEST_ENGINE the database.
@Suite struct `In random histories` {
    private static let environment = ProcessInfo.processInfo.environment
    private static let histories = environment["ONWARD_MODEL_HISTORIES"].flatMap { Int($0) } ?? 60
    private static let firstSeed = environment["ONWARD_MODEL_SEED"].flatMap { UInt64($0) } ?? 1

    /// How a project treats addresses.
    enum Setting: CaseIterable {
        case hidden, open
        /// Accounts of providers have no address.
        case sharing

        func apply(to project: inout Project) {
            project.hidesAccounts = self != .open
            project.signIn.sharesAddresses = self == .sharing
        }
    }

    /// Plays histories until the first in which something is not as it must be.
    private func play(in setting: Setting, _ body: (OwnershipHistory) async throws -> Void) async throws {
        var world = try await World { setting.apply(to: &$0) }
        var steps = 0
        for seed in Self.firstSeed..<Self.firstSeed + UInt64(Self.histories) {
            let history = OwnershipHistory(seed, in: world, setting)
            try await body(history)
            steps += history.log.count
            try #require(
                history.failures.isEmpty, "seed \(seed), after \(seed - Self.firstSeed + 1) histories and \(steps) steps: \(history)")
            world = history.world
        }
    }

    /// A4: nothing that was set up before the owner came lets the intruder in. Where accounts are
    /// not hidden, an intruder who has put an address of his own on the account before keeps its
    /// undo link after a reset, and his phone.
    @Test(arguments: Setting.allCases)
    func `an account made in advance gives its maker nothing once its owner has come`(_ setting: Setting) async throws {
        try await play(in: setting) { history in
            try await history.begin(proved: false)
            try await history.intrude(steps: 10)
            try await history.expectProofAndOneWish()
            try await history.expectMailsToProvedAddresses(ownerProved: false)
            let (owners, keepsUndo) = try await history.ownerArrives()
            try await history.expectFormerUser(of: owners)
            try await history.expectNoWayIn(to: owners, butNamed: keepsUndo)
            guard !keepsUndo else { return }
            try await history.intrude(steps: 6)
            try await history.expectNoWayIn(to: owners)
        }
    }

    /// A4: the address was put back on the account without a proof.
    @Test(arguments: Setting.allCases)
    func `an owner who comes back to an unverified address finds what was there before, and nothing that came since`(
        _ setting: Setting
    ) async throws {
        try await play(in: setting) { history in
            try await history.begin(proved: true)
            try await history.linkOwnersProvider()
            try await history.intrude(steps: 2)
            try await history.putBackAddress(after: 4)
            try await history.expectOwnerComesBack()
        }
    }

    /// A1: an undo and a reset give the owner the account back, whatever the intruder did, and what
    /// an admin did for the account.
    @Test(arguments: Setting.allCases)
    func `the owner of a proved address gets the account back by a mail that was sent`(_ setting: Setting) async throws {
        try await play(in: setting) { history in
            try await history.begin(proved: true)
            try await history.intrude(steps: 10, withAdmin: true)
            try await history.expectProofAndOneWish()
            try await history.expectMailsToProvedAddresses(ownerProved: true)
            guard let account = try await history.ownerRecovers() else { return }
            try await history.expectNoWayIn(to: account, butNamed: true)
            try await history.intrude(steps: 6)
            try await history.expectNoWayIn(to: account, butNamed: true)
        }
    }
}
