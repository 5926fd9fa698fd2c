import CPSL

/// The Public Suffix List: names such as `co.uk` or `github.io`, below which anyone can register
/// hosts, so that no authorised domain may cover all of one. libpsl reads the system's list
/// (Debian's `publicsuffix`) or its built-in one, whichever is newer. Source:
/// https://publicsuffix.org/list; requirement R13.
public enum PublicSuffix {
    /// Whether the list contains this domain (in ASCII form), in its ICANN or private section. The
    /// parent of a wildcard rule counts too (`kawasaki.jp`, by `*.kawasaki.jp`); an unknown
    /// top-level name (`intranet`) does not.
    public static func isPublicSuffix(_ asciiDomain: String) -> Bool {
        psl_is_public_suffix2(list, asciiDomain, Int32(PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE)) == 1
    }

    /// The public suffix of a domain (in ASCII form) with one name before it, such as
    /// `example.co.uk` of `mail.example.co.uk`; nil for a public suffix.
    public static func registrableDomain(of asciiDomain: String) -> String? {
        // Points into the argument.
        asciiDomain.withCString { domain in psl_registrable_domain(list, domain).map { String(cString: $0) } }
    }

    // Loaded once and never freed or modified; libpsl only reads it.
    nonisolated(unsafe) private static let list = psl_latest(nil) ?? psl_builtin()
}
