/// Splits a file of `firebase auth:export`, `{"users": [{…}, …]}`, into its users incrementally; at
/// most one user is in memory. The JSON of each user is parsed elsewhere.
struct UserArray {
    /// The largest size of a user, far above that of any real one.
    static let maxUserBytes = 1 << 20

    /// The number of open brackets. Users are at depth two.
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The last string at depth one, which is the name of a list that follows.
    private var name: [UInt8] = []
    private var isInUsers = false
    private var hasSeenUsers = false
    private var user: [UInt8] = []

    /// The users that end within these bytes. Throws `Failure` if the file has another structure.
    mutating func users(in bytes: some Sequence<UInt8>) throws(Failure) -> [[UInt8]] {
        var users: [[UInt8]] = []
        for byte in bytes where try take(byte) {
            users.append(user)
            user = []
        }
        return users
    }

    /// Checks that the file is complete; throws `Failure` otherwise.
    func finish() throws(Failure) {
        guard depth == 0, !isInString else { throw Failure("the file is truncated; repeat the export") }
        guard hasSeenUsers else { throw Failure("the file has no list named users") }
    }

    /// Processes a byte; returns whether it ends a user.
    private mutating func take(_ byte: UInt8) throws(Failure) -> Bool {
        if isInUsers, depth > 2 || byte == UInt8(ascii: "{") { user.append(byte) }
        guard user.count <= Self.maxUserBytes else { throw Failure("a user of the file has more than \(Self.maxUserBytes) bytes") }
        if isInString {
            takeInString(byte)
            return false
        }
        switch byte {
        case UInt8(ascii: "\""):
            try requireMember()
            isInString = true
            if depth == 1 { name = [] }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth > 0 || byte == UInt8(ascii: "{") else { throw Self.notAnExport }
            guard !isInUsers || depth > 2 || byte == UInt8(ascii: "{") else { throw Self.notObjects }
            if depth == 1, byte == UInt8(ascii: "["), name == Array("users".utf8) { (isInUsers, hasSeenUsers) = (true, true) }
            depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            guard depth > 0 else { throw Self.notAnExport }
            depth -= 1
            if depth == 1 { isInUsers = false }
            return isInUsers && depth == 2
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: ","): break
        default: try requireMember()
        }
        return false
    }

    private mutating func takeInString(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
        }
        if isInString, depth == 1 { name.append(byte) }
    }

    /// Throws for a value outside the object or directly in the list of users.
    private func requireMember() throws(Failure) {
        guard depth > 0 else { throw Self.notAnExport }
        guard !isInUsers || depth > 2 else { throw Self.notObjects }
    }

    private static let notAnExport = Failure(#"the file is not {"users": […]}, as firebase auth:export writes it"#)
    private static let notObjects = Failure("an element of the list users is not an object")
}
