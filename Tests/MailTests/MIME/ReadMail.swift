import Foundation
import World

/// A message as Python's `email` package reads it, under its strictest policy.
struct ReadMail: Decodable {
    struct Field: Decodable, Hashable {
        let name, value: String
    }

    struct Address: Decodable, Hashable {
        let field, name, address: String
    }

    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    struct Part: Decodable, Hashable {
        let type, charset, encoding, content: String
    }

    /// The objections of Python to the message, its parts and its fields.
    let defects: [String]
    let fields: [Field]
    let addresses: [Address]
    let parts: [Part]
    /// The longest line of the header, and of the whole message, in octets.
    let longestFieldLine, longestLine: Int
    /// Whether all octets are ASCII, no line begins with a dot or ends in white space, and CR and
    /// LF only end lines.
    let isPlain: Bool
    /// Whether each encoded word by itself is UTF-8.
    let hasWholeWords: Bool
    /// Whether the parts are the same after Python has written the message anew, and in each other
    /// encoding.
    let survives: Bool

    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    func content(_ type: String) -> String? { parts.first { $0.type == type }?.content }

    /// Reads all messages with one interpreter for each 400, because a child is killed after a
    /// minute.
    /// - Parameter recodes: whether to find out if they survive.
    static func read(_ messages: [[UInt8]], recodes: Bool = true) throws -> [ReadMail] {
        try stride(from: 0, to: messages.count, by: 400).flatMap { start in
            let file = FileManager.default.temporaryDirectory.appending(path: "onward-mails-\(UUID())")
            defer { try? FileManager.default.removeItem(at: file) }
            let framed = messages[start...].prefix(400).reduce(into: Data()) { $0 += Data("\($1.count)\n".utf8) + Data($1) }
            try framed.write(to: file)
            let output = try Program.output(of: try Program.path(to: "python3"), ["-c", script, file.path, recodes ? "recodes" : ""])
            do { return try JSONDecoder().decode([ReadMail].self, from: Data(output.utf8)) } catch {
                throw Unreadable(description: "python3: \(output.suffix(2000))")
            }
        }
    }

    static func read(_ message: [UInt8]) throws -> ReadMail { try read([message])[0] }

    private static let script = """
        import base64, email, email.header, email.headerregistry, email.message, email.policy, functools, json, quopri, re, sys

        # Equal fields are parsed once, because most of the time is spent in them.
        policy = email.policy.default.clone(header_factory=functools.cache(email.headerregistry.HeaderRegistry()))

        def is_whole(kind, word):
            raw = base64.b64decode(word, validate=True) if kind == b'B' else quopri.decodestring(word, header=True)
            try:
                raw.decode('utf-8')
                return True
            except UnicodeDecodeError:
                return False

        def contents(message):
            return [part.get_content() for part in message.walk() if not part.is_multipart()]

        def recoded(text, encoding):
            message = email.message.EmailMessage(policy=email.policy.SMTP)
            message.set_content(text, cte=encoding)
            return contents(email.message_from_bytes(message.as_bytes(), policy=email.policy.default))[0]

        def lines(text):
            return text.replace('\\r\\n', '\\n').rstrip('\\n')

        # Python puts a space between the encoded words of a name, contrary to RFC 2047, 6.2.
        def names(message):
            for field, value in message.raw_items():
                phrase = value.rpartition('<')[0].strip()
                if phrase.startswith('=?'):
                    yield field, str(email.header.make_header(email.header.decode_header(phrase)))

        def survives(message, parts):
            again = email.message_from_bytes(message.as_bytes(policy=email.policy.SMTP), policy=email.policy.default)
            short = all(len(row) < 990 for part in parts for row in part['content'].encode().split(b'\\n'))
            return contents(again) == [part['content'] for part in parts] and all(
                lines(recoded(lines(part['content']), encoding)) == lines(part['content'])
                for part in parts if '\\r' not in lines(part['content'])
                for encoding in ('base64', 'quoted-printable') + (('8bit',) if short else ()))

        def read(raw):
            message = email.message_from_bytes(raw, policy=policy)
            defects, addresses, parts = [], [], []
            for part in message.walk():
                defects += [repr(defect) for defect in part.defects]
                for name, value in part.items():
                    defects += [f'{name}: {defect!r}' for defect in value.defects]
                    for address in getattr(value, 'addresses', ()):
                        addresses.append({'field': name, 'name': address.display_name, 'address': address.addr_spec})
                if not part.is_multipart():
                    parts.append({
                        'type': part.get_content_type(), 'charset': part.get_content_charset() or '',
                        'encoding': part['Content-Transfer-Encoding'] or '', 'content': part.get_content()})
            head = raw.split(b'\\r\\n\\r\\n', 1)[0]
            rows = raw.split(b'\\r\\n')
            words = re.findall(rb'=\\?utf-8\\?([BQ])\\?([^?\\s]*)\\?=', head)
            encoded = dict(names(message))
            for address in addresses:
                address['name'] = encoded.get(address['field'], address['name'])
            return {
                'defects': defects, 'addresses': addresses, 'parts': parts,
                'fields': [{'name': name, 'value': str(value)} for name, value in message.items()],
                'longestFieldLine': max(map(len, head.split(b'\\r\\n'))), 'longestLine': max(map(len, rows)),
                'isPlain': all(re.fullmatch(rb'(?:[\\t -~]*[!-~])?', row) and not row.startswith(b'.') for row in rows),
                'hasWholeWords': all(is_whole(*word) for word in words),
                'survives': len(sys.argv) < 3 or not sys.argv[2] or survives(message, parts),
            }

        mails = []
        with open(sys.argv[1], 'rb') as file:
            while length := file.readline():
                mails.append(read(file.read(int(length))))
        print(json.dumps(mails))
        """
}
