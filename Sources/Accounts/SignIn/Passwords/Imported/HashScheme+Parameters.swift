extension HashScheme {
    /// The parameters of a scheme as `accounts:batchCreate` sends them, parsed but not checked.
    /// Source: Identity Toolkit.
    public struct Parameters: Sendable {
        /// The parameters that are whole numbers, by their names on the wire.
        public enum Number: String, Sendable, CaseIterable { case rounds, memoryCost, cpuMemCost, parallelization, blockSize, dkLen }

        public var hashAlgorithm: String?
        public var numbers: [Number: Int] = [:]
        public var signerKey: [UInt8]?
        public var saltSeparator: [UInt8]?
        public var passwordHashOrder: String?

        public init(hashAlgorithm: String?) { self.hashAlgorithm = hashAlgorithm }
    }

    /// The parameters of this scheme.
    public var parameters: Parameters {
        switch kind {
        case .firebaseScrypt(let signerKey, let saltSeparator, let rounds, let memoryCost):
            var parameters = Parameters(hashAlgorithm: "SCRYPT")
            (parameters.signerKey, parameters.saltSeparator) = (signerKey, saltSeparator)
            parameters.numbers = [.rounds: rounds, .memoryCost: memoryCost]
            return parameters
        case .scrypt(let n, let blockSize, let parallelization, let dkLen):
            var parameters = Parameters(hashAlgorithm: "STANDARD_SCRYPT")
            parameters.numbers = [.cpuMemCost: n, .blockSize: blockSize, .parallelization: parallelization, .dkLen: dkLen]
            return parameters
        case .bcrypt:
            return Parameters(hashAlgorithm: "BCRYPT")
        case .pbkdf2(let hash, let rounds):
            var parameters = Parameters(hashAlgorithm: hash == .sha1 ? "PBKDF_SHA1" : "PBKDF2_\(hash.rawValue)")
            parameters.numbers[.rounds] = rounds
            return parameters
        case .hmac(let hash, let key, let order):
            var parameters = Parameters(hashAlgorithm: "HMAC_\(hash.rawValue)")
            (parameters.signerKey, parameters.passwordHashOrder) = (key, order.rawValue)
            return parameters
        case .digest(let hash, let rounds, let order):
            var parameters = Parameters(hashAlgorithm: hash.rawValue)
            (parameters.numbers[.rounds], parameters.passwordHashOrder) = (rounds, order.rawValue)
            return parameters
        }
    }
}

extension HashScheme.Parameters {
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
