import Configuration
/// Splits a JSON file of users into its users incrementally; at most one user is in memory. The
/// JSON of each user is parsed elsewhere.
///
/// The file is `{"users": [{…}, …]}`, as `firebase auth:export` writes it, the list alone, or one
/// user after another, as in JSON Lines.
struct UserArray {
    /// The largest size of a user, far above that of any real one.
    static let maxUserBytes = 1 << 20

    private enum Shape { case wrapped, list, lines }

    /// Nil until the file shows it.
    private var shape: Shape?
    /// The number of open brackets around each user; nil where no users are. At first the object
    /// that begins may be a user.
    private var depthOfUsers: Int? = 0
    /// The number of open brackets.
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The last string at depth one, which is the name of a member.
    private var name: [UInt8] = []
    private var namesLocalID = false
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
        guard shape != nil else { throw Self.noUsers }
    }

    /// Processes a byte; returns whether it ends a user.
    private mutating func take(_ byte: UInt8) throws(Failure) -> Bool {
        if let depthOfUsers, depth > depthOfUsers || depth == depthOfUsers && byte == UInt8(ascii: "{") { user.append(byte) }
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
        case UInt8(ascii: "{"): try open()
        case UInt8(ascii: "["): try openList()
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return try close()
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: ","): break
        case UInt8(ascii: ":"):
            try requireMember()
            if depth == 1, name == Array("localId".utf8) { namesLocalID = true }
        default: try requireMember()
        }
        return false
    }

    private mutating func open() throws(Failure) {
        guard depth > 0 || shape == nil || shape == .lines else { throw Self.notAnExport }
        depth += 1
    }

    private mutating func openList() throws(Failure) {
        switch depth {
        case 0:
            guard shape == nil else { throw Self.notAnExport }
            (shape, depthOfUsers) = (.list, 1)
        case 1 where shape != .list && shape != .lines && name == Array("users".utf8):
            (shape, depthOfUsers, user) = (.wrapped, 2, [])
        case depthOfUsers: throw Self.notObjects
        default: break
        }
        depth += 1
    }

    private mutating func close() throws(Failure) -> Bool {
        guard depth > 0 else { throw Self.notAnExport }
        depth -= 1
        guard depth == depthOfUsers else {
            // The list of users ends.
            if shape == .wrapped, depth == 1 { depthOfUsers = nil }
            return false
        }
        guard depth == 0 else { return true }
        // Later lines without one are refused by themselves.
        guard namesLocalID || shape == .lines else { throw Self.noUsers }
        (shape, namesLocalID) = (.lines, false)
        return true
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

    /// Throws for a value outside an object or directly in the list of users.
    private func requireMember() throws(Failure) {
        guard depth > 0 else { throw Self.notAnExport }
        guard depth != depthOfUsers else { throw Self.notObjects }
    }

    private static let notAnExport = Failure(
        #"the file is neither {"users": […]}, as firebase auth:export writes it, nor a list of users, nor one user after another"#)
    private static let notObjects = Failure("an element of the list of users is not an object")
    private static let noUsers = Failure("the file has no list named users, and no users with a localId")
}
