import Accounts
import AppLinks
public import Base
import Views
import Yams

/// A project of the file. Ids, API keys and link domains identify a project, so each must be unique
/// in the file.
struct ProjectSection: Section {
    var id: String?
    var displayName: String?
    var apiKeys: Set<String>?
    var authorizedDomains: [String]?
    var plainHTTPDomains: [String] = []
    var actionURL: WebURL?
    /// The URL of an Identity Toolkit; nil for `local`.
    var authority: String?
    var allowPlainHTTPUpstream = false
    /// The host of Firebase's helper pages; nil if they are not passed on.
    var firebaseHelpers: String?
    var passwords = PasswordSection()
    var idTokenAudience: String?
    /// The settings that have defaults.
    var project = Project(
        id: ProjectID(rawValue: ""), displayName: "", authorizedDomains: try! AuthorizedDomains([]),
        actionURL: try! WebURL("https://localhost"))

    static var keys: [ConfigurationKey<Self>] {
        "A letter, then up to 62 lower-case letters, digits and hyphens: your Firebase project id."
        ConfigurationKey("id", \.id, .projectID).required("a name such as my-app").shown("my-app")
        "The app's name on pages and in mails. At most 100 characters."
        ConfigurationKey("displayName", \.displayName, .displayName).required("the name of the app, as users know it").shown("My App")
        "API keys of the app's clients; they are not secret. 8 to 128 letters, digits, _ and -. Links contain the first in alphabetical"
        "order."
        ConfigurationKey("apiKeys", \.apiKeys, .set(.apiKey, orNone: false)).required("a list of one or more").shown("[example-api-key]")
        "Where accounts and codes are: local (Onward), or the URL of another Identity Toolkit, such as"
        "https://identitytoolkit.googleapis.com for a project that stays on Firebase (Docs/FrontDoor.md). Then Onward only shows the"
        "pages behind its links: apiKeys are that project's, and authorizedDomains may be the word upstream, for that project's list."
        "Mails, lifetimes and sign-in are up to that system. https; plain http only for localhost."
        ConfigurationKey("authority", \.authority, .word("local", or: .text))
        "Whether authority may be plain http on a private address, or a name without a dot, such as an emulator in docker-compose."
        ConfigurationKey("allowPlainHTTPUpstream", \.allowPlainHTTPUpstream, .boolean)
        "Whether Firebase's own pages for its SDK in browsers (/__/auth/handler and iframe with their scripts, /__/firebase/init.json) are"
        "passed on, so that publicOrigin can be the authDomain of the app: true, from <id>.firebaseapp.com, or the host that has them."
        "They run Google's scripts at publicOrigin, so every project of the file needs an authority, and one may have this"
        "(Docs/FrontDoor.md)."
        ConfigurationKey("firebaseHelpers", \.firebaseHelpers, .word("false", or: .word("true", "true", or: .text)))
        #"Hosts that users may continue to, over https. example.com includes its subdomains, "=example.com" does not. localhost,"#
        #"127.0.0.1 and "[::1]" mean only themselves, with http and any port. example.com:8443 means that port, "example.com:*" every"#
        #"port. `onward explain-url <url>` says what a URL is missing."#
        ConfigurationKey("authorizedDomains", \.authorizedDomains, .word("upstream", [], or: .list(.authorizedDomain)))
            .required("a list of hosts, which may be empty: []").shown("[example.com]")
        "Hosts that users may continue to over plain http as well. Same grammar. Rarely a good idea."
        ConfigurationKey("plainHTTPDomains", \.plainHTTPDomains, .list(.authorizedDomain))
        "Hosts of this server whose links phones open in the app (Docs/AppLinks.md). The first is the default. The page behind a link can"
        "open the app on iPhones only by a second one. `onward explain-link <url>` says what a device gets for a link."
        ConfigurationKey("linkDomains", \.project.linkDomains, .list(.linkDomain)).shown("[links.example.com]")
        "Short links (Docs/AppLinks.md). Admin keys may always create them; API keys, which anyone can read in an app, only with"
        "byAPIKey: true, and no more than maxByAPIKey, without those that are disabled."
        ConfigurationKey("shortLinks", \.project.shortLinks, .section(ShortLinkSettings.self))
        "Apps that links may open, each once."
        ConfigurationKey("apps", \.project.apps, .section(AppsSection.self))
        "The page that mailed links open, if you have a page of your own that handles actions. Default: Onward's."
        ConfigurationKey("actionURL", \.actionURL, .webURL).standard("https://auth.example.com/__/auth/action")
        "How long the links of each action work. From 1m to 7d; recoverEmail and revertSecondFactorAddition, which undo a change, up to"
        "90d."
        ConfigurationKey("lifetimes", \.project.lifetimes, .section(Lifetimes.self))
        "The app's home page. Pages without a continue URL lead back to it, such as that of a link that does not work any more."
        "Default: none."
        ConfigurationKey("homeURL", \.project.homeURL, .webURL).shown("https://app.example.com/")
        "After the button: straight (redirect at once) or page (a page that says what was done, with a Continue button; it goes on by"
        "itself after eight seconds, unless the user stops it). One for all actions, or by action. The pages after an undo are always"
        "shown, sign-in links never have one."
        ConfigurationKey("continuePolicy", \.project.continuePolicy, .continuePolicies)
        "How a press of the button is known to be a person's: mail gateways open links in a browser and press buttons. automatic asks for"
        "the confirmation number in the mail if the press looks automatic, number always, press never. Behind an authority, and if the"
        "project's own mail leaves the number out, the page asks for a second press instead. Pages for a new password and for signing in"
        "do not ask."
        ConfigurationKey("confirmBy", \.project.confirmBy, .choice)
        "The ways to sign in that the project offers."
        ConfigurationKey("signIn", \.project.signIn, .section(SignInMethods.self))
        "The second factors that users may enrol (mfaEnrollment). Those that they have, also imported ones, are always asked for."
        ConfigurationKey("secondFactors", \.project.secondFactors, .section(SecondFactorSettings.self))
        "Text messages with codes (Docs/TextMessages.md), for signIn.phone, secondFactors.phone and the phones that imported accounts"
        "have as second factors. Default: none."
        ConfigurationKey("textMessages", \.project.textMessages, .section(TextMessageSection.self))
            .example(#"{webhook: {url: "https://texts.example/x", secret: {env: TEXTS}}, countries: ["+49"]}"#)
        "New passwords. Very common ones are always refused (Config/common-passwords.txt)."
        ConfigurationKey("passwords", \.passwords, .section(PasswordSection.self))
        "Back ends whose custom tokens (RS256) are accepted by signInWithCustomToken: the address that is iss and sub of their tokens,"
        "and a PEM file with an RSA public key or X.509 certificate. A back end with several keys appears several times. Default: none."
        ConfigurationKey("serviceAccounts", \.project.serviceAccounts, .list(.section(ServiceAccountSection.self)))
            .example("[{email: back-end@my-app.iam.gserviceaccount.com, publicKey: back-end.pem}]")
        "Identity providers whose users may sign in (signInWithIdp). Default: none. Another one is such as {id: oidc.acme, url:"
        "https://login.acme.example, clientIDs: [shop], verifiesEmail: true}."
        ConfigurationKey("providers", \.project.providers, .providers).example(
            "[{id: google.com, clientIDs: [1234-web.apps.googleusercontent.com]}]")
        "The audience (`aud`) of ID tokens. Default: the id."
        ConfigurationKey("idTokenAudience", \.idTokenAudience, .text).standard("my-app")
        "Whether the page after an undo (of a change of address, of a second factor) offers to mail a password reset. Behind an authority"
        "that system sends the mail."
        ConfigurationKey("resetAfterUndo", \.project.offersResetAfterUndo, .boolean)
        "Whether unknown accounts are answered like known ones, so that clients cannot find out which addresses have an account."
        ConfigurationKey("hideAccounts", \.project.hidesAccounts, .boolean)
        "open: people sign up with a password or a sign-in link. byLink: with a sign-in link only, and set a password later; then not"
        "even a sign-up tells which addresses have an account. closed: admins make the accounts, by the API, an import or custom tokens."
        ConfigurationKey("signUp", \.project.signUps, .choice)
        "The domains of the addresses that people may sign up with, and change theirs to: example.com, or \"*.example.com\" for those below"
        "it. Then no account begins without an address, as anonymous ones do. Default: all."
        ConfigurationKey(
            "signUpDomains", \.project.signUpDomains,
            ValueForm<[String]>.list(.text).map { domains in
                do throws(SignUpDomains.BadDomain) { return try SignUpDomains(domains) } catch { throw SettingError(error.explanation) }
            }
        ).standard("[]")
        "Whether a password reset gives a password to an account that signs in by providers only, as with Firebase. If not, the mail names"
        "the providers instead."
        ConfigurationKey("passwordByReset", \.project.passwordByReset, .boolean)
        "The notices that the owners of accounts get, at their proved addresses: when a provider or the phone number was removed, a second"
        "factor was, a recovery code was used, an admin ended all sessions, or, where accounts are hidden, someone tried to sign up with the"
        "address. Others cannot be switched off."
        ConfigurationKey("notices", \.project.notices, .section(NoticeSettings.self))
        "The language of mails and pages if the client names none: a file in Config/languages."
        ConfigurationKey("language", \.project.language, .language)
        "The time zone of dates in mails and on pages, by its name in the IANA database, such as Europe/Berlin. Pages with script show"
        "the user's own zone, with its name."
        ConfigurationKey("timeZone", \.project.timeZone, .timeZone)
        "The project's mails."
        ConfigurationKey("mail", \.project.mail, .section(ProjectMail.self))
        "How the pages look."
        ConfigurationKey("brand", \.project.appearance, .section(Appearance.self))
    }

    func value(in setting: Setting) -> Project? {
        let isUpstream = setting["authority"].map { $0.word != "local" } ?? false
        let upstream = authority.flatMap { authority in setting["authority"]?.noting { try upstreamURL(authority) } }
        let isAwaited = setting["authorizedDomains"]?.word == "upstream"
        if isAwaited, !isUpstream {
            setting["authorizedDomains"]?.note("the value upstream requires an authority other than local; expected a list of hosts")
        }
        let helpers = firebaseHelpers.flatMap { host in setting["firebaseHelpers"]?.noting { try helpersURL(host, id ?? "") } }
        if helpers != nil, !isUpstream {
            setting["firebaseHelpers"]?.note("requires an authority other than local: the pages sign users in at Firebase")
        }
        if !setting.has("textMessages"), project.signIn.phone || project.secondFactors.phone {
            setting.note("signIn.phone and secondFactors.phone require textMessages, with a webhook that sends them")
        }
        if project.signUps == .byLink, !project.signIn.emailLink { setting["signUp"]?.note("byLink requires signIn.emailLink: true") }
        let shortest = upstream == nil ? PasswordPolicy().minimumLength : PasswordPolicy.shortestOfUpstreams
        var policy = passwords.policy
        // A policy with more than lengths is enforced as in Firebase.
        policy.isEnforced = !policy.requires.isEmpty || policy.forcesUpgradeAtSignIn
        if let length = setting["passwords"]?["minimumLength"] {
            if policy.minimumLength < min(8, shortest), !passwords.allowShortPasswords {
                length.note("a minimum below 8 requires allowShortPasswords: true")
            }
        } else {
            policy.minimumLength = shortest
        }
        guard let id, let displayName, let apiKeys, let authorizedDomains,
            let domains = try? AuthorizedDomains(authorizedDomains, schemes: project.apps.customSchemes, plainHTTP: plainHTTPDomains),
            let actionURL = actionURL ?? setting.context.origin?.standardActionURL
        else { return nil }
        var project = project.renamed(ProjectID(rawValue: id))
        project.displayName = displayName
        project.apiKeys = apiKeys
        project.upstream = upstream.map { UpstreamProject(base: $0, domains: isAwaited ? .awaited : .file, helpers: helpers) }
        project.authorizedDomains = domains
        project.actionURL = actionURL
        project.passwordPolicy = policy
        project.idTokenAudience = idTokenAudience ?? id
        return project
    }

    private func helpersURL(_ host: String, _ id: String) throws -> WebURL {
        let text = host == "true" ? id + ".firebaseapp.com" : host
        // No word that is meant as a boolean is a host.
        guard text.contains("."), let url = try? WebURL(secure: text.contains("://") ? text : "https://" + text),
            url.serialized == url.origin + "/"
        else {
            throw SettingError("expected true, false, or a host such as my-app.firebaseapp.com")
        }
        return url
    }

    /// The URL of an Identity Toolkit. Plain http to a private network has to be allowed.
    private func upstreamURL(_ text: String) throws -> WebURL {
        let plain = (try? WebURL(text)).flatMap { $0.scheme == "http" ? $0 : nil }
        if allowPlainHTTPUpstream, let plain, plain.host?.isOfPrivateNetwork == true { return try plain.withoutQuery() }
        let url: WebURL
        do throws(InsecureURL) { url = try WebURL(secure: text) } catch {
            let remedy =
                "; allowPlainHTTPUpstream: true allows plain http to a private address, a name without a dot or one below .internal, "
                + "such as an emulator in docker-compose"
            throw SettingError("expected local, or the URL of an Identity Toolkit: \(error.sentence)" + (plain == nil ? "" : remedy))
        }
        return try url.withoutQuery()
    }
}

extension WebURL {
    /// The URL of Onward's action page at this origin.
    public var standardActionURL: WebURL? { try? WebURL(origin + "/__/auth/action") }
}

extension WebURL.Host {
    /// Whether it is a private address, or a name that only a private network resolves.
    fileprivate var isOfPrivateNetwork: Bool {
        switch self {
        case .address(let address): address.isLocal
        // `internal` is reserved for such networks; Docker calls its host so.
        case .domain(let name): !name.contains(".") || name.hasSuffix(".internal")
        case .opaque: false
        }
    }
}

extension ValueForm<String> {
    fileprivate static var projectID: ValueForm {
        .text(#/[a-z][a-z0-9\-]{0,62}/#, "a letter, then up to 62 lower-case letters, digits and hyphens").unique("project id", by: \.self)
    }

    fileprivate static var displayName: ValueForm {
        .text("a name of one line and at most 100 characters") { name in
            name.count <= 100 && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
    }

    fileprivate static var apiKey: ValueForm {
        .text(#/[A-Za-z0-9_\-]{8,128}/#, "8 to 128 letters, digits, _ and -").unique("API key", by: \.self)
    }

    fileprivate static var authorizedDomain: ValueForm { .text.checked { text, _ in _ = try AuthorizedDomains([text]) } }

    fileprivate static var language: ValueForm {
        .text(#/[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/#, "a language tag such as en or pt-BR").checked { tag, setting in
            guard let views = setting.context.views, views.language(matching: tag) == nil else { return }
            throw SettingError("unknown language \"\(tag)\"; expected one of \(views.languages.map(\.code).joined(separator: ", "))")
        }
    }

    fileprivate static var timeZone: ValueForm {
        .text("the name of a time zone in the IANA database, such as Europe/Berlin or UTC") { NamedTimeZone($0) != nil }
    }
}

extension ValueForm<LinkDomain> {
    fileprivate static var linkDomain: ValueForm {
        ValueForm<String>.text.map { text in
            do throws(WebURL.ParseError) { return try LinkDomain(text) } catch {
                throw SettingError("expected a host such as links.example.com. \(error.explanation)")
            }
        }.unique("link domain", by: \.origin)
    }
}

extension ValueForm<ContinuePolicies> {
    /// One step after every action, or a step by action.
    fileprivate static var continuePolicies: ValueForm {
        .either(
            ValueForm<Project.ContinuePolicy>.choice.map { ContinuePolicies($0) }, if: { $0.node.mapping == nil },
            or: .section(ContinuePolicies.self))
    }
}
