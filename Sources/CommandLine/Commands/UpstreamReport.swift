import Accounts
import ArgumentParser
import Base
import Configuration
import Remote
import Server

/// The report of `onward check-config` about the upstream of a project.
struct UpstreamReport {
    /// Lines for the operator; empty for a project without an upstream.
    private(set) var lines: [String] = []
    /// Whether the project's pages will work: the base URL is right, and so is every key except
    /// those of phone apps, which never work from a server.
    private(set) var isUsable = true

    /// Asks the upstream with each API key, and says what to set in the Firebase console.
    init(of project: Project) async {
        guard let base = project.upstream?.base else { return }
        let upstream = Upstreams.forCommands[base: base]
        var works = false
        for key in project.apiKeys.sorted() {
            let name = "project \(project.id): API key \(key.shownAPIKey)"
            do throws(ActionError) {
                let caller = UpstreamCaller(apiKey: key, language: nil, page: project.actionURL)
                let hosts = try await upstream.projectConfig(for: caller).authorizedDomains
                let refused = project.authorizing(hosts).refused
                works = true
                lines.append("\(name) works. Authorized domains of the upstream: \(hosts.joined(separator: ", "))")
                if !refused.isEmpty {
                    lines.append("\(name): ignored, because they are not bare hosts: \(refused.joined(separator: ", "))")
                }
            } catch {
                let isOfPhoneApp = error.cause.contains("_APP_BLOCKED")
                isUsable = isUsable && isOfPhoneApp
                let part = upstream.refuses(key) ? name : "project \(project.id): authority \(base.serialized)"
                lines.append(
                    "\(part) does not work: \(error.cause)" + (isOfPhoneApp ? "; keys of phone apps never work from a server" : ""))
            }
        }
        isUsable = isUsable && works
        if let helpers = project.upstream?.helpers { await ask(helpers, for: project) }
        lines.append(
            "project \(project.id): in the Firebase console, under Authentication, Templates, edit any template, choose "
                + "\"Customize action URL\" and enter \(project.actionURL.serialized)")
    }

    /// Asks for a script that every helper page needs.
    private mutating func ask(_ helpers: WebURL, for project: Project) async {
        let subject = "project \(project.id): firebaseHelpers"
        let request = HelperRequest(fields: [], form: nil, network: nil)
        let fault: String
        do throws(ActionError) {
            let status = try await FirebaseHelpers.forCommands.fetch("/__/auth/handler.js", request, at: helpers).status
            guard status != 200 else {
                lines.append("\(subject): \(helpers.origin) has the pages")
                return
            }
            fault = "\(helpers.origin)/__/auth/handler.js has status \(status)"
        } catch { fault = error.cause }
        isUsable = false
        lines.append("\(subject) does not work: \(fault)")
    }
}

extension ExitCode {
    /// An upstream cannot be used: its base URL is wrong, it cannot be reached, or it refuses an
    /// API key. Source: `EX_UNAVAILABLE` of sysexits(3).
    static let unusableUpstream = ExitCode(69)
}
