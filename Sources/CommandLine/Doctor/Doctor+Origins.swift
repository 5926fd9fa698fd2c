import Accounts
import AppLinks
import Base
import Configuration
import Network

extension Doctor {
    /// The public origin and each link domain, asked as a browser or a phone would ask.
    func origins() async -> [Diagnosis] {
        let origin = configuration.publicOrigin.origin
        var found = [judge(await get(origin + "/.well-known/jwks.json"), of: "origin \(origin)", saying: "answers as this server")]
        if let project = configuration.projects.first, project.sharesPasswords(among: configuration.projects) {
            found += await associationFiles(of: project.apps, for: .passwords, at: origin, called: "origin \(origin)")
        }
        for project in configuration.projects {
            for domain in project.linkDomains {
                let name = "link domain \(domain.authority)"
                found += await associationFiles(of: project.apps, for: .links, at: domain.origin, called: name)
            }
        }
        return found
    }

    private func associationFiles(
        of apps: RegisteredApps, for use: AssociationFiles.Use, at origin: String, called name: String
    ) async -> [Diagnosis] {
        var found: [Diagnosis] = []
        for (path, content) in [
            ("/.well-known/apple-app-site-association", AssociationFiles.appleAppSiteAssociation(for: apps, use: use)),
            ("/.well-known/assetlinks.json", AssociationFiles.assetLinks(for: apps, use: use)),
        ] {
            found.append(judge(await get(origin + path), of: name + path, saying: "is what this configuration says", content))
        }
        return found
    }

    /// - Parameter content: the only right content, of the type JSON; nil: any.
    private func judge(
        _ result: Result<TransferResponse, TransferError>, of subject: String, saying praise: String, _ content: String? = nil
    ) -> Diagnosis {
        let response: TransferResponse
        switch result {
        case .success(let answer): response = answer
        case .failure(let error):
            return .error(
                subject, "does not answer: \(error.cause)",
                """
                Check its name in DNS, its certificate and the reverse proxy. This machine, too, has to reach it by its public name. If the \
                certificate is from a CA of your own, put it into /usr/local/share/ca-certificates and run update-ca-certificates.
                """)
        }
        switch response.status {
        case 200: break
        case 421:
            return .error(
                subject, "the server does not know this name",
                "Let the reverse proxy pass the Host field on (nginx: proxy_set_header Host $host), or correct the configuration.")
        case 300..<400:
            return .error(
                subject, "redirects (status \(response.status)), which phones do not follow",
                "Let the reverse proxy pass the path on without a redirect.")
        default:
            return .error(
                subject, "answers with status \(response.status), so another server seems to be there",
                "Let the name lead to Onward, and reload it after a change of the configuration (SIGHUP).")
        }
        guard let content else { return .ok(subject, praise) }
        guard response.body == Array(content.utf8) else {
            return .error(
                subject, "has another content than this configuration gives it",
                "Reload Onward (SIGHUP), and purge the file from a CDN. Phones may keep the old one for a day.")
        }
        guard response["content-type"]?.hasPrefix("application/json") == true else {
            return .error(
                subject, "has the type \(response["content-type"] ?? "none") instead of application/json",
                "Let the reverse proxy leave Content-Type as it is.")
        }
        guard response.body.count <= Self.maxAssociationFileBytes else {
            return .error(subject, "has more than 128 KB, which Apple refuses", "Divide the apps among several link domains.")
        }
        return .ok(subject, praise)
    }

    /// Source: Apple, *Supporting associated domains*.
    private static let maxAssociationFileBytes = 128 << 10

    /// Settings of each project that have no effect without others.
    func apps() -> [Diagnosis] {
        configuration.projects.flatMap { project -> [Diagnosis] in
            let subject = "project \(project.id)"
            var found: [Diagnosis] = []
            if project.authorizedDomains.hosts.isEmpty, project.upstream == nil {
                found.append(
                    .warning(
                        subject, "no domain is authorised, so every request with a continue URL is refused",
                        "List the hosts of your website under authorizedDomains."))
            }
            if !project.linkDomains.isEmpty, project.apps.isEmpty {
                found.append(
                    .warning(subject, "has link domains and no apps, so all links open in the browser", "List the apps under apps."))
            }
            if project.linkDomains.isEmpty, !project.apps.isEmpty {
                found.append(
                    .warning(
                        subject, "has apps and no link domain, so no link opens an app",
                        "List a host of this server, apart from publicOrigin, under linkDomains."))
            }
            let pages = [(configuration.publicOrigin, "publicOrigin"), (project.actionURL, "the host of actionURL")]
            for domain in project.linkDomains {
                guard let (_, page) = pages.first(where: { $0.0.origin == domain.origin }) else { continue }
                found.append(
                    .error(
                        subject, "the link domain \(domain.authority) is \(page), too",
                        "Give links to apps a host of their own; a phone opens no app for a link to the host that it is on."))
            }
            let forms = Set(project.apps.apple.compactMap(\.linkForm) + project.apps.android.compactMap(\.linkForm))
            if forms.count > 1 {
                found.append(
                    .note(
                        subject, "the apps' linkForm differ, so a mail whose link names two of them has the project's form",
                        "Name only the app that asks in the settings of its mails, or release apps that parse one form."))
            }
            for app in project.apps.android where app.sha256Fingerprints.isEmpty {
                found.append(
                    .warning(
                        subject, "\(app.packageName) has no certificate fingerprint, so Android opens its links in the browser",
                        "Add sha256Fingerprints, those of Play's signing key and of your upload key (Play Console, App integrity)."))
            }
            return found
        }
    }
}
