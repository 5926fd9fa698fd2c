/// Where a button leads and what it sends along, unseen.
package struct Form: Sendable, Hashable {
    /// A field that the person does not see.
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The path on our own origin, without a query.
    package var path: String
    package var hidden: [Field]

    package init(path: String, hidden: [Field] = []) {
        self.path = path
        self.hidden = hidden
    }
}
