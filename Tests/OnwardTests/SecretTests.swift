import Accounts
import ArgumentParser
import Foundation
import Logging
import Store
import Testing

@testable import Onward

/// The configured secret and that of the database.
@Suite struct `A secret that is not that of the database` {
    private let setup: Users.Setup

    init() throws {
        setup = try Users.Setup()
        try setup.write(try setup.read("onward.yaml") + "\nresources: \(`A reload`.Source.root)\n", to: "onward.yaml")
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
        let status = try await UsersCommand.withStore(at: setup.file("onward.sqlite")) { _ in try await rotate("--compromised") }
        #expect(status == 1)
        #expect(await startError() != nil)
        #expect(try await rotate("--compromised") == 0)
        #expect(await startError() == nil)
        try configure("a")
        #expect(await startError() != nil)
    }

    /// D10
    @Test func `is not blamed for a damaged signing key`() async throws {
        try configure("a")
        try await start()
        try await UsersCommand.withStore(at: setup.file("onward.sqlite")) { store in
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

    @Test func `is not made for an existing folder of onward dev`() throws {
        let folder = try DevFolder(named: setup.folder.path)
        let secret = try folder.secret(random: System.random)
        try setup.write("", to: "onward.sqlite")
        #expect(try folder.secret(random: System.random) == secret)
        try FileManager.default.removeItem(atPath: setup.file("secret.key"))
        #expect(throws: Failure.self) { try folder.secret(random: System.random) }
    }
}
