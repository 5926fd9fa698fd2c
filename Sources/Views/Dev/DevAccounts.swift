/// The accounts of a project, for the developer: those that a search found.
public struct DevAccounts: Sendable, Hashable {
    /// The look of the page.
    public var brand: Brand
    public var accounts: [DevAccount]
    /// How many were found; `accounts` may contain only the first of them.
    public var count: Int
    /// The words searched for.
    public var search: String
    /// The projects to choose from: the one that clients are in, and others that were named.
    public var projects: [String]
    public var project: String

    public init(brand: Brand, accounts: [DevAccount], count: Int, search: String, projects: [String], project: String) {
        (self.brand, self.accounts, self.count, self.search) = (brand, accounts, count, search)
        (self.projects, self.project) = (projects, project)
    }

    var context: TemplateContext {
        var context = brand.layout
        context[.accounts] = .list(accounts.map(\.context))
        context[.isEmpty] = accounts.isEmpty ? .flag : nil
        context[.search] = .text(search)
        context[.filtered] = search.isEmpty ? nil : .flag
        context[.count] =
            count == 0
            ? nil
            : .text((accounts.count < count ? "The first \(accounts.count) of " : "") + (count == 1 ? "1 account" : "\(count) accounts"))
        context[.project] = .text(project)
        context[.projects] =
            projects.count < 2
            ? nil
            : .group([
                .rows: .list(
                    projects.map { name in
                        var option: TemplateContext = [.name: .text(name)]
                        option[.selected] = name == project ? .flag : nil
                        return option
                    })
            ])
        return context
    }
}

/// An account with what a developer looks for, and what can be done to it.
public struct DevAccount: Sendable, Hashable {
    public var project: String
    public var id: String
    /// The path of the account's page.
    public var path: String
    /// Its address, or what it is known by otherwise.
    public var name: String
    /// Short remarks, such as *disabled*.
    public var remarks: [String]
    /// Everything else that is known of it.
    public var facts: [AccountFact] = []
    public var isDisabled = false
    /// The actions that a link can be made for, by what they are called.
    public var actions: [LinkButton] = []

    public struct LinkButton: Sendable, Hashable {
        public var title: String
        /// The value that the form sends.
        public var value: String

        public init(_ title: String, _ value: String) { (self.title, self.value) = (title, value) }
    }

    public struct AccountFact: Sendable, Hashable {
        public var name: String
        public var value: String
        /// Whether the value is a time in ISO 8601.
        public var isTime: Bool

        public init(_ name: String, _ value: String, isTime: Bool = false) {
            (self.name, self.value, self.isTime) = (name, value, isTime)
        }
    }

    public init(project: String, id: String, path: String, name: String, remarks: [String]) {
        (self.project, self.id, self.path, self.name, self.remarks) = (project, id, path, name, remarks)
    }

    fileprivate var context: TemplateContext {
        [
            .project: .text(project), .id: .text(id), .href: .text(path), .title: .name(name), .pageTitle: .text(name),
            .rows: .list(remarks.map { [.value: .text($0)] }),
        ]
    }

    /// The context of the account's page.
    /// - Parameter link: a link that was just made for it.
    func context(link: String?, _ brand: Brand) -> TemplateContext {
        var context = brand.layout.merging(self.context) { _, own in own }
        context[.facts] = .list(
            facts.map { fact in
                var row: TemplateContext = [.name: .text(fact.name), .value: .text(fact.value)]
                row[.sent] = fact.isTime ? .text(fact.value) : nil
                return row
            })
        context[.isDisabled] = isDisabled ? .flag : nil
        context[.actions] =
            actions.isEmpty ? nil : .group([.rows: .list(actions.map { [.name: .text($0.title), .value: .text($0.value)] })])
        context[.link] = link.map { .text($0) }
        return context
    }
}
