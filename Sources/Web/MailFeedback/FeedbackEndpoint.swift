internal import Accounts
internal import Base
internal import HTTPTypes
internal import Logging

/// The routes at which mail providers report bounces and complaints, one for each provider.
struct FeedbackEndpoint: Sendable {
    let receive: ReceiveFeedback
    let now: Now
    let logger: Logger

    static let routes: [Route] = FeedbackProvider.allCases.compactMap { provider in
        provider.reports.map { format, maxBytes in
            Route(
                .only(.post), path(of: provider), label: RouteLabel("mailFeedback", .api), credential: .mailProvider,
                maxBodyBytes: maxBytes ?? Route.usualBodyBytes, documentation: .feedback(from: provider, format: format),
                handler: .page { await $0.feedbackEndpoint.respond(to: $1, from: provider) })
        }
    }

    private static let start = "/v1/projects/"
    private static let middle = "/mail-feedback/"

    private static func path(of provider: FeedbackProvider) -> String { start + "{project}" + middle + provider.rawValue }

    /// The project in a path of a provider; nil for every other path.
    private static func project(in path: String) -> ProjectID? {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard path.hasPrefix(start), segments.count == 6, segments[4] == "mail-feedback" else { return nil }
        return ProjectID(segment: String(segments[3]))
    }

    /// The template of a path of a provider; nil for every other path.
    static func template(of path: String) -> String? {
        project(in: path).map { start + "{project}" + path.dropFirst(start.count + $0.rawValue.count) }
    }

    /// Every request without a proof gets the same answer, whether or not its project exists and
    /// its provider is configured; so does every request with one, whatever its address.
    func respond(to request: Request, from provider: FeedbackProvider) async -> Response {
        guard let project = Self.project(in: request.path) else { return .text(.notFound, "Not found.\n") }
        let fields = request.head.headerFields
        do throws(ActionError) {
            let feedback = FeedbackRequest(
                from: provider, about: project, field: { HTTPField.Name($0).flatMap { fields[$0] } }, body: request.body)
            switch try await receive(feedback) {
            // Mailgun and Postmark repeat a report after every other status.
            case .accepted: return Response(.ok)
            case .unauthentic:
                var response = Response.text(.unauthorized, "The signature or the password is wrong.\n")
                // Amazon SNS and Postmark send a password only after they were asked for it.
                response.headers[.wwwAuthenticate] = #"Basic realm="mail feedback""#
                return response
            case .malformed: return .text(.badRequest, "The report cannot be read.\n")
            }
        } catch {
            let failed = RequestError.failed(error)
            failed.log(to: logger, request)
            return ErrorReport(failed, at: now()).json
        }
    }
}

extension RouteDocumentation {
    fileprivate static func feedback(from provider: FeedbackProvider, format: String) -> RouteDocumentation {
        let body: JSON = .object(["schema": Schema.anything.json])
        return RouteDocumentation(
            operation: .object([
                "operationId": .string("mailFeedback.\(provider.rawValue)"),
                "summary": .string("Takes reports of bounces and complaints. \(format)"),
                "security": .array([.object(["mailProvider": .array([])])]),
                "requestBody": .object([
                    "required": .bool(true),
                    "content": .object([provider == .sns ? "text/plain" : "application/json": body]),
                ]),
                "responses": .object([
                    "200": .object(["description": "Taken, or without effect here."]),
                    "400": .object(["description": "The report cannot be read."]),
                    "401": .object(["description": "The signature or the password is wrong."]),
                    "503": .object([
                        "description": "The report cannot be judged or stored now.",
                        "content": .object(["application/json": .object(["schema": Schema.shared(.error).json])]),
                    ]),
                ]),
            ]))
    }
}
