internal import HTTPTypes

/// Which codings of an answer a client takes, and how gladly. What is malformed counts as not said.
///
/// Source: RFC 9110 section 12.5.3.
struct AcceptedCodings: Sendable {
    /// In thousandths; nil: not said.
    private var gzip: Int?
    private var identity: Int?
    /// Of `*`: whatever is not named.
    private var others: Int?

    init(_ fields: HTTPFields) {
        for field in fields where field.name == .acceptEncoding {
            for item in WeightedItems(field.value) { take(item) }
        }
    }

    /// Whether gzip is welcome, and no less than the file as it is. Who wants neither is sent it as it is: everyone can read that.
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
