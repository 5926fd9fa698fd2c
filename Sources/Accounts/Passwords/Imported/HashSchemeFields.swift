extension HashScheme {
    /// A scheme's fields as they stand in `batchCreate`, parsed but not judged. Source: Identity Toolkit `accounts:batchCreate`.
    package struct Fields: Sendable {
        /// The whole numbers among the fields, by their names on the wire.
        package enum Number: String, Sendable, CaseIterable { case rounds, memoryCost, cpuMemCost, parallelization, blockSize, dkLen }

        package var hashAlgorithm: String?
        package var numbers: [Number: Int] = [:]
        package var signerKey: [UInt8]?
        package var saltSeparator: [UInt8]?
        package var passwordHashOrder: String?

        package init(hashAlgorithm: String?) { self.hashAlgorithm = hashAlgorithm }
    }

    /// Those that make this scheme again.
    package var fields: Fields {
        switch kind {
        case .firebaseScrypt(let signerKey, let saltSeparator, let rounds, let memoryCost):
            var fields = Fields(hashAlgorithm: "SCRYPT")
            (fields.signerKey, fields.saltSeparator) = (signerKey, saltSeparator)
            fields.numbers = [.rounds: rounds, .memoryCost: memoryCost]
            return fields
        case .scrypt(let n, let blockSize, let parallelization, let dkLen):
            var fields = Fields(hashAlgorithm: "STANDARD_SCRYPT")
            fields.numbers = [.cpuMemCost: n, .blockSize: blockSize, .parallelization: parallelization, .dkLen: dkLen]
            return fields
        case .bcrypt:
            return Fields(hashAlgorithm: "BCRYPT")
        case .pbkdf2(let hash, let rounds):
            var fields = Fields(hashAlgorithm: hash == .sha1 ? "PBKDF_SHA1" : "PBKDF2_\(hash.rawValue)")
            fields.numbers[.rounds] = rounds
            return fields
        case .hmac(let hash, let key, let order):
            var fields = Fields(hashAlgorithm: "HMAC_\(hash.rawValue)")
            (fields.signerKey, fields.passwordHashOrder) = (key, order.rawValue)
            return fields
        case .digest(let hash, let rounds, let order):
            var fields = Fields(hashAlgorithm: hash.rawValue)
            (fields.numbers[.rounds], fields.passwordHashOrder) = (rounds, order.rawValue)
            return fields
        }
    }
}

extension HashScheme.Fields {
    func number(_ name: Number, in range: ClosedRange<Int>) throws(ActionError) -> Int {
        guard let number = numbers[name], range.contains(number) else {
            let demand = "\(name.rawValue) must be a number from \(range.lowerBound) to \(range.upperBound)"
            throw name == .rounds ? .refused(.invalidHashRounds, detail: demand) : .refused(.invalidArgument, detail: "/" + demand)
        }
        return number
    }

    func key(bytes range: ClosedRange<Int>) throws(ActionError) -> [UInt8] {
        guard let key = signerKey, range.contains(key.count) else {
            throw .refused(.invalidArgument, detail: "/signerKey must be \(range.lowerBound) to \(range.upperBound) bytes in base64")
        }
        return key
    }

    func separator(maxBytes: Int) throws(ActionError) -> [UInt8] {
        let separator = saltSeparator ?? []
        guard separator.count <= maxBytes else {
            throw .refused(.invalidArgument, detail: "/saltSeparator must be \(maxBytes) bytes at most")
        }
        return separator
    }

    func order(else standard: HashScheme.Order) throws(ActionError) -> HashScheme.Order {
        guard let name = passwordHashOrder else { return standard }
        guard let order = HashScheme.Order(rawValue: name) else {
            throw .refused(.invalidArgument, detail: "/passwordHashOrder must be SALT_AND_PASSWORD or PASSWORD_AND_SALT")
        }
        return order
    }
}
