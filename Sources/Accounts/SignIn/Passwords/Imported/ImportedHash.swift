internal import Base
internal import Cryptography

/// A password hash that another system made. It is kept until the user signs in for the first time.
struct ImportedHash: Sendable, Hashable {
    /// The lengths in bytes of hashes from key derivation functions. Shorter ones would match by
    /// chance.
    static let derivedBytes = 16...128
    private static let maxSaltBytes = 512

    let scheme: HashScheme
    let salt: [UInt8]
    let hash: [UInt8]

    /// Refuses `INVALID_ARGUMENT` for a hash that no password has under this scheme.
    init(_ hash: [UInt8], salt: [UInt8], scheme: HashScheme) throws(ActionError) {
        guard salt.count <= Self.maxSaltBytes else {
            throw .refused(.invalidArgument, detail: "salt must be at most \(Self.maxSaltBytes) bytes")
        }
        guard let hash = scheme.canonical(hash) else {
            throw .refused(.invalidArgument, detail: "passwordHash does not fit hashAlgorithm: expected \(scheme.expectation)")
        }
        self.scheme = scheme
        self.salt = scheme.kind == .bcrypt ? [] : salt
        self.hash = hash
    }

    /// `$imported$SCRYPT$rounds=8,memoryCost=14,saltSeparator=Bw,signerKey=<sealed>$<salt>$<hash>`:
    /// Onward's own format with the names of the wire and bytes in base64url. The signer key is
    /// sealed, so that a copy of the database alone opens nothing.
    func text(sealing secrets: Secrets) -> String {
        let key = scheme.parameters.signerKey.map { Base64URL.encode(secrets.seal($0, for: .hashKey)) }
        return "$imported$\(scheme.parameters.hashAlgorithm ?? "")$\(scheme.parameters.text(key: key))$"
            + "\(Base64URL.encode(salt))$\(Base64URL.encode(hash))"
    }

    /// Nil for another format, a damaged string, a key from before the secret was replaced, a cost
    /// above the limits (S5), or a spelling that differs from `text`.
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
        var parameters = HashScheme.Parameters(hashAlgorithm: String(parts[2]))
        for number in HashScheme.Parameters.Number.allCases { parameters.numbers[number] = values[number.rawValue].flatMap { Int($0) } }
        parameters.saltSeparator = values["saltSeparator"].flatMap(Base64URL.decode)
        parameters.signerKey = values["signerKey"].flatMap(Base64URL.decode).flatMap { try? secrets.open($0, for: .hashKey) }
        parameters.passwordHashOrder = values["passwordHashOrder"]
        guard let scheme = try? HashScheme(parameters), scheme.parameters.text(key: values["signerKey"]) == parts[3] else { return nil }
        try? self.init(hash, salt: salt, scheme: scheme)
    }
}

extension Secrets {
    /// Seals the signer key in a stored password hash again, if there is one.
    public func reseal(passwordHash text: String) -> Resealing<String> {
        guard let key = text.firstMatch(of: #/^\$imported\$.*[$,]signerKey=(?<sealed>[A-Za-z0-9_-]+)/#)?.sealed else { return .unneeded }
        guard let sealed = Base64URL.decode(String(key)) else { return .impossible }
        return reseal(sealed, for: .hashKey).map { text[..<key.startIndex] + Base64URL.encode($0) + text[key.endIndex...] }.map(String.init)
    }
}

extension HashScheme.Parameters {
    /// The parameters as they are stored.
    /// - Parameter key: the sealed signer key.
    fileprivate func text(key: String?) -> String {
        var pairs = Number.allCases.compactMap { name in numbers[name].map { "\(name.rawValue)=\($0)" } }
        if let saltSeparator { pairs.append("saltSeparator=\(Base64URL.encode(saltSeparator))") }
        if let key { pairs.append("signerKey=\(key)") }
        if let passwordHashOrder { pairs.append("passwordHashOrder=\(passwordHashOrder)") }
        return pairs.joined(separator: ",")
    }
}

extension HashScheme {
    /// The hash in the form in which it is stored; nil if this scheme does not make it.
    fileprivate func canonical(_ hash: [UInt8]) -> [UInt8]? {
        switch kind {
        case .firebaseScrypt(let signerKey, _, _, _): hash.count == signerKey.count ? hash : nil
        case .scrypt(_, _, _, let dkLen): hash.count == dkLen ? hash : nil
        case .bcrypt: BcryptHash(hash, maxCost: Self.maxBcryptCost) == nil ? nil : hash
        case .pbkdf2: ImportedHash.derivedBytes.contains(hash.count) ? hash : nil
        case .hmac(let name, _, _): hash.count == name.function.byteCount ? hash : nil
        // Firebase expects MD5 in hex and the others as bytes. Both forms of all are accepted, as
        // they cannot be confused.
        case .digest(let name, _, _): hash.count == name.function.byteCount ? hash : Self.bytes(hex: hash, count: name.function.byteCount)
        }
    }

    fileprivate var expectation: String {
        switch kind {
        case .firebaseScrypt(let signerKey, _, _, _): "\(signerKey.count) bytes, as the signer key"
        case .scrypt(_, _, _, let dkLen): "\(dkLen) bytes"
        case .bcrypt: "60 characters from $2a$, $2b$ or $2y$ on, with a cost from 4 to \(Self.maxBcryptCost)"
        case .pbkdf2: "\(ImportedHash.derivedBytes.lowerBound) to \(ImportedHash.derivedBytes.upperBound) bytes"
        case .hmac(let name, _, _): "\(name.function.byteCount) bytes"
        case .digest(let name, _, _):
            "\(name.function.byteCount) bytes, or their \(2 * name.function.byteCount) hexadecimal digits, in base64"
        }
    }

    private static func bytes(hex: [UInt8], count: Int) -> [UInt8]? {
        guard hex.count == 2 * count, hex.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(String(decoding: hex[$0..<($0 + 2)], as: UTF8.self), radix: 16) }
    }
}
