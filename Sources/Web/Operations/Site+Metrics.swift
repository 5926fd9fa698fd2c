internal import HTTPTypes
internal import JSON

extension Site {
    /// For Prometheus: open where everyone is admin, which is the admin listener and development, else to admins by their keys (O7). Not
    /// on record as other things that admins do: it tells of no account, and is asked for four times a minute.
    func metrics(_ request: Request) async -> Response {
        guard request.isRead else { return .methodNotAllowed("GET, HEAD") }
        if !mode.isDevelopment, request.listener == .front {
            do throws(APIError) {
                guard let bearer = request.bearer, try await admin(bearer, through: request.listener) != nil else { throw .notAnAdmin }
            } catch { return ErrorResponses.json(error) }
        }
        return Response(.ok, "text/plain; version=0.0.4; charset=utf-8", await meters.exposition())
    }
}
