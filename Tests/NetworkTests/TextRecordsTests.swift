import Foundation
import Network
import Testing

@Suite struct `TXT records` {
    @Test func `are read, each joined from its strings`() throws {
        let long = String(repeating: "a", count: 255)
        let server = try Resolver(answering: .records([["v=spf1 ", "-all"], [long, "b"], [""]]))
        #expect(try server.records(of: "example.com") == ["v=spf1 -all", long + "b", ""])
        #expect(server.question == "example.com")
    }

    @Test func `are none for a name without them, and for a name that does not exist`() throws {
        #expect(try Resolver(answering: .records([])).records(of: "example.com") == [])
        #expect(try Resolver(answering: .noSuchName).records(of: "example.com") == [])
    }

    @Test func `of a resolver that fails are unknown`() throws {
        let server = try Resolver(answering: .failure)
        #expect(throws: TextRecords.NoAnswer.self) { try server.records(of: "example.com") }
    }

    @Test func `without a resolver are unknown`() throws {
        let port = try Resolver(answering: .noSuchName).port
        #expect(throws: TextRecords.NoAnswer.self) { try TextRecords(loopbackPort: port).records(of: "example.com") }
    }

    @Test func `of a damaged answer are left out`() throws {
        let server = try Resolver(answering: .damaged)
        #expect(try server.records(of: "example.com") == [])
    }
}

/// A resolver on 127.0.0.1 that gives every question the same answer. Source: RFC 1035 section 4.
private final class Resolver {
    enum Reply {
        case records([[String]]), noSuchName, failure, damaged

        var code: UInt8 {
            switch self {
            case .records, .damaged: 0
            case .noSuchName: 3
            case .failure: 2
            }
        }

        /// The data of each record.
        var data: [[UInt8]] {
            switch self {
            case .records(let records): records.map { $0.flatMap { [UInt8($0.utf8.count)] + $0.utf8 } }
            // A string that says that it is longer than its record.
            case .damaged: [[200, 1, 2]]
            case .noSuchName, .failure: []
            }
        }
    }

    private let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    let port: UInt16
    private let reply: Reply
    private(set) var question = ""

    init(answering reply: Reply) throws {
        self.reply = reply
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        try #require(isBound)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// Asks this resolver, which answers on another thread until the answer was read.
    func records(of name: String) throws -> [String] {
        let (descriptor, reply) = (descriptor, reply)
        let asked = Asked()
        let thread = Thread {
            while let question = Self.answerNext(on: descriptor, reply) { asked.question = question }
            asked.isDone.signal()
        }
        thread.start()
        defer {
            shutdown(descriptor, Int32(SHUT_RDWR))
            asked.isDone.wait()
            question = asked.question
        }
        return try TextRecords(loopbackPort: port).records(of: name)
    }

    private final class Asked: @unchecked Sendable {
        var question = ""
        let isDone = DispatchSemaphore(value: 0)
    }

    /// Returns the name in the question; nil after the end of the socket.
    private static func answerNext(on descriptor: Int32, _ reply: Reply) -> String? {
        var (query, sender) = ([UInt8](repeating: 0, count: 512), sockaddr_in())
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withUnsafeMutablePointer(to: &sender) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { recvfrom(descriptor, &query, query.count, 0, $0, &size) }
        }
        guard count > 16 else { return nil }
        // The header, then the name as labels, then type and class.
        var (names, index) = ([String](), 12)
        while query[index] != 0 {
            let length = Int(query[index])
            names.append(String(decoding: query[(index + 1)...(index + length)], as: UTF8.self))
            index += length + 1
        }
        var bytes = Array(query[..<(index + 5)])
        (bytes[2], bytes[3]) = (0x81, 0x80 | reply.code)
        (bytes[6], bytes[7], bytes[10], bytes[11]) = (0, UInt8(reply.data.count), 0, 0)
        for data in reply.data {
            // A pointer to the name of the question, TXT, IN, a time to live.
            bytes += [0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, UInt8(data.count >> 8), UInt8(data.count & 255)] + data
        }
        _ = withUnsafePointer(to: &sender) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sendto(descriptor, bytes, bytes.count, 0, $0, size) }
        }
        return names.joined(separator: ".")
    }
}
