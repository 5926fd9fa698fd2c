import AppLinks
import Base
import Foundation
import HTTPTypes
import Store
import Testing
import World
@testable import Web
@testable import Accounts

/// A file of `Exchanges`: a request, a line `----------`, and the response to it. Its folder is the
/// label of the route, its name the name of the test.
///
/// The first line may name variations of the installation after a `#`. In the request, `{idToken
/// ada}` and the other placeholders of `value(_:_:)` are replaced by what a client would hold; in
/// the response, values that differ from run to run are replaced by `<ID token>` and the like.
struct Exchange: Sendable, CustomTestStringConvertible {
    let file: URL
    let variations: Set<API.Variation>
    let request: String
    let response: String

    /// The label of the route, or `requests` for requests that no route takes.
    var folderName: String { file.deletingLastPathComponent().lastPathComponent }
    var testDescription: String { "\(folderName): \(file.deletingPathExtension().lastPathComponent)" }

    /// The route of the request; nil if there is none.
    var route: Route? {
        let words = request.split(separator: " ").prefix(2).map(String.init)
        guard words.count == 2, let method = HTTPRequest.Method(words[0]) else { return nil }
        return RouteTable.match(String(words[1].prefix { $0 != "?" }))?.route(for: method)
    }

    static let folder = URL(filePath: #filePath).appending(path: "../../Exchanges").standardized
    static let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"
    private static let line = "\n----------\n"

    static let all: [Exchange] = {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        return files.filter { $0.pathExtension == "http" }.sorted { $0.path < $1.path }.compactMap { try? Exchange(file: $0) }
    }()

    init(file: URL) throws {
        self.file = file
        var text = try String(contentsOf: file, encoding: .utf8)
        variations =
            text.hasPrefix("#")
            ? Set(text.prefix { $0 != "\n" }.split { "#, ".contains($0) }.compactMap { API.Variation(rawValue: String($0)) }) : []
        if text.hasPrefix("#") { text = String(text.drop { $0 != "\n" }.dropFirst()) }
        let halves = text.components(separatedBy: Self.line)
        request = halves[0].trimmingCharacters(in: .newlines)
        response = halves.count > 1 ? halves[1].trimmingCharacters(in: .newlines) : ""
    }

    /// Sends the request and returns the response.
    func play() async throws -> String {
        let api = try await API(variations)
        let parts = try await api.filledIn(request).components(separatedBy: "\n\n")
        let lines = parts[0].components(separatedBy: "\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3, let method = HTTPRequest.Method(String(words[0])) else { throw CocoaError(.formatting) }
        var headers: HTTPFields = [:]
        for line in lines.dropFirst() {
            let field = line.split(separator: ":", maxSplits: 1)
            guard field.count == 2, let name = HTTPField.Name(String(field[0])) else { throw CocoaError(.formatting) }
            headers.append(HTTPField(name: name, value: field[1].trimmed))
        }
        let body = parts.dropFirst().joined(separator: "\n\n")
        if variations.contains(.limited) {
            _ = await api.respond(method, String(words[1]), headers: headers, body: Array(body.utf8))
        }
        let response = await api.respond(method, String(words[1]), headers: headers, body: Array(body.utf8))
        return Self.text(of: response)
    }

    func record(_ response: String) throws {
        let names = variations.map(\.rawValue).sorted().joined(separator: ", ")
        try ((names.isEmpty ? "" : "# \(names)\n") + request + "\n" + Self.line + "\n" + response + "\n")
            .write(to: file, atomically: true, encoding: .utf8)
    }

    /// Without the headers that every response has, which have their own test.
    private static func text(of response: Response) -> String {
        let usual = Response(.ok).headers
        let headers = response.headers.filter { usual[$0.name] != $0.value }.map { "\($0.name.rawName): \($0.value)" }.sorted()
        let body = (try? JSON(response.body)).map { $0.lines() } ?? String(decoding: response.body, as: UTF8.self)
        let head = ["HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)"] + headers
        return (head + (body.isEmpty ? [] : ["", body])).joined(separator: "\n").withoutVolatileValues
    }
}

extension String {
    fileprivate var withoutVolatileValues: String {
        replacing(#/eyJ[\w\-]+\.[\w\-]+\.[\w\-]+/#, with: "<ID token>")
            .replacing(#/eyJ[\w\-]+\.eyJ[\w\-]+\.(?![\w\-])/#, with: "<unsigned ID token>")
            .replacing(#/"[\w\-]+": "-----BEGIN CERTIFICATE-----.+?"/#, with: #""<of the key>": "<certificate>""#)
            .replacing(#/"(n|kid)": "[\w\-]+"/#) { "\"\($0.output.1)\": \"<of the key>\"" }
            .replacing(#/"(mfaPendingCredential|sessionInfo|sharedSecretKey|temporaryProof)": "[\w\-]+"/#) {
                "\"\($0.output.1)\": \"<sealed>\""
            }
            .replacing(#/"(refreshToken|refresh_token)": "[\w\-]+"/#) { "\"\($0.output.1)\": \"<refresh token>\"" }
            .replacing(#/"[A-Z2-7]{4}(-[A-Z2-7]{4}){3}"/#, with: #""<recovery code>""#)
            .replacing(#/\b[\w\-]{43}(?![\w\-])/#, with: "<43 characters>")
            .replacing(#/"(localId|sessionId|user_id)": "[\w\-]{27,28}"/#) { "\"\($0.output.1)\": \"<random>\"" }
    }
}

extension JSON {
    /// The JSON text with a member or item on each line.
    fileprivate func lines(_ indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .array(let items) where !items.isEmpty:
            return "[\n" + items.map { inner + $0.lines(inner) }.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let members) where !members.isEmpty:
            return "{\n" + members.map { "\(inner)\(JSON.string($0.name).text): \($0.value.lines(inner))" }.joined(separator: ",\n")
                + "\n\(indent)}"
        default: return text
        }
    }
}

extension API {
    /// Replaces the placeholders `{what name …}`.
    func filledIn(_ request: String) async throws -> String {
        var text = request
        while let match = text.firstMatch(of: #/\{(\w+) ([^{}\n]+)\}/#) {
            let words = match.output.2.split(separator: " ").map(String.init)
            text.replaceSubrange(match.range, with: try await value(String(match.output.1), words))
        }
        return text
    }

    private func value(_ what: String, _ words: [String]) async throws -> String {
        switch what {
        case "visitedShortLink":
            let proposal = try world.project.propose(shortLinkTo: "https://links.example/?link=https://app.example/", at: world.clock.now())
            let link = try await world.accounts.shortLinks.create(proposal, at: try #require(ShortLinkPath("/" + words[0])))
            let day = ShortLinkVisit.day(of: world.clock.now())
            try await world.store.add([
                ShortLinkVisit(link: link.id, day: day, platform: .apple, event: .click): 3,
                ShortLinkVisit(link: link.id, day: day - 6, platform: .desktop, event: .redirect): 2,
                ShortLinkVisit(link: link.id, day: day - 7, platform: .android, event: .click): 1,
            ])
            return "7"
        case "idToken": return try await tokens(of: words[0]).idToken
        case "oldIdToken": return try await tokens(of: words[0], signedInAgo: .minutes(6)).idToken
        case "idTokenFromBeforeTheAccount": return try await tokens(of: words[0], signedInAgo: .days(2)).idToken
        case "idTokenOfNobody":
            let token = try await tokens(of: words[0]).idToken
            try await site.identityToolkit.accounts.erasure.delete(try #require(try await stored(words[0])))
            return token
        case "refreshToken": return try await tokens(of: words[0]).refreshToken
        case "refreshTokenFromBeforeTheReset":
            let token = try await tokens(of: words[0]).refreshToken
            _ = try await world.redeem(try await code(.resetPassword, for: words[0]), with: .newPassword("a quiet long phrase"))
            return token
        case "refreshTokenOfNobody":
            let token = try await tokens(of: words[0]).refreshToken
            try await site.identityToolkit.accounts.erasure.delete(try #require(try await stored(words[0])))
            return token
        case "supersededRefreshToken":
            let token = try await tokens(of: words[0]).refreshToken
            let next = try await site.identityToolkit.accounts.refresh(token, in: world.project)
            _ = try await site.identityToolkit.accounts.refresh(next.refreshToken, in: world.project)
            world.clock.advance(by: RefreshTokenRecord.grace + .milliseconds(1))
            return token
        case "sessionCookie":
            return try await site.identityToolkit.accounts.sessionCookie(for: user(behind: tokens(of: words[0]).idToken))
        case "signedIdToken": return try await idToken(of: words[0], signedWith: world.signingKeys())
        case "unsignedIdToken": return try await idToken(of: words[0], signedWith: nil)
        case "customToken": return try Signer.backEnd.token(customToken(words[0]))
        case "foreignCustomToken": return try Signer.backEnd.token(customToken(words[0], from: "other@shop.example"))
        case "forgedCustomToken": return try Signer.attacker.token(customToken(words[0]))
        case "unsignedCustomToken":
            return [#"{"alg":"none","typ":"JWT"}"#, customToken(words[0]), ""].map { Base64URL.encode(Array($0.utf8)) }
                .joined(separator: ".")
        case "code": return try await code(words).text
        case "mailed": return try await mailed(to: words[0])
        case "suppressed": return try await suppressed(words[0])
        case "toldEvent":
            world.tellEvents()
            var change = AccountChange()
            change.displayName = .set("Augusta")
            change.disabled = true
            _ = try await world.accounts.update(try #require(try await stored(words[0])), with: change, byAdmin: true, in: world.project)
            return try #require(try await world.events().first).id
        case "enrolled":
            if words[2] == "totp" {
                try await world.enrollApp(for: words[0], factor: words[1])
            } else {
                try await enroll(
                    SecondFactor(id: words[1], kind: .phone, displayName: "Phone", phoneNumber: words[2], enrolledAt: world.clock.now()),
                    for: words[0])
            }
            return words[0]
        case "firstFactorOf": return try await mfaPendingCredential(of: words[0])
        case "expiredFirstFactorOf":
            let credential = try await mfaPendingCredential(of: words[0])
            world.clock.advance(by: .minutes(10))
            return credential
        case "sessionOf", "enrollmentOf":
            let idToken = try await tokens(of: words[0]).idToken
            let enrollment = try await site.identityToolkit.accounts.startEnrollment(for: user(behind: idToken))
            guard what == "enrollmentOf" else { return enrollment.sessionInfo }
            let code = TOTP(key: try AuthenticatorApp.key(ofBase32: enrollment.sharedSecretKey)).password(at: world.clock.now())
            return #"{"sessionInfo":"\#(enrollment.sessionInfo)","verificationCode":"\#(code)"}"#
        case "phoneSession": return try await verificationSession(for: .signIn, to: words[0])
        case "expiredPhoneSession":
            let session = try await verificationSession(for: .signIn, to: words[0])
            world.clock.advance(by: VerificationCode.lifetime)
            return session
        case "phoneEnrollmentOf": return try await verificationSession(for: .enrollment(AccountID(rawValue: words[0])), to: words[1])
        case "phoneFactorOf":
            let purpose = VerificationCode.Purpose.secondFactor(AccountID(rawValue: words[0]), id: words[1])
            return try await verificationSession(for: purpose, to: words[2])
        case "temporaryProof": return try await temporaryProof(of: words[0])
        case "stateOf":
            let visit = ProviderVisit(
                provider: "google.com", continueURI: "https://app.example/__/auth/handler", random: world.random.bytes)
            return SealedVisit(visit, in: world.project.id, at: world.clock.now()).state(for: VisitSession(id: words[0]), by: world.secrets)
        case "appCode": return AuthenticatorApp(clock: world.clock).code
        case "expiredCode": return try await code(words, madeAgo: .days(90)).text
        case "usedCode":
            let code = try await code(words)
            try await spend(code)
            return code.text
        default: throw CocoaError(.formatting)
        }
    }

    /// The `sessionInfo` of a code 123456.
    private func verificationSession(for purpose: VerificationCode.Purpose, to number: String) async throws -> String {
        let number = try #require(PhoneNumber(number))
        let accounts = site.identityToolkit.accounts
        return try await accounts.issueVerificationCode(to: number, for: purpose, fixed: "123456", in: world.project.id).sessionInfo
    }

    /// The proof that a client gets that wants to link a number of another account to ada's.
    private func temporaryProof(of number: String) async throws -> String {
        let code = TypedVerificationCode("123456", sessionInfo: try await verificationSession(for: .signIn, to: number))
        let ada = try #require(try await stored("ada"))
        let accounts = site.identityToolkit.accounts
        guard case .belongsToOther(_, let proof) = try await accounts.link(.code(code), to: ada, replacing: true, in: world.project) else {
            throw CocoaError(.formatting)
        }
        return proof
    }

    /// The credential that the first factor of an account gives. An authenticator app is enrolled
    /// first, the factor `app`.
    private func mfaPendingCredential(of name: String) async throws -> String {
        try await world.enrollApp(for: name)
        let account = try #require(try await stored(name))
        guard case .needsSecondFactor(let credential, _) = try await site.identityToolkit.accounts.signIn(account, by: .password) else {
            throw CocoaError(.formatting)
        }
        return credential
    }

    /// Asks for two mails to an account. A relay takes the first one, whose link is used then.
    private func mailed(to name: String) async throws -> String {
        let email = try #require(try await stored(name)?.email)
        for action in [Action.verifyEmail, .resetPassword] {
            let request = CodeRequest(action, for: .address(email), with: ApprovedSettings(in: world.project))
            let issued = try await world.accounts.send(request)
            if action == .verifyEmail { try await spend(try #require(issued).code) }
        }
        let now = world.clock.now()
        for mail in try await world.store.lease(MailLease(limit: 1, until: now + .seconds(60)), at: now) {
            let report = DeliveryOutcome(.accepted, relay: "smtp.example:587", answer: "250 OK")
            try await world.store.end(mail, as: .sent, report, keepsLetter: false, at: now + .seconds(2))
        }
        return email.value
    }

    /// Reports that the mailbox of an account does not exist, and a minute later that its owner
    /// complained, after two mails to it.
    private func suppressed(_ name: String) async throws -> String {
        let email = try await mailed(to: name)
        let recipient = world.outbox.digest(of: try #require(EmailAddress(email)), in: world.project.id)
        for (kind, provider) in [(MailFeedback.Kind.bounce, FeedbackProvider.relay), (.complaint, .sns)] {
            let suppression = Suppression(kind, of: recipient, in: world.project.id, from: provider, at: world.clock.now())
            #expect(try await world.store.suppress([try #require(suppression)], by: nil, at: world.clock.now()) == .counted(suppressed: 1))
            world.clock.advance(by: .seconds(60))
        }
        return email
    }

    private func idToken(of name: String, signedWith keys: SigningKeys?) async throws -> String {
        let account = try #require(try await stored(name))
        return try await world.accounts(signedWith: keys).openSession(for: account, by: .password).idToken
    }

    /// The payload that Firebase's server SDKs put into a custom token.
    private func customToken(_ uid: String, from email: String = Signer.email) -> String {
        let now = world.clock.now().seconds
        return """
            {"iss":"\(email)","sub":"\(email)","iat":\(now),"exp":\(now + 3600),"uid":"\(uid)","claims":{"role":"guest"},\
            "aud":"https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"}
            """
    }

    /// A code for words such as `verifyEmail ada` or `verifyAndChangeEmail ada new@example.com`.
    /// A factor is enrolled first for `revertSecondFactorAddition`.
    private func code(_ words: [String], madeAgo ago: Duration = .zero) async throws -> OobCode {
        guard let action = Action(rawValue: words[0]) else { throw CocoaError(.formatting) }
        let isRevert = action == .revertSecondFactorAddition
        if isRevert {
            try await enroll(
                SecondFactor(id: "factor", kind: .phone, displayName: "Phone", phoneNumber: "+15555550100", enrolledAt: world.clock.now()),
                for: words[1])
        }
        return try await code(
            action, for: words[1], other: words.count > 2 ? EmailAddress(words[2]) : nil, factor: isRevert ? "factor" : nil, madeAgo: ago)
    }
}
