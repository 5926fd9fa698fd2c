/// The secret of an app's registration at a provider.
public enum ClientSecret: Sendable, Hashable {
    /// As the configuration file has it.
    case plain(String)
    /// As an admin set it, encrypted with the installation's secret.
    case sealed([UInt8])

    public init(sealing text: String, by secrets: Secrets) {
        self = .sealed(secrets.seal(Array(text.utf8), for: .clientSecret))
    }

    /// Nil if it was sealed before the installation's secret was replaced.
    public func text(by secrets: Secrets) -> String? {
        switch self {
        case .plain(let text): text
        case .sealed(let sealed): (try? secrets.open(sealed, for: .clientSecret)).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
