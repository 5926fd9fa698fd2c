import Accounts
import AppLinks
import Base
import Mail
import Views
internal import Yams

/// One reading of a configuration file: what may be looked up, and the problems that were found.
/// All of them are collected, so that they are printed at once.
final class ReadingContext {
    private let file: String
    private var problems: [Problem] = []
    /// The key paths of values that must be unique in the file, such as API keys.
    private var claims: [String: String] = [:]

    /// Nil if secrets are not looked up.
    let environment: Configuration.Environment?
    /// The demands on certificates; nil: their files are not read.
    let certificates: CertificateCheck?
    /// The public origin, if the file has a valid one: the default of other values.
    var origin: WebURL?
    /// The languages and logos that values name; nil: they are not checked.
    var views: Views?

    init(file: String, environment: Configuration.Environment? = nil, certificates: CertificateCheck? = nil) {
        (self.file, self.environment, self.certificates) = (file, environment, certificates)
    }

    func note(_ sentence: String, key: String? = nil, at mark: Mark? = nil) {
        problems.append(Problem(file: file, line: mark?.line, column: mark?.column, key: key, sentence: sentence))
    }

    /// Registers a value that must be unique; throws if it was registered before.
    func claim(_ value: String, as kind: String, by setting: Setting) throws(SettingError) {
        if let owner = claims.updateValue(setting.path, forKey: "\(kind) \(value)") {
            throw SettingError("the \(kind) \"\(value)\" is already used by \(owner)")
        }
    }

    /// Reads the languages, logos and templates, so that values are checked against them, and their
    /// problems are reported with all others.
    /// - Parameter folder: the folder that the configuration names.
    func readResources(named folder: String?) throws(SettingError) {
        do {
            let resources = try Resources(named: folder)
            let views = try Views(resources: resources)
            self.views = views
            _ = try ProjectTemplates(resources: resources, views: views)
        } catch let error as InvalidConfiguration { problems += error.problems } catch {
            throw SettingError(explanation(of: error))
        }
    }

    /// Throws if a problem was noted.
    func check() throws(InvalidConfiguration) {
        guard problems.isEmpty else {
            // Those of other files come after them.
            let (own, others) = (problems.filter { $0.file == file }, problems.filter { $0.file != file })
            throw InvalidConfiguration(
                problems: own.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) } + others)
        }
    }
}

extension SettingError {
    /// The sentence about an error of a type that a value of the file is made of.
    init(_ error: any Error) {
        switch error {
        case let error as SettingError: self = error
        case let error as InsecureURL: self.init(error.sentence)
        case let error as InvalidApp: self.init(error.explanation)
        case let error as AuthorizedDomains.BadEntry: self.init(error.explanation)
        case is SMTPRelaySettings.Invalid: self.init("the relay \(error)")
        case is WebhookSettings.Invalid: self.init("the webhook \(error)")
        default: self.init("\(error)")
        }
    }
}
