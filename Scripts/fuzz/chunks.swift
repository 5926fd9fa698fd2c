/// Fuzzes the parser behind the head of a chunked body, so that the fuzzer does not have to find
/// the head first (H9).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    check(UnsafeBytes(start: start, count: count), after: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    return 0
}
