/// Where a button leads and what it sends along, unseen.
package struct Form: Sendable, Hashable {
    /// A field that the person does not see.
    package struct Field: Sendable, Hashable {
        /// As the answering route reads it.
        package var name: String
        /// Any text: it is escaped.
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The path on our own origin, without a query.
    package var path: String
    /// In this order.
    package var hidden: [Field]

    package init(path: String, hidden: [Field] = []) {
        self.path = path
        self.hidden = hidden
    }
}
