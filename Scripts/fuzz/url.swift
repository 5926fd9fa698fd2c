/// Any bytes: no crash, and what is accepted is emitted as a text that reads as the same value
/// (R2), is printable ASCII without a user name (R4, R5), and keeps its host and its other
/// parameters when one is set.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWebURL(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard let url = try? WebURL(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)) else { return 0 }
    let text = url.serialized
    precondition((try? WebURL(text)) == url, text)
    precondition(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }, text)
    precondition(text.hasPrefix(url.origin) && !url.origin.contains("@"), text)

    let longer = url.appending(query: [("mode", text)])
    precondition(longer.origin == url.origin && longer.fragment == url.fragment, text)
    precondition(longer.queryItems.filter { $0.name == "mode" }.map(\.value) == [text], text)
    precondition(longer.queryItems.count == url.queryItems.count { $0.name != "mode" } + 1, text)
    return 0
}
