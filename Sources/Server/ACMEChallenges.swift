import Foundation

/// The answers to a certificate authority, which a program such as certbot writes into a folder.
/// Source: RFC 8555 section 8.3.
struct ACMEChallenges: Sendable {
    /// Nil if there are none.
    let folder: String?

    private static let prefix = "/.well-known/acme-challenge/"
    /// More than any answer has: a token and the digest of an account's key.
    private static let maxBytes = 1 << 10
    private static let maxToken = 200

    /// The content of the file for a path; nil if there is none.
    func answer(to path: String) -> [UInt8]? {
        guard let folder, path.hasPrefix(Self.prefix) else { return nil }
        let token = String(path.dropFirst(Self.prefix.count))
        guard (1...Self.maxToken).contains(token.utf8.count), token.utf8.allSatisfy(Self.isOfToken) else { return nil }
        // certbot writes below the folder that it takes for the root of a website.
        return Self.content(of: [token], in: folder) ?? Self.content(of: [".well-known", "acme-challenge", token], in: folder)
    }

    /// Whether a path is one of challenges.
    static func owns(_ path: String) -> Bool { path.hasPrefix(prefix) }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Reads a small regular file below the folder. Nothing on the way is a link, which could lead
    /// out of it, and a pipe is not waited for.
    private static func content(of names: [String], in folder: String) -> [UInt8]? {
        var descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for name in names {
            guard descriptor >= 0 else { return nil }
            let next = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            close(descriptor)
            descriptor = next
        }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= maxBytes else { return nil }
        var bytes = [UInt8](repeating: 0, count: maxBytes)
        let count = read(descriptor, &bytes, maxBytes)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }
}
