/// Any query or form: it is decoded exactly once (L8), so that what is encoded again reads as the
/// same fields.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let items = WebURL.formItems(in: text)
    let again = items.map { WebURL.percentEncoded($0.name) + "=" + WebURL.percentEncoded($0.value) }.joined(separator: "&")
    precondition(again.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, text)
    precondition(WebURL.formItems(in: again).elementsEqual(items, by: ==), text)
    return 0
}
