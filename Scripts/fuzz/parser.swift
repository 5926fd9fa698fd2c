/// The request parser: three bytes choose limits and pieces, the rest is what a client sends (H17,
/// H19).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    check(UnsafeBytes(start: start, count: count))
    return 0
}
