import Base
import Foundation

/// The hosts that other parsers find in a serialized URL (R2).
struct WhatOthersRead {
    /// Foundation, as an iOS or server-side Swift program would.
    let foundation: String?
    /// The regular expression of RFC 3986, appendix B, with 3.2 for the authority.
    let rfc3986: String?
    /// A reader that takes all up to the next slash, after the last `@`, for the authority.
    let upToSlash: String?

    init(_ url: String) {
        foundation = URL(string: url)?.host(percentEncoded: true)
        let parts = url.wholeMatch(of: #/([^:\/?#]+:)?(?:\/\/([^\/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?/#)
        let authority = parts?.output.2?.split(separator: "@", omittingEmptySubsequences: false).last
        upToSlash = url.split(separator: "/", maxSplits: 2).dropFirst().first.flatMap { $0.split(separator: "@").last.map(String.init) }
        rfc3986 = authority?.wholeMatch(of: #/(\[[^\]]*\]|[^:]*)(?::[0-9]*)?/#).map { String($0.output.1) }
    }
}

extension WebURL {
    /// The expected host, `""` for an app's URL without one.
    var hostForComparison: String { host?.serialized ?? "" }

    /// Both as `Location` has the URL and as links name it.
    var isReadAlikeByOthers: Bool {
        let bare = hostForComparison.trimmingCharacters(in: ["[", "]"])
        return [serialized, serializedWithoutLoneSlash].allSatisfy { text in
            let others = WhatOthersRead(text)
            return others.rfc3986 == hostForComparison && others.foundation?.trimmingCharacters(in: ["[", "]"]) ?? "" == bare
                && (try? WebURL(text)) == self && (!isWeb || others.upToSlash?.hasPrefix(hostForComparison) == true)
        }
    }

    /// Checks that a serialization is parsed to the same value and is printable ASCII without what
    /// R4 and R5 forbid.
    var isCanonical: Bool {
        (try? WebURL(serialized)) == self && serialized.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
    }
}
