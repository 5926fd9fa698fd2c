internal import Base

extension Letter {
    /// The parts of a letter that its row seals: those that have no column. Names are short,
    /// because every waiting mail stores them.
    var sealedParts: JSON {
        .object([
            "name": .string(ifAny: displayName), "other": .string(ifAny: otherEmail?.value), "factor": .string(ifAny: secondFactor),
            "link": .string(ifAny: link), "number": .string(ifAny: confirmationNumber), "browser": .string(ifAny: device?.browser),
            "system": .string(ifAny: device?.system), "provider": .string(ifAny: provider),
            "again": isSentAgain ? .bool(true) : nil,
            "password": waysIn?.hasPassword == true ? .bool(true) : nil,
            "former": formerPassword == .inForce ? nil : .string(formerPassword.rawValue), "noReset": canReset ? nil : .bool(true),
            "created": .string(ifAny: accountCreatedAt.map { String($0.milliseconds) }),
            "ways": waysIn.map { .array($0.names.map { .string($0) }) },
        ])
    }

    /// The letter of a mail.
    /// - Parameter parts: what `sealedParts` was when the mail was stored.
    init(of mail: StoredMail, _ parts: JSON) {
        self.init(mail.kind, to: mail.recipient, language: mail.language, createdAt: mail.createdAt)
        displayName = parts["name"]?.string
        otherEmail = parts["other"]?.string.flatMap { EmailAddress($0) }
        secondFactor = parts["factor"]?.string
        provider = parts["provider"]?.string
        waysIn = parts["ways"]?.items.map { names in
            WaysIn(hasPassword: parts["password"] != nil, names: names.compactMap(\.string))
        }
        accountCreatedAt = parts["created"]?.string.flatMap { Int64($0) }.map { Timestamp(milliseconds: $0) }
        formerPassword = parts["former"]?.string.flatMap { PasswordFacts.Former(rawValue: $0) } ?? .inForce
        isSentAgain = parts["again"] != nil
        canReset = parts["noReset"] == nil
        link = parts["link"]?.string
        confirmationNumber = parts["number"]?.string
        device = ClientDevice(browser: parts["browser"]?.string, system: parts["system"]?.string)
        expiresAt = mail.uselessAfter
    }
}
