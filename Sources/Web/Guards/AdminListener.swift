internal import Accounts
internal import Base
internal import HTTPTypes

/// The listener that a request came through. Only the listener says so, never the request.
public enum ListenerRole: Sendable {
    /// The public listener.
    case front
    /// The listener on loopback or a private network, off by default. There `Bearer owner` is an
    /// admin, because SDKs in emulator mode can send nothing else.
    case admin
    /// The listener of the console, on loopback or a private network, off by default. There admins
    /// have keys, as at the public one.
    case console
}

/// Checks of requests at the admin listener. Every client of that listener is an admin, so a page
/// in a browser on the same machine or network must not be able to use it (P1, O8).
struct AdminListener: Sendable {
    /// The host names, without ports, that the listener serves (L2).
    let hosts: Set<String>

    /// The response to a request that the listener refuses; nil for one that it serves.
    func refusal(of request: Request, at now: Timestamp) -> Response? {
        if !hosts.contains(request.hostName) { return .misdirected }
        if request.isFromBrowser { return ErrorReport(.browserAtAdminListener, at: now).json }
        if request.isForwarded { return ErrorReport(.proxyAtAdminListener, at: now).json }
        return nil
    }
}

extension Request {
    /// The authority without its port, because the port may be forwarded from another one.
    var hostName: String {
        let authority = (head.authority ?? "").lowercased()
        return authority.hasSuffix("]") ? authority : String(authority.prefix(upTo: authority.lastIndex(of: ":") ?? authority.endIndex))
    }

    /// Whether a proxy added one of the usual headers. A proxy that was pointed at the admin
    /// listener by mistake would make every client an admin. Source: RFC 9110 section 7.6.3, RFC
    /// 7239; Apache `mod_proxy`; Cloudflare.
    fileprivate var isForwarded: Bool { HTTPField.Name.ofProxies.contains(where: head.headerFields.contains) }

    /// Whether a browser sent the request: browsers add `Origin` or `Sec-Fetch-Site` to what a page
    /// caused, admin SDKs send neither and do not use OPTIONS. Source: the Fetch Standard; Fetch
    /// Metadata Request Headers.
    fileprivate var isFromBrowser: Bool {
        head.headerFields[.origin] != nil || head.method == .options || head.headerFields[values: .secFetchSite].contains { $0 != "none" }
    }
}

extension HTTPField.Name {
    fileprivate static let ofProxies = [
        "Via", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Server", "X-Real-IP",
        "CF-Connecting-IP", "True-Client-IP",
    ].compactMap { Self($0) }
}
