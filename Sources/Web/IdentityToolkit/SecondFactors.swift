internal import Accounts
internal import Base

extension Call {
    /// The second factors that an admin enrols, in their order. Refuses
    /// `INVALID_MFA_PHONE_NUMBER`, `INVALID_MFA_ENROLLMENT_ID`, `SECOND_FACTOR_LIMIT_EXCEEDED`, and
    /// `DUPLICATE_MFA_ENROLLMENT_ID` for an id that is listed twice. A number that is listed twice
    /// counts once, as with Firebase.
    ///
    /// - Parameter present: the factors of the account, which the list refers to by their ids; nil
    ///   for a new account, whose factors get new ids.
    func secondFactors(_ list: [JSONFields], present: [SecondFactor]?) throws(ActionError) -> [SecondFactor] {
        var factors: [SecondFactor] = []
        for fields in list {
            let given = present == nil ? nil : try fields.enrollmentID()
            let id = given ?? Base64URL.encode(accounts.random(15))
            let factor = try secondFactor(fields, id: id, asNow: present?.first { $0.id == id })
            if let number = factor.phoneNumber, factors.contains(where: { $0.phoneNumber == number }) { continue }
            guard !factors.contains(where: { $0.id == id }) else { throw .refused(.duplicateMFAEnrollmentID) }
            factors.append(factor)
        }
        guard factors.count <= SecondFactor.maxPerAccount else { throw .refused(.secondFactorLimitExceeded) }
        return factors
    }

    private func secondFactor(_ fields: JSONFields, id: String, asNow present: SecondFactor?) throws(ActionError) -> SecondFactor {
        // TOTP secrets cannot be set, but an admin who writes the whole list back keeps its TOTP
        // factors.
        if fields.has("totpInfo"), let present, present.kind == .totp { return present }
        guard let number = try fields.phoneNumber("phoneInfo", orRefuse: .invalidMFAPhoneNumber) else {
            throw .refused(.invalidMFAPhoneNumber)
        }
        return SecondFactor(
            id: id, kind: .phone, displayName: try fields.profile("displayName"), phoneNumber: number.value,
            enrolledAt: try fields.dateTime("enrolledAt", until: accounts.now()) ?? present?.enrolledAt ?? accounts.now())
    }
}

extension JSONFields {
    /// Nil for a factor that is new.
    fileprivate func enrollmentID() throws(ActionError) -> String? {
        guard let id = try text("mfaEnrollmentId") else { return nil }
        guard id.unicodeScalars.count <= 128 else { throw .refused(.invalidMFAEnrollmentID) }
        return id
    }
}

extension SecondFactor {
    var json: JSON { json(unobfuscated: phoneNumber) }

    /// SDKs tell the kinds apart by the key that is present.
    private func json(unobfuscated number: String?) -> JSON {
        .object([
            "mfaEnrollmentId": .string(id),
            "displayName": .string(ifAny: displayName),
            "phoneInfo": kind == .phone ? .string(phoneNumber ?? "") : nil,
            "unobfuscatedPhoneInfo": .string(ifAny: number),
            "totpInfo": kind == .totp ? .object([:]) : nil,
            "enrolledAt": .string(enrolledAt.iso8601),
        ])
    }
}

extension FirstFactorResult {
    /// The members of a response that say how the sign-in goes on.
    var members: KeyValuePairs<String, JSON?> {
        switch self {
        case .signedIn(let tokens): tokens.members
        case .needsSecondFactor(let credential, let factors):
            ["mfaPendingCredential": .string(credential), "mfaInfo": .array(factors.map(\.maskedJSON))]
        }
    }
}

extension SecondFactor {
    /// The factor as someone may see it who has proved the first factor only: the user recognises
    /// the last four digits of the phone number.
    fileprivate var maskedJSON: JSON {
        guard let phoneNumber else { return json }
        let hidden = phoneNumber.dropLast(4).map { $0.isNumber ? "*" : $0 }
        return SecondFactor(
            id: id, kind: kind, displayName: displayName, phoneNumber: String(hidden) + phoneNumber.suffix(4), enrolledAt: enrolledAt
        )
        .json(unobfuscated: nil)
    }
}
