/// A password's hash that another system made, kept until its owner signs in for the first time.
struct ImportedHash: Sendable, Hashable {
    /// How many bytes the hash of a key derivation has: fewer would let chance in, more are nobody's.
    static let derivedBytes = 16...128
    private static let maxSaltBytes = 512

    let scheme: HashScheme
    let salt: [UInt8]
    let hash: [UInt8]

    /// Refuses `INVALID_ARGUMENT` for a hash that no password could ever have under this scheme.
    init(_ hash: [UInt8], salt: [UInt8], scheme: HashScheme) throws(ActionError) {
        guard salt.count <= Self.maxSaltBytes else {
            throw .refused(.invalidArgument, detail: "salt must be \(Self.maxSaltBytes) bytes at most")
        }
        guard let hash = scheme.canonical(hash) else {
            throw .refused(.invalidArgument, detail: "passwordHash is not one that the hashAlgorithm makes: \(scheme.demand)")
        }
        self.scheme = scheme
        self.salt = scheme.kind == .bcrypt ? [] : salt
        self.hash = hash
    }

    /// `$imported$SCRYPT$rounds=8,memoryCost=14,saltSeparator=Bw,signerKey=<sealed>$<salt>$<hash>`: Onward's own format; parameters in
    /// their names on the wire, bytes in base64url, the key sealed so that a copy of the database alone opens nothing.
    func text(sealing secrets: Secrets) throws -> String {
        let key = try scheme.fields.signerKey.map { Base64URL.encode(try secrets.seal($0, for: .hashKey)) }
        return "$imported$\(scheme.fields.hashAlgorithm ?? "")$\(scheme.fields.parameters(key: key))$"
            + "\(Base64URL.encode(salt))$\(Base64URL.encode(hash))"
    }

    /// Nil for another format, a damaged string, a key sealed by another secret, a cost above the ceiling (S5), or any spelling but
    /// `text`'s own.
    init?(_ text: String, opening secrets: Secrets) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].isEmpty, parts[1] == "imported",
            let salt = Base64URL.decode(String(parts[4])), let hash = Base64URL.decode(String(parts[5]))
        else { return nil }
        let values = Dictionary(
            parts[3].split(separator: ",").map { pair in
                let name = pair.prefix { $0 != "=" }
                return (String(name), String(pair.dropFirst(name.count + 1)))
            }, uniquingKeysWith: { first, _ in first })
        var fields = HashScheme.Fields(hashAlgorithm: String(parts[2]))
        for number in HashScheme.Fields.Number.allCases { fields.numbers[number] = values[number.rawValue].flatMap { Int($0) } }
        fields.saltSeparator = values["saltSeparator"].flatMap(Base64URL.decode)
        fields.signerKey = values["signerKey"].flatMap(Base64URL.decode).flatMap { try? secrets.open($0, for: .hashKey) }
        fields.passwordHashOrder = values["passwordHashOrder"]
        guard let scheme = try? HashScheme(fields), scheme.fields.parameters(key: values["signerKey"]) == parts[3] else { return nil }
        try? self.init(hash, salt: salt, scheme: scheme)
    }
}

extension HashScheme.Fields {
    /// - Parameter key: the signer key as it may be stored.
    fileprivate func parameters(key: String?) -> String {
        var pairs = Number.allCases.compactMap { name in numbers[name].map { "\(name.rawValue)=\($0)" } }
        if let saltSeparator { pairs.append("saltSeparator=\(Base64URL.encode(saltSeparator))") }
        if let key { pairs.append("signerKey=\(key)") }
        if let passwordHashOrder { pairs.append("passwordHashOrder=\(passwordHashOrder)") }
        return pairs.joined(separator: ",")
    }
}

extension HashScheme {
    /// The hash as it is stored; nil if it is none of this scheme's.
    fileprivate func canonical(_ hash: [UInt8]) -> [UInt8]? {
        switch kind {
        case .firebaseScrypt(let signerKey, _, _, _): hash.count == signerKey.count ? hash : nil
        case .scrypt(_, _, _, let dkLen): hash.count == dkLen ? hash : nil
        case .bcrypt: Bcrypt(hash) == nil ? nil : hash
        case .pbkdf2: ImportedHash.derivedBytes.contains(hash.count) ? hash : nil
        case .hmac(let name, _, _): hash.count == name.byteCount ? hash : nil
        // Production wants MD5's in hex and the others' in bytes; nothing is lost by taking both of each.
        case .digest(let name, _, _): hash.count == name.byteCount ? hash : Self.bytes(hex: hash, count: name.byteCount)
        }
    }

    fileprivate var demand: String {
        switch kind {
        case .firebaseScrypt(let signerKey, _, _, _): "\(signerKey.count) bytes, as the signer key"
        case .scrypt(_, _, _, let dkLen): "\(dkLen) bytes"
        case .bcrypt: "60 characters from $2a$, $2b$ or $2y$ on, with a cost from 4 to \(Bcrypt.maxCost)"
        case .pbkdf2: "\(ImportedHash.derivedBytes.lowerBound) to \(ImportedHash.derivedBytes.upperBound) bytes"
        case .hmac(let name, _, _): "\(name.byteCount) bytes"
        case .digest(let name, _, _): "\(name.byteCount) bytes, or these in hex"
        }
    }

    private static func bytes(hex: [UInt8], count: Int) -> [UInt8]? {
        guard hex.count == 2 * count, hex.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(String(decoding: hex[$0..<($0 + 2)], as: UTF8.self), radix: 16) }
    }
}
