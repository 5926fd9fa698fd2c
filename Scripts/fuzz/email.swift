/// Any text: an address has one spelling, which reads as itself, cannot end a header of a mail or a
/// command, and has no ASCII letter that the text does not have (B7, M6).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let address = EmailAddress(text) else { return 0 }
    let (bytes, domain) = (address.value.utf8, address.domain.utf8)
    precondition(bytes.count <= 254 && (1...64).contains(address.localPart.utf8.count), text)
    precondition(bytes.count { $0 == UInt8(ascii: "@") } == 1 && "\(address.localPart)@\(address.domain)" == address.value, text)
    precondition(bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F && !#""(),:;<>[\]"#.utf8.contains($0) && !(0x41...0x5A ~= $0) }, text)
    precondition(domain.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D || $0 == 0x2E }, text)
    precondition(address.value.unicodeScalars.allSatisfy { !$0.properties.isDefaultIgnorableCodePoint }, text)
    precondition(EmailAddress(address.value) == address && EmailAddress(address.shown) == address, text)
    let typed = text[..<(text.utf8.firstIndex(of: UInt8(ascii: "@")) ?? text.endIndex)]
    precondition(letters(of: address.localPart) <= letters(of: typed), text)
    return 0
}

private func letters(of text: Substring) -> Int { text.utf8.count { 0x61...0x7A ~= $0 | 0x20 } }
