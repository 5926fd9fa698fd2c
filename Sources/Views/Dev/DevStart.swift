/// The first page of `onward dev`, which explains how to connect an app.
public struct DevStart: Sendable, Hashable {
    /// The look of the page.
    public var brand: Brand
    /// The server's origin, with scheme and port.
    public var origin: String
    /// The project id for the app's configuration.
    public var project: String
    /// The ids of other projects that were named, which clients are not in.
    public var others: [String]
    /// Whether the project takes the id that an admin names first.
    public var awaitsName: Bool
    /// The API key in the examples; the server accepts any key.
    public var apiKey: String
    /// Whether passwords need six characters only, as with Firebase.
    public var hasFirebasePasswordRules: Bool
    /// Some accounts; the first is in the examples.
    public var accounts: [ShownAccount]
    /// The number of mails in the inbox.
    public var mails: Int

    /// An account to try.
    public struct ShownAccount: Sendable, Hashable {
        public var address: String
        /// Shown in clear text, because it protects nothing.
        public var password: String?

        public init(address: String, password: String?) {
            self.address = address
            self.password = password
        }
    }

    public init(
        brand: Brand, origin: String, project: String, others: [String] = [], awaitsName: Bool = false, apiKey: String,
        hasFirebasePasswordRules: Bool = true,
        accounts: [ShownAccount], mails: Int
    ) {
        self.brand = brand
        self.origin = origin
        self.project = project
        self.others = others
        self.awaitsName = awaitsName
        self.apiKey = apiKey
        self.hasFirebasePasswordRules = hasFirebasePasswordRules
        self.accounts = accounts
        self.mails = mails
    }

    var context: TemplateContext {
        let authority = origin.split(separator: "/").last.map(String.init) ?? origin
        let port = authority.split(separator: ":").count > 1 ? authority.split(separator: ":").last.map(String.init) : nil
        var context = brand.layout.merging([
            .origin: .text(origin), .authority: .text(authority),
            .host: .text(port.map { String(authority.dropLast($0.count + 1)) } ?? authority),
            .port: .text(port ?? (origin.hasPrefix("https") ? "443" : "80")),
            .project: .text(project), .key: .text(apiKey), .count: .text("\(mails)"),
            .address: .text(accounts.first?.address ?? "ada@app.example"),
        ]) { _, own in own }
        let passwords = Set(accounts.compactMap(\.password))
        let shared = passwords.count == 1 ? passwords.first : nil
        context[.accounts] =
            accounts.isEmpty
            ? nil
            : .group(
                [.rows: .list(accounts.map { $0.context(besides: shared) })].merging(
                    shared.map { [.password: .text($0)] } ?? [:]
                ) { own, _ in own })
        context[.isEmpty] = mails == 0 ? .flag : nil
        context[.awaitsName] = awaitsName ? .flag : nil
        context[.isLax] = hasFirebasePasswordRules ? .flag : nil
        context[.others] = others.isEmpty ? nil : .group([.rows: .list(others.map { [.name: .text($0)] })])
        return context
    }
}

extension DevStart.ShownAccount {
    /// - Parameter shared: the password that was told for all accounts.
    fileprivate func context(besides shared: String?) -> TemplateContext {
        var context: TemplateContext = [.address: .text(address)]
        context[.note] = password == nil ? .text("another password") : password == shared ? nil : password.map { .text($0) }
        return context
    }
}

/// The page that stands for the app at the end of a link of the samples: what has happened, and
/// what an app would do now.
public struct DevArrival: Sendable, Hashable {
    /// The look of the page.
    public var brand: Brand
    public var title: String
    /// The effect that the link had.
    public var lead: String
    /// The next step of the app.
    public var advice: String
    /// The source code for the app's next step.
    public var code: String?

    public init(brand: Brand, title: String, lead: String, advice: String, code: String? = nil) {
        (self.brand, self.title, self.lead, self.advice, self.code) = (brand, title, lead, advice, code)
    }

    var context: TemplateContext {
        var context = brand.layout
        context[.title] = .text(title)
        context[.pageTitle] = .text(title)
        context[.lead] = .text(lead)
        context[.advice] = .text(advice)
        context[.code] = code.map { .text($0) }
        return context
    }
}
