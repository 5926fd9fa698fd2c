internal import HTTPTypes

/// The content codings that a client accepts, with their weights. Malformed items are ignored.
///
/// Source: RFC 9110 section 12.5.3.
struct AcceptedCodings: Sendable {
    /// In thousandths; nil if it is not listed.
    private var gzip: Int?
    private var identity: Int?
    /// The weight of `*`, for codings that are not listed.
    private var others: Int?

    init(_ fields: HTTPFields) {
        for field in fields where field.name == .acceptEncoding {
            for item in WeightedItems(field.value) { take(item) }
        }
    }

    /// Whether the client accepts gzip at least as much as the plain file. A client that accepts
    /// neither is sent the plain file.
    var prefersGzip: Bool {
        let weight = gzip ?? others ?? 0
        return weight > 0 && weight >= identity ?? others ?? 0
    }

    private mutating func take(_ item: WeightedItems.Item) {
        guard let weight = item.weight else { return }
        let coding = item.name
        if coding.isWord("gzip") || coding.isWord("x-gzip") {
            gzip = min(gzip ?? weight, weight)
        } else if coding.isWord("identity") {
            identity = min(identity ?? weight, weight)
        } else if coding.isWord("*") {
            others = min(others ?? weight, weight)
        }
    }
}
