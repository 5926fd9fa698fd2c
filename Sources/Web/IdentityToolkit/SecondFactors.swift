internal import Accounts
internal import Foundation

extension Call {
    /// The second steps that an admin enrols, each number once. Refuses `INVALID_MFA_PHONE_NUMBER`, `INVALID_MFA_ENROLLMENT_ID`,
    /// `DUPLICATE_MFA_ENROLLMENT_ID`, `SECOND_FACTOR_LIMIT_EXCEEDED`.
    ///
    /// - Parameter present: those that the account has, by whose ids the list means them; nil: a new account, whose factors get ids.
    func secondFactors(_ list: [Fields], present: [SecondFactor]?) throws(ActionError) -> [SecondFactor] {
        var factors: [SecondFactor] = []
        for fields in list {
            let given = try present.map { _ throws(ActionError) in try fields.enrollmentID() }
            let id = given ?? Base64URL.encode(site.accounts.random(15))
            guard !factors.contains(where: { $0.id == id }) else { throw .refused(.duplicateMFAEnrollmentID) }
            let factor = try secondFactor(fields, id: id, asNow: present?.first { $0.id == id })
            if factor.phoneNumber == nil || !factors.contains(where: { $0.phoneNumber == factor.phoneNumber }) { factors.append(factor) }
        }
        guard factors.count <= 5 else { throw .refused(.secondFactorLimitExceeded) }
        return factors
    }

    private func secondFactor(_ fields: Fields, id: String, asNow present: SecondFactor?) throws(ActionError) -> SecondFactor {
        // Nobody writes a TOTP secret here, but who writes the whole list back keeps what is in it.
        if fields.has("totpInfo"), let present, present.kind == .totp { return present }
        guard let number = try fields.phoneNumber("phoneInfo", orRefuse: .invalidMFAPhoneNumber) else {
            throw .refused(.invalidMFAPhoneNumber)
        }
        return SecondFactor(
            id: id, kind: .phone, displayName: try fields.profile("displayName"), phoneNumber: number.value,
            enrolledAt: try fields.moment("enrolledAt") ?? present?.enrolledAt ?? site.accounts.now())
    }
}

extension Fields {
    fileprivate func enrollmentID() throws(ActionError) -> String {
        guard let id = try text("mfaEnrollmentId"), id.unicodeScalars.count <= 128 else { throw .refused(.invalidMFAEnrollmentID) }
        return id
    }

    /// An ISO 8601 moment of our age.
    func moment(_ name: String) throws(ActionError) -> Timestamp? {
        guard let text = try text(name) else { return nil }
        let styles = [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()]
        let date = styles.lazy.compactMap { try? $0.parse(text) }.first
        guard let date, (0..<4_102_444_800).contains(date.timeIntervalSince1970) else {
            throw .refused(.invalidArgument, detail: "/\(name) must be a moment such as 2026-01-31T12:00:00Z")
        }
        return Timestamp(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}

extension SecondFactor {
    /// With the key by which SDKs tell the kinds apart.
    var json: JSON {
        .object([
            "mfaEnrollmentId": .string(id),
            "displayName": .string(ifAny: displayName),
            "phoneInfo": kind == .phone ? .string(phoneNumber ?? "") : nil,
            "totpInfo": kind == .totp ? .object([:]) : nil,
            "enrolledAt": .string(enrolledAt.iso8601),
        ])
    }
}

extension Timestamp {
    /// In UTC, with milliseconds.
    var iso8601: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
