import Accounts
import Base
import HTTPTypes
import Logging
import Store
import Testing
import World
@testable import Web

/// Users with phones, and the API.
private struct Phones {
    static let number = "+15555550199"
    /// The number of radia's account.
    static let taken = "+15555550123"

    let api: API

    init(_ variations: Set<API.Variation> = []) async throws { api = try await API(variations) }

    func send(to number: String = number) async -> JSON {
        await api.call("accounts:sendVerificationCode", .object(["phoneNumber": .string(number)])).json
    }

    /// Sends a code and returns its message.
    func message(to number: String = number) async throws -> TextMessage {
        let session = try #require(await send(to: number)["sessionInfo"]?.string)
        let message = try api.texts.newest(to: number)
        #expect(message.sessionInfo == session)
        return message
    }

    func signIn(_ message: TextMessage, code: String? = nil, _ more: KeyValuePairs<String, JSON?> = [:]) async -> JSON {
        let body = JSON.object(["sessionInfo": .string(message.sessionInfo), "code": .string(code ?? message.code)])
        return await api.call("accounts:signInWithPhoneNumber", body.adding(more)).json
    }

    func token(of name: String) async throws -> JSON { .string(try await api.tokens(of: name).idToken) }
}

@Suite struct `A sign-in by phone` {
    /// J1, J5: the account is created by the first sign-in, and found by the next.
    @Test func `a sign-in by phone creates an account, and finds it again`() async throws {
        let phones = try await Phones()
        let message = try await phones.message()
        #expect(message.code.wholeMatch(of: #/[0-9]{6}/#) != nil && message.text == "\(message.code) is your verification code for Shop.")
        let first = await phones.signIn(message)
        #expect(first["isNewUser"] == .bool(true) && first["phoneNumber"]?.string == Phones.number)
        let token = try await phones.api.site.identityToolkit.accounts.tokens.verify(
            try #require(first["idToken"]?.string), for: phones.api.world.project.id)
        #expect(token.firebase.signInProvider == "phone" && token.phoneNumber == Phones.number)
        #expect(token.firebase.identities["phone"] == [Phones.number])
        let second = await phones.signIn(try await phones.message())
        #expect(second["isNewUser"] == .bool(false) && second["localId"] == first["localId"])
        let lookup = await phones.api.call("accounts:lookup", .object(["idToken": second["idToken"]])).json
        #expect(lookup["users"]?.items?.first?["providerUserInfo"]?.items?.map { $0["providerId"] } == ["phone"])
    }

    /// J1: one of many at once; a used code is used.
    @Test func `a sign-in by phone takes a code once, even in requests at once`() async throws {
        let phones = try await Phones()
        let message = try await phones.message()
        let winners = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 { group.addTask { await phones.signIn(message)["idToken"] != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
        #expect(await phones.signIn(message).errorCode == "INVALID_SESSION_INFO")
    }

    /// J1: five wrong tries end a code; the count of the number makes the next one wait.
    @Test func `a sign-in by phone ends with the fifth wrong code`() async throws {
        let phones = try await Phones()
        let message = try await phones.message()
        for _ in 0..<5 { #expect(await phones.signIn(message, code: message.wrongCode).errorCode == "INVALID_CODE") }
        #expect(await phones.send().errorCode == "TOO_MANY_ATTEMPTS_TRY_LATER")
        phones.api.world.clock.advance(by: .seconds(60))
        #expect(await phones.signIn(message).errorCode == "SESSION_EXPIRED")
        #expect(await phones.signIn(try await phones.message())["idToken"] != nil)
    }

    /// J1: a code works for ten minutes, once, and not after five wrong tries.
    @Test(arguments: [(599, nil), (600, "SESSION_EXPIRED")]) func `a sign-in by phone takes a code for ten minutes`(
        _ seconds: Int, _ error: String?
    )
        async throws
    {
        let phones = try await Phones()
        let message = try await phones.message()
        phones.api.world.clock.advance(by: .seconds(seconds))
        #expect(await phones.signIn(message).errorCode == error)
    }

    @Test func `a sign-in by phone is refused for a disabled account, whose code stays unused`() async throws {
        let phones = try await Phones()
        let message = try await phones.message(to: Phones.taken)
        var change = AccountChange()
        change.disabled = true
        let radia = try #require(try await phones.api.stored("radia"))
        _ = try await phones.api.world.accounts.update(radia, with: change, byAdmin: true, in: phones.api.world.project)
        #expect(await phones.signIn(message).errorCode == "USER_DISABLED")
        change.disabled = false
        _ = try await phones.api.world.accounts.update(radia, with: change, byAdmin: true, in: phones.api.world.project)
        #expect(await phones.signIn(message)["localId"] == "radia")
    }

    /// J7: nothing is sent, and only the configured code is right.
    @Test func `a sign-in by phone takes the fixed code of a test number`() async throws {
        let phones = try await Phones()
        let body = JSON.object(["sessionInfo": await phones.send(to: "+16505550100")["sessionInfo"], "code": "123456"])
        #expect(await phones.api.call("accounts:signInWithPhoneNumber", body).json["isNewUser"] == .bool(true))
        #expect(phones.api.texts.all.isEmpty)
        // The range is not in the listed countries.
        #expect(await phones.send(to: "+16505550101").errorCode == "OPERATION_NOT_ALLOWED")
    }

    /// The app learns that no message was sent.
    @Test func `a sign-in by phone fails with the webhook`() async throws {
        let phones = try await Phones()
        phones.api.texts.fail(.unavailable(Unavailable(.textMessages, cause: "down")))
        #expect(await phones.api.call("accounts:sendVerificationCode", .object(["phoneNumber": .string(Phones.number)])).status == 503)
        phones.api.texts.fail(.refused(.invalidPhoneNumber))
        #expect(await phones.send().errorCode == "INVALID_PHONE_NUMBER")
    }

    /// In the emulator's list until it is used.
    @Test func `a sign-in by phone shows its code in development`() async throws {
        let phones = try await Phones()
        let message = try await phones.message()
        func list() async throws -> JSON? {
            try JSON(await phones.api.respond(.get, "/emulator/v1/projects/shop/verificationCodes").body)["verificationCodes"]
        }
        let entry = JSON.object([
            "phoneNumber": .string(Phones.number), "code": .string(message.code), "sessionInfo": .string(message.sessionInfo),
        ])
        #expect(try await list() == .array([entry]))
        _ = await phones.signIn(message)
        #expect(try await list() == .array([]))
    }

    @Test(arguments: [true, false]) func `a sign-in by phone shows no code in development that can no longer be used`(
        _ hasExpired: Bool
    ) async throws {
        let phones = try await Phones()
        let message = try await phones.message()
        if hasExpired {
            phones.api.world.clock.advance(by: VerificationCode.lifetime)
        } else {
            for _ in 0..<5 { #expect(await phones.signIn(message, code: message.wrongCode).errorCode == "INVALID_CODE") }
        }
        let listed = try JSON(await phones.api.respond(.get, "/emulator/v1/projects/shop/verificationCodes").body)
        #expect(listed["verificationCodes"] == .array([]))
    }
}

@Suite struct `A phone number` {
    /// J4: the code was used, and the proof signs in to the other account once, for five minutes.
    @Test func `a phone number of another account is not linked, and its owner may sign in`() async throws {
        let phones = try await Phones()
        let answer = await phones.signIn(try await phones.message(to: Phones.taken), ["idToken": try await phones.token(of: "ada")])
        #expect(answer["idToken"] == nil && answer["phoneNumber"]?.string == Phones.taken)
        let proof = JSON.object(["temporaryProof": answer["temporaryProof"], "phoneNumber": .string(Phones.taken)])
        #expect(try await phones.api.stored("ada")?.phoneNumber == nil)
        #expect(await phones.api.call("accounts:signInWithPhoneNumber", proof).json["localId"] == "radia")
        phones.api.world.clock.advance(by: .minutes(5))
        #expect(await phones.api.call("accounts:signInWithPhoneNumber", proof).json.errorCode == "INVALID_TEMPORARY_PROOF")
    }

    /// J4: for instance if the owner was warned and signed out everywhere.
    @Test func `a phone number has proofs that end with the sessions of its account`() async throws {
        let phones = try await Phones()
        let answer = await phones.signIn(try await phones.message(to: Phones.taken), ["idToken": try await phones.token(of: "ada")])
        var change = AccountChange()
        change.validSince = phones.api.world.clock.now()
        let radia = try #require(try await phones.api.stored("radia"))
        _ = try await phones.api.world.accounts.update(radia, with: change, byAdmin: true, in: phones.api.world.project)
        let proof = JSON.object(["temporaryProof": answer["temporaryProof"], "phoneNumber": .string(Phones.taken)])
        #expect(await phones.api.call("accounts:signInWithPhoneNumber", proof).json.errorCode == "INVALID_TEMPORARY_PROOF")
    }

    /// J4: the accounts of two users who link one number at once.
    @Test func `a phone number is linked to one account of two at once`() async throws {
        let phones = try await Phones()
        let (first, second) = (try await phones.message(), try await phones.message())
        let tokens = [try await phones.token(of: "ada"), try await phones.token(of: "grace")]
        let answers = await withTaskGroup(of: JSON.self) { group in
            for (message, token) in zip([first, second], tokens) { group.addTask { await phones.signIn(message, ["idToken": token]) } }
            return await group.reduce(into: [JSON]()) { $0.append($1) }
        }
        #expect(answers.count { $0["idToken"] != nil } == 1 && answers.count { $0["temporaryProof"] != nil } == 1)
        let owners = [try await phones.api.stored("ada"), try await phones.api.stored("grace")].filter { $0?.phoneNumber != nil }
        #expect(owners.count == 1)
    }

    /// S8: the number may be an intruder's. The same number again is no news.
    @Test func `a phone number that is linked is told to the owner of the account`() async throws {
        let phones = try await Phones()
        let world = phones.api.world
        var change = AccountChange()
        change.emailVerified = true
        let ada = try #require(try await phones.api.stored("ada"))
        _ = try await world.accounts.update(ada, with: change, byAdmin: true, in: world.project)
        for _ in 0..<2 {
            let message = try await phones.message()
            #expect(await phones.signIn(message, ["idToken": try await phones.token(of: "ada")])["idToken"] != nil)
            #expect(try await world.mails().count { $0.kind == .notice(.providerAdded) } == 1)
            world.clock.advance(by: .minutes(2))
        }
        let letters = try await world.store.mails(kind: .notice(.providerAdded), limit: 2)
        #expect(try await world.mails().filter { $0.kind == .notice(.providerAdded) }.map(\.to) == ["ada@example.com"])
        #expect(try letters.map { try world.outbox.open($0).provider } == [Phones.number])
    }

    @Test func `a phone number makes an anonymous account lasting, with the same id`() async throws {
        let phones = try await Phones()
        let answer = await phones.signIn(try await phones.message(), ["idToken": try await phones.token(of: "nobody")])
        #expect(answer["localId"] == "nobody" && answer["isNewUser"] == .bool(false))
        #expect(await phones.signIn(try await phones.message())["localId"] == "nobody")
    }

    @Test func `a phone number that is unlinked signs in to its account no more`() async throws {
        let phones = try await Phones()
        let unlink = JSON.object(["idToken": try await phones.token(of: "radia"), "deleteProvider": .array(["phone"])])
        let answer = await phones.api.call("accounts:update", unlink).json
        #expect(answer["providerUserInfo"]?.items?.map { $0["providerId"]?.string } == ["password", "google.com"])
        #expect(await phones.signIn(try await phones.message(to: Phones.taken))["isNewUser"] == .bool(true))
    }

    /// A1: a stranger who made an account by their own phone, with another's address. A link gives
    /// the owner a new account; a reset takes over the account that there is.
    @Test(arguments: [Action.signIn, .resetPassword])
    func `a phone number of a stranger signs in to nothing of the owner of the address`(_ action: Action) async throws {
        let phones = try await Phones()
        let stranger = await phones.signIn(try await phones.message())
        let email = JSON.object(["idToken": stranger["idToken"], "email": "victim@example.com"])
        #expect(await phones.api.call("accounts:update", email).status == 200)
        let id = try #require(stranger["localId"]?.string)
        let victim = CodeRequest(
            action, for: .address(try #require(EmailAddress("victim@example.com"))), with: ApprovedSettings(in: phones.api.world.project))
        let code = try #require(try await phones.api.world.accounts.send(victim)).code
        let body: JSON =
            action == .signIn
            ? .object(["email": "victim@example.com", "oobCode": .string(code.text)])
            : .object(["newPassword": .string(API.password), "oobCode": .string(code.text)])
        let method = action == .signIn ? "accounts:signInWithEmailLink" : "accounts:resetPassword"
        #expect(await phones.api.call(method, body).status == 200)
        let account = try #require(try await phones.api.stored(id))
        #expect(account.phoneNumber == nil || account.email == nil)
        #expect((account.phoneNumber == nil) == (action == .resetPassword))
    }

    /// J4: neither the account's new number nor the number's new account is proved by it.
    @Test func `a phone number has proofs that end when its account gets another number`() async throws {
        let phones = try await Phones()
        let answer = await phones.signIn(try await phones.message(to: Phones.taken), ["idToken": try await phones.token(of: "ada")])
        for (number, name) in [(Phones.number, "radia"), (Phones.taken, "grace")] {
            let message = try await phones.message(to: number)
            #expect(await phones.signIn(message, ["idToken": try await phones.token(of: name)])["idToken"] != nil)
        }
        for number in [Phones.number, Phones.taken] {
            let proof = JSON.object(["temporaryProof": answer["temporaryProof"], "phoneNumber": .string(number)])
            #expect(await phones.api.call("accounts:signInWithPhoneNumber", proof).json.errorCode == "INVALID_TEMPORARY_PROOF")
        }
    }
}
