import CPSL

/// Which names belong to everybody, such as `co.uk` or `github.io`: below them, strangers register hosts, so no rule may
/// cover all of one. By the system's list (Debian's `publicsuffix`) or the one built into libpsl, whichever is newer.
/// Source: https://publicsuffix.org/list; requirement R13.
package enum PublicSuffix {
    /// Whether the list names this domain (in ASCII form), by a rule of registries or of hosting companies; the parent of
    /// a wildcard rule counts too (`kawasaki.jp`, by `*.kawasaki.jp`), an unknown top-level name (`intranet`) does not.
    package static func isPublicSuffix(_ asciiDomain: String) -> Bool {
        psl_is_public_suffix2(list, asciiDomain, Int32(PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE)) == 1
    }

    /// Safe to share: loaded once, never freed, and libpsl only reads a list that is loaded.
    nonisolated(unsafe) private static let list = psl_latest(nil) ?? psl_builtin()
}
