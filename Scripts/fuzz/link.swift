/// Any app link: what is read is written as a link that reads as the same, and leads to web
/// addresses only (R1, R8).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let query = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let domain = try? LinkDomain("links.example.com"), let url = try? WebURL("https://links.example.com/?" + query),
        let link = try? AppLink(url, on: [domain], apps: .any)
    else { return 0 }
    precondition((try? AppLink(link.url, on: [domain], apps: .any)) == link, query)
    precondition(link.destinations.allSatisfy { $0.serialized.hasPrefix("http://") || $0.serialized.hasPrefix("https://") }, query)
    return 0
}
