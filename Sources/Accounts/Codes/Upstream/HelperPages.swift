public import Base

/// The pages that Firebase has for its SDK in browsers, and that a front door passes on.
public protocol HelperPages: Sendable {
    /// Fetches a page. Throws `Unavailable` if there is no response.
    /// - Parameters:
    ///   - target: the path and the query.
    ///   - host: the origin of the pages.
    func fetch(_ target: String, _ request: HelperRequest, at host: WebURL) async throws(ActionError) -> HelperResponse
}

/// The part of a browser's request that is passed on.
public struct HelperRequest: Sendable {
    public let fields: [(name: String, value: String)]
    /// The body of a form that a provider posts; nil for a GET.
    public let form: [UInt8]?
    /// The network of the user; such networks take turns.
    public let network: String?

    public init(fields: [(name: String, value: String)], form: [UInt8]?, network: String?) {
        (self.fields, self.form, self.network) = (fields, form, network)
    }
}

public struct HelperResponse: Sendable {
    public let status: Int
    public let fields: [(name: String, value: String)]
    public let body: [UInt8]

    public init(status: Int, fields: [(name: String, value: String)], body: [UInt8]) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }
}
