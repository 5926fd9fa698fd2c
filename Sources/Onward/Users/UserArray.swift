/// Cuts a file of `firebase auth:export`, `{"users": [{…}, …]}`, into its users, and holds no more than one of them at a time. Fed
/// with bytes; whether each user is JSON is for others to say.
struct UserArray {
    /// Far more than any account's.
    static let maxUserBytes = 1 << 20

    /// How many brackets are open; the list of users is the second.
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The last string at the first level: before a list, its name.
    private var name: [UInt8] = []
    private var isInUsers = false
    private var hasSeenUsers = false
    private var user: [UInt8] = []

    /// The users that end in these bytes. Throws `Failure` where the file is not such a one.
    mutating func users(in bytes: some Sequence<UInt8>) throws(Failure) -> [[UInt8]] {
        var users: [[UInt8]] = []
        for byte in bytes where try take(byte) {
            users.append(user)
            user = []
        }
        return users
    }

    /// Throws `Failure` if the file ends too early.
    func finish() throws(Failure) {
        guard depth == 0, !isInString else { throw Failure("the file ends in the middle: was the export cut short?") }
        guard hasSeenUsers else { throw Failure("the file has no list named users") }
    }

    /// Whether a user ends with this byte.
    private mutating func take(_ byte: UInt8) throws(Failure) -> Bool {
        if isInUsers, depth > 2 || byte == UInt8(ascii: "{") { user.append(byte) }
        guard user.count <= Self.maxUserBytes else { throw Failure("a user of the file has more than \(Self.maxUserBytes) bytes") }
        if isInString {
            takeInString(byte)
            return false
        }
        switch byte {
        case UInt8(ascii: "\""):
            try requireRoom()
            isInString = true
            if depth == 1 { name = [] }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth > 0 || byte == UInt8(ascii: "{") else { throw Self.otherShape }
            guard !isInUsers || depth > 2 || byte == UInt8(ascii: "{") else { throw Self.otherUsers }
            if depth == 1, byte == UInt8(ascii: "["), name == Array("users".utf8) { (isInUsers, hasSeenUsers) = (true, true) }
            depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            guard depth > 0 else { throw Self.otherShape }
            depth -= 1
            if depth == 1 { isInUsers = false }
            return isInUsers && depth == 2
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: ","): break
        default: try requireRoom()
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

    /// For what may stand neither outside of the object nor directly in the list.
    private func requireRoom() throws(Failure) {
        guard depth > 0 else { throw Self.otherShape }
        guard !isInUsers || depth > 2 else { throw Self.otherUsers }
    }

    private static let otherShape = Failure(#"the file is not {"users": […]}, as firebase auth:export writes it"#)
    private static let otherUsers = Failure("the users of the file are not all objects")
}
