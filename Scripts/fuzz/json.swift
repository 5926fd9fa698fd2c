/// Any bytes: what is read and written again means the same, and can end no line, no script and no
/// tag (O2, P7).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard let json = try? JSON(Array(UnsafeBufferPointer(start: start, count: count))) else { return 0 }
    let written = json.bytes
    precondition((try? JSON(written)) == json, json.text)
    precondition(written.allSatisfy { $0 >= 0x20 && $0 != 0x7F && !"<>&".utf8.contains($0) }, json.text)
    return 0
}
