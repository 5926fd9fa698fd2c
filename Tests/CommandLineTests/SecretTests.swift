import Accounts
import ArgumentParser
import Base
import Foundation
import Logging
import Store
import Testing
import World
@testable import CommandLine
@testable import Configuration
@testable import Server

/// The configured secret and that of the database.
@Suite struct `A secret that is not that of the database` {
    private let setup: Users.Setup

    init() throws {
        setup = try Users.Setup()
        try setup.write(try setup.read("onward.yaml") + "\nresources: \(Repository.root)\n", to: "onward.yaml")
    }

    private func configure(_ letter: Character) throws { try setup.write(String(repeating: letter, count: 40), to: "secret") }

    private func start() async throws {
        let configuration = try Configuration(file: setup.file("onward.yaml"), environment: { _ in nil })
        _ = try await Installation(configuration, mode: .production, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func startError() async -> String? {
        do { try await start() } catch { return explanation(of: error) }
        return nil
    }

    private func rotate(_ options: String...) async throws -> Int32 {
        do { try await SigningKeyCommand.Rotate.parse(options + ["--config", setup.file("onward.yaml")]).run() } catch let code as ExitCode
        {
            return code.rawValue
        }
        return 0
    }

    @Test func `stops the start with a sentence, and every command that would use it`() async throws {
        try configure("a")
        try await start()
        try configure("b")
        let error = await startError()
        #expect(
            error?.contains("The configured secret is not the one that the database \(setup.file("onward.sqlite")) was made with") == true)
        #expect(error?.contains("`onward signing-key rotate --compromised`") == true)
        #expect(try await rotate() == 1)
        #expect(try await setup.give("out.json") == 1 && !setup.exists("out.json"))
        let create = try AdminKeyCommand.Create.parse(["--config", setup.file("onward.yaml")])
        await #expect(throws: ExitCode.failure) { try await create.run() }
        try configure("a")
        #expect(await startError() == nil)
    }

    /// The way out if the secret is lost. A running server would seal values with the old one.
    @Test func `becomes it by a rotation of all signing keys, while no server runs`() async throws {
        try configure("a")
        try await start()
        try configure("b")
        let status = try await DatabaseSetting.sqlite(path: setup.file("onward.sqlite")).withStore { _ in try await rotate("--compromised")
        }
        #expect(status == 1)
        #expect(await startError() != nil)
        #expect(try await rotate("--compromised") == 0)
        #expect(await startError() == nil)
        try configure("a")
        #expect(await startError() != nil)
    }

    /// D10: a damaged database gives errors, never a wrong account or a success.
    @Test func `is not blamed for a damaged signing key`() async throws {
        try configure("a")
        try await start()
        try await DatabaseSetting.sqlite(path: setup.file("onward.sqlite")).withStore { store in
            let key = try #require(try await store.signingKeys().first)
            let damaged = StoredSigningKey(
                id: key.id, createdAt: key.createdAt, signsFrom: key.signsFrom, sealedPrivateKey: key.sealedPrivateKey.reversed())
            try await store.changeSigningKeys { _ in KeyChange(adding: damaged, removing: [key.id]) }
        }
        #expect(await startError()?.contains("The signing key") == true)
        #expect(await startError()?.contains("is damaged; the secret is right") == true)
        #expect(try await rotate("--compromised") == 0)
        #expect(await startError() == nil)
    }

    private func configureBoth(_ current: Character, _ previous: Character) throws {
        try configure(current)
        try setup.write(String(repeating: previous, count: 40), to: "previous")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: setup.file("previous"))
        let one = "secret: {file: \(setup.file("secret"))}"
        let both = "secret: {current: {file: \(setup.file("secret"))}, previous: {file: \(setup.file("previous"))}}"
        try setup.write(try setup.read("onward.yaml").replacing(one, with: both), to: "onward.yaml")
    }

    private func configureOne() throws {
        let one = "secret: {file: \(setup.file("secret"))}"
        try setup.write(try setup.read("onward.yaml").replacing(#/secret: \{current.*/#, with: one), to: "onward.yaml")
    }

    private func reseal() async throws -> Int32 {
        do { try await SecretCommand.Reseal.parse(["--config", setup.file("onward.yaml")]).run() } catch let code as ExitCode {
            return code.rawValue
        }
        return 0
    }

    private func state() async throws -> SecretState? {
        await (try Configuration(file: setup.file("onward.yaml"), environment: { _ in nil })).secretState()
    }

    /// K8, K9: every command of the change, with what the operator is told.
    @Test func `takes its place when both are configured, and all is sealed again`() async throws {
        try configure("a")
        try await start()
        #expect(try await state() == .settled)
        try configureBoth("b", "a")
        #expect(try await state() == .changesAtNextStart)
        // A server that runs with the previous secret would go on to seal with it.
        let running = try await DatabaseSetting.sqlite(path: setup.file("onward.sqlite")).withStore { _ in try await reseal() }
        #expect(running == 1)
        try await start()
        #expect(try await state() == .changing)
        #expect(try await DatabaseSetting.sqlite(path: setup.file("onward.sqlite")).withStore { _ in try await reseal() } == 0)
        #expect(try await state() == .previousUnneeded)
        try await start()
        try configureOne()
        try await start()
        #expect(try await state() == .settled)
        #expect(try await reseal() == 0)
        try configure("a")
        #expect(try await state() == .other)
        #expect(await startError()?.contains("or as `previous` of it if you change the secret") == true)
    }

    /// K9: `onward secret reseal` leaves nothing sealed with the previous secret.
    @Test func `cannot be dropped while values of it remain`() async throws {
        try configure("a")
        try await start()
        try configureBoth("b", "a")
        try await start()
        try configureOne()
        #expect(await startError()?.contains("`onward secret reseal` has ended the change") == true)
        // Both are lost: the way out is that of a lost secret.
        try configure("c")
        #expect(try await rotate("--compromised") == 0)
        #expect(await startError() == nil)
    }

    @Test func `says what was sealed again, and what remains`() {
        let report = [("mail", ResealCounts(resealed: 3)), ("second_factor", ResealCounts(resealed: 12_000, impossible: 1))]
        let text = SecretCommand.Reseal.summary(report, [FormerDigests(table: "session", count: 2)], previousIsConfigured: true)
        #expect(text.contains("Values sealed again: 3 in mail, \(12_000.formatted()) in second_factor."))
        #expect(text.contains("is lost: 1 in second_factor.") && text.contains("go on working: 2 in session."))
        #expect(text.hasSuffix("remove `previous` from the configuration and restart."))
    }

    @Test func `is not made for an existing folder of onward dev`() throws {
        let folder = try DevFolder(named: setup.folder.path)
        let secret = try folder.secret(random: System.random)
        try setup.write("", to: "onward.sqlite")
        #expect(try folder.secret(random: System.random) == secret)
        try FileManager.default.removeItem(atPath: setup.file("secret.key"))
        #expect(throws: Failure.self) { try folder.secret(random: System.random) }
    }
}
