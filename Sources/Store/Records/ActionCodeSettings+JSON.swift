internal import EmailActions
internal import Foundation

/// The settings of a code are stored in one column, as a JSON object.
extension ActionCodeSettings {
    var json: String {
        get throws(SQLFailure) {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
            do { return String(decoding: try encoder.encode(self), as: UTF8.self) } catch {
                throw .failed(cause: "settings of a code cannot be encoded as JSON")
            }
        }
    }

    init(json: String) throws(SQLFailure) {
        if let settings = Self(plain: json) {
            self = settings
            return
        }
        do { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) } catch {
            throw .failed(cause: "settings of a code are damaged")
        }
    }

    /// Reads the JSON that `json` writes for nearly every row, without spaces, escapes or unknown
    /// names; nil for any other. Much faster than `JSONDecoder`, and every look at a code needs it.
    private init?(plain json: String) {
        var json = json
        var settings = Self()
        let isPlain = json.withUTF8 { bytes in
            var text = PlainJSON(bytes: bytes)
            guard text.take("{") else { return false }
            repeat {
                guard let name = text.string(), text.take(":"), text.read(name, of: &settings) else { return false }
            } while text.take(",")
            return text.take("}") && text.isAtEnd
        }
        guard isPlain else { return nil }
        self = settings
    }
}

/// A reader of JSON without spaces and escapes.
private struct PlainJSON {
    let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ words: StaticString) -> Bool {
        let end = position + words.utf8CodeUnitCount
        guard end <= bytes.count, (position..<end).allSatisfy({ bytes[$0] == words.utf8Start[$0 - position] }) else { return false }
        position = end
        return true
    }

    mutating func string() -> String? {
        guard take("\"") else { return nil }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] >= 0x20, bytes[position] != UInt8(ascii: "\\") else { return nil }
            position += 1
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        return take("\"") ? text : nil
    }

    mutating func read(_ name: String, of settings: inout ActionCodeSettings) -> Bool {
        switch name {
        case "url": read(&settings.url)
        case "iOSBundleID": read(&settings.iOSBundleID)
        case "iOSAppStoreID": read(&settings.iOSAppStoreID)
        case "androidPackageName": read(&settings.androidPackageName)
        case "androidInstallIfNotAvailable": read(&settings.androidInstallIfNotAvailable)
        case "androidMinimumVersion": read(&settings.androidMinimumVersion)
        case "handleCodeInApp": read(&settings.handleCodeInApp)
        case "linkDomain": read(&settings.linkDomain)
        case "dynamicLinkDomain": read(&settings.dynamicLinkDomain)
        default: false
        }
    }

    private mutating func read(_ field: inout String?) -> Bool {
        field = string()
        return field != nil
    }

    private mutating func read(_ field: inout Bool) -> Bool {
        field = take("true")
        return field || take("false")
    }
}
