internal import HTTPTypes

/// The fields of a form of the development pages.
struct DevForm: Sendable {
    private let fields: [(name: String, value: String)]

    init(_ request: Request) { fields = request.form ?? [] }

    /// The first value of a field; nil if it is empty.
    subscript(name: String) -> String? { fields.first { $0.name == name && !$0.value.isEmpty }?.value }
}

extension DevPages {
    /// Whether a form was sent by one of these pages, or by a program that is not a browser. An
    /// origin that is hidden is not ours, because these pages do not hide it.
    func isOwnForm(_ request: Request) -> Bool {
        sameOrigin.accepts(request) && request.head.headerFields[.origin] != "null"
    }
}
