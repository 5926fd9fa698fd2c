import HTTPTypes

/// Accept-Encoding and If-None-Match, a line each: `gzip;q=0` always has the last word, and a tag
/// that is named strongly is named weakly, too.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let lines = UnsafeBufferPointer(start: start, count: count).split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    var fields = HTTPFields()
    for (name, value) in zip([HTTPField.Name.acceptEncoding, .ifNoneMatch], lines) { fields.append(HTTPField(name: name, value: value)) }
    let tag = EntityTag(of: [])
    if tag.isNamed(by: .ifNoneMatch, of: fields, .strong) == true {
        precondition(tag.isNamed(by: .ifNoneMatch, of: fields, .weak) == true)
    }
    precondition((tag.isNamed(by: .ifNoneMatch, of: fields, .weak) == nil) == (lines.count < 2))
    _ = AcceptedCodings(fields).prefersGzip
    fields.append(HTTPField(name: .acceptEncoding, value: "gzip;q=0"))
    precondition(!AcceptedCodings(fields).prefersGzip)
    return 0
}
