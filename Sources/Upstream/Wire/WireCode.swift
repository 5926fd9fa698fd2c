internal import EmailActions
internal import Foundation

/// What is sent with a code. Source: Identity Toolkit `ResetPasswordRequest`, `SetAccountInfoRequest`.
struct WireCode: Encodable {
    let oobCode: String
    var newPassword: String?

    /// Strings alone, which can always be written.
    var json: [UInt8] { (try? JSONEncoder().encode(self)).map { Array($0) } ?? [] }
}

extension Decodable {
    /// Nil for anything but a JSON text of just this form; members that it does not name are left alone.
    init?(json: [UInt8]) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
        self = value
    }
}

/// Source: Identity Toolkit `GetProjectConfigResponse`.
struct WireProject: Decodable {
    let projectId: String
    let authorizedDomains: [String]?
}

/// Source: Identity Toolkit `SetAccountInfoResponse`; `ResetPasswordResponse` says the address alone.
struct WireEffect: Decodable {
    let localId: String?
    let email: String?
}

/// Source: Identity Toolkit `ResetPasswordResponse`.
struct WireInspection: Decodable {
    struct SecondFactor: Decodable {
        let displayName: String?
        let phoneInfo: String?
    }

    let requestType: String
    let email: String?
    let newEmail: String?
    let mfaInfo: SecondFactor?

    /// Nil where something is missing that every Identity Toolkit says.
    var code: UpstreamCode? {
        guard let action = Action(requestType: requestType) else { return nil }
        let (email, newEmail) = (email.flatMap(Shown.init)?.text, newEmail.flatMap(Shown.init)?.text)
        let factor = mfaInfo.flatMap { $0.displayName.flatMap(Shown.init) ?? $0.phoneInfo.flatMap(Shown.init) }?.text
        let isWhole =
            switch action {
            case .signIn: true
            case .resetPassword, .verifyEmail, .recoverEmail: email != nil
            case .verifyAndChangeEmail: email != nil && newEmail != nil
            case .revertSecondFactorAddition: email != nil && mfaInfo != nil
            }
        return isWhole
            ? UpstreamCode(action: action, email: action == .signIn ? nil : email, newEmail: newEmail, secondFactor: factor) : nil
    }
}

/// Text of an upstream's that pages may show: a line of a length that people read.
struct Shown {
    let text: String

    /// Nil for anything else.
    init?(_ text: String) {
        guard (1...320).contains(text.unicodeScalars.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && $0.properties.generalCategory != .format })
        else { return nil }
        self.text = text
    }
}
