import Accounts
import AppLinks
import Base
import Views
import Yams

extension Setting {
    /// All projects. Ids, API keys and link domains identify a project, so each must be unique in
    /// the file.
    /// - Parameter environment: nil if secrets are not looked up.
    func projects(origin: WebURL?, _ environment: Configuration.Environment?) throws(SettingError) -> [Project] {
        let projects = try list { item throws(SettingError) in
            try item.section { project in project.project(origin: origin, environment) }
        }
        guard node.sequence?.isEmpty == false else { throw SettingError("expected a list of one or more") }
        return projects.compactMap(\.self)
    }
}

extension Section {
    fileprivate func project(origin: WebURL?, _ environment: Configuration.Environment?) -> Project? {
        let id = required("id", expecting: "a name such as my-app") { value throws(SettingError) in
            let id = try value.text(
                matching: #/[a-z][a-z0-9\-]{0,62}/#, "a letter, then up to 62 lower-case letters, digits and hyphens")
            try value.findings.claim(id, as: "project id", by: value)
            return ProjectID(rawValue: id)
        }
        let name = required("displayName", expecting: "the name of the app, as users know it") { value throws(SettingError) in
            let name = try value.text()
            guard name.count <= 100, name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                throw SettingError("expected a name of one line and at most 100 characters")
            }
            return name
        }
        let keys = required("apiKeys", expecting: "a list of one or more") { value throws(SettingError) in try value.apiKeys() }
        let apps = section("apps") { apps in apps.apps() } ?? RegisteredApps.none
        let allowsPlainHTTP = value("allowPlainHTTPUpstream") { value throws(SettingError) in try value.flag() } ?? false
        var namesAuthority = false
        let base =
            value("authority") { value throws(SettingError) in
                namesAuthority = value.node.scalar?.string != "local"
                return try value.authority(allowsPlainHTTP: allowsPlainHTTP)
            } ?? nil
        let (domains, awaited) = authorizedDomains(for: apps, hasUpstream: namesAuthority)
        let actionURL = value("actionURL") { value throws(SettingError) in try value.webURL() } ?? origin?.standardActionURL

        guard let id, let name, let keys, let domains, let actionURL else {
            _ = optionalSettings(of: nil, environment)
            return nil
        }
        var project = Project(id: id, displayName: name, authorizedDomains: domains, actionURL: actionURL)
        project.apiKeys = Set(keys)
        project.apps = apps
        project.upstream = base.map { UpstreamProject(base: $0, domains: awaited ? .awaited : .file) }
        return optionalSettings(of: project, environment)
    }

    /// - Returns: the domains, and whether they are to be read from the upstream.
    private func authorizedDomains(for apps: RegisteredApps, hasUpstream: Bool) -> (AuthorizedDomains?, awaited: Bool) {
        var awaited = false
        func entries(_ value: Setting) throws(SettingError) -> [String] {
            try value.list { item throws(SettingError) in
                let text = try item.text()
                do throws(AuthorizedDomains.BadEntry) { _ = try AuthorizedDomains([text]) } catch { throw SettingError(error.explanation) }
                return text
            }
        }
        let secure = required("authorizedDomains", expecting: "a list of hosts, which may be empty: []") { value throws(SettingError) in
            guard value.isWord("upstream") else { return try entries(value) }
            guard hasUpstream else {
                throw SettingError("the value upstream requires an authority other than local; expected a list of hosts")
            }
            awaited = true
            return []
        }
        let plain = value("plainHTTPDomains") { value throws(SettingError) in try entries(value) } ?? []
        return (secure.flatMap { try? AuthorizedDomains($0, schemes: apps.customSchemes, plainHTTP: plain) }, awaited)
    }
}

extension Setting {
    /// Nil for `local`.
    /// - Parameter allowsPlainHTTP: whether plain http is accepted to a private network, too.
    fileprivate func authority(allowsPlainHTTP: Bool) throws(SettingError) -> WebURL? {
        if isWord("local") { return nil }
        let text = try text()
        let url: WebURL
        if allowsPlainHTTP, let plain = try? WebURL(text), plain.scheme == "http", plain.host?.isOfPrivateNetwork == true {
            url = plain
        } else {
            do throws(SettingError) { url = try webURL() } catch {
                let isPlain = (try? WebURL(text))?.scheme == "http"
                throw SettingError(
                    "expected local, or the URL of an Identity Toolkit: \(error.sentence)"
                        + (isPlain
                            ? "; allowPlainHTTPUpstream: true allows plain http to a private address, a name without a dot or one "
                                + "below .internal, such as an emulator in docker-compose" : ""))
            }
        }
        guard url.query == nil, url.fragment == nil else { throw SettingError("expected a URL without ? and #") }
        return url
    }

    fileprivate func apiKeys() throws(SettingError) -> [String] {
        let keys = try list { item throws(SettingError) in
            let key = try item.text(matching: #/[A-Za-z0-9_\-]{8,128}/#, "8 to 128 letters, digits, _ and -")
            try item.findings.claim(key, as: "API key", by: item)
            return key
        }
        guard node.sequence?.isEmpty == false else { throw SettingError("expected a list of one or more") }
        return keys
    }
}

extension WebURL.Host {
    /// Whether it is a private address, or a name that only a private network resolves.
    fileprivate var isOfPrivateNetwork: Bool {
        switch self {
        case .address(let address): address.isPrivate
        // `internal` is reserved for such networks; Docker calls its host so.
        case .domain(let name): !name.contains(".") || name.hasSuffix(".internal")
        case .opaque: false
        }
    }
}

extension WebURL {
    /// The URL of Onward's action page at this origin.
    var standardActionURL: WebURL? { try? WebURL(origin + "/__/auth/action") }
}
