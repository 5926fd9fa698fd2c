package import Accounts
package import Base

/// Has no page, for sites whose projects pass none on.
package struct NoHelperPages: HelperPages {
    package init() {}

    package func fetch(_ target: String, _ request: HelperRequest, at host: WebURL) async throws(ActionError) -> HelperResponse {
        throw .unavailable(Unavailable(.upstream, cause: "there are no helper pages"))
    }
}
