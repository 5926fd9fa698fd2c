/// The page that plays a provider, for the developer: who signs in?
public struct DevProvider: Sendable, Hashable {
    /// The look of the page.
    public var brand: Brand
    /// The provider.
    public var name: String
    /// The path of its form.
    public var path: String
    public var state: String
    /// The address that the app expects.
    public var hint: String
    /// The users of the provider who are linked to accounts.
    public var users: [User]
    /// Whether the form came without a user.
    public var isIncomplete: Bool

    public struct User: Sendable, Hashable {
        public var id: String
        public var address: String
        public var name: String?

        public init(id: String, address: String, name: String?) { (self.id, self.address, self.name) = (id, address, name) }
    }

    public init(brand: Brand, name: String, path: String, state: String, hint: String, users: [User], isIncomplete: Bool) {
        (self.brand, self.name, self.path, self.state) = (brand, name, path, state)
        (self.hint, self.users, self.isIncomplete) = (hint, users, isIncomplete)
    }

    var context: TemplateContext {
        var context = brand.layout
        context[.name] = .text(name)
        context[.path] = .text(path)
        context[.code] = .text(state)
        context[.address] = .text(hint)
        context[.problem] = isIncomplete ? .flag : nil
        context[.accounts] =
            users.isEmpty
            ? nil
            : .group([
                .rows: .list(
                    users.map { user in
                        var row: TemplateContext = [.id: .text(user.id), .title: .name(user.address)]
                        row[.value] = user.name.map { .text($0) }
                        return row
                    })
            ])
        return context
    }
}
