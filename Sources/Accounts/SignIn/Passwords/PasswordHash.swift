import Base

/// A password hash of Onward's own: `$scrypt$ln=14,r=8,p=5$<salt>$<key>`, in base64url. Source: the
/// PHC string format.
struct PasswordHash: Sendable, Hashable {
    let cost: Passwords.Cost
    let salt: [UInt8]
    let key: [UInt8]

    init(cost: Passwords.Cost, salt: [UInt8], key: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.key = key
    }

    /// Nil for another format, a damaged string, or a cost above `Passwords.Cost.ceiling` (S5).
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
            let cost = Self.cost(parts[2]), let salt = Base64URL.decode(String(parts[3])), let key = Base64URL.decode(String(parts[4])),
            (8...64).contains(salt.count), key.count == 32
        else { return nil }
        self.init(cost: cost, salt: salt, key: key)
    }

    var text: String {
        "$scrypt$ln=\(cost.logN),r=\(cost.r),p=\(cost.p)$\(Base64URL.encode(salt))$\(Base64URL.encode(key))"
    }

    private static func cost(_ text: Substring) -> Passwords.Cost? {
        let numbers = zip(["ln=", "r=", "p="], text.split(separator: ",", omittingEmptySubsequences: false))
            .compactMap { prefix, field in field.hasPrefix(prefix) ? Int(field.dropFirst(prefix.count)) : nil }
        guard numbers.count == 3, text.split(separator: ",").count == 3 else { return nil }
        let ceiling = Passwords.Cost.ceiling
        guard (1...ceiling.logN).contains(numbers[0]), (1...ceiling.r).contains(numbers[1]), (1...ceiling.p).contains(numbers[2]) else {
            return nil
        }
        return Passwords.Cost(logN: numbers[0], r: numbers[1], p: numbers[2])
    }
}
