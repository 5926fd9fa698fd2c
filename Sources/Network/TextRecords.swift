internal import CResolv

/// The TXT records of the domain name system, by the resolvers of this machine.
public struct TextRecords: Sendable {
    /// Thrown if no resolver answers.
    public struct NoAnswer: Error {
        public init() {}
    }

    private let port: UInt16

    /// - Parameter port: the port of a resolver on 127.0.0.1; nil: those of `/etc/resolv.conf`.
    public init(loopbackPort port: UInt16? = nil) { self.port = port ?? 0 }

    /// The records of a name in ASCII, empty if there are none or no such name. Blocks for some
    /// seconds if no resolver answers.
    public func records(of name: String) throws(NoAnswer) -> [String] {
        var answer = [UInt8](repeating: 0, count: 1 << 16)
        let length = onward_txt_ask(name, port, &answer, Int32(answer.count))
        guard length >= 0 else { throw NoAnswer() }
        guard length > 0 else { return [] }
        var text = [UInt8](repeating: 0, count: 1 << 16)
        var records: [String] = []
        for index in 0... {
            let count = onward_txt_read(answer, length, Int32(index), &text)
            if count == -1 { break }
            if count >= 0 { records.append(String(decoding: text.prefix(Int(count)), as: UTF8.self)) }
        }
        return records
    }
}
