import Base

/// The short configuration that `onward init` writes: what is required, and nothing that has a
/// default.
struct StarterConfiguration {
    var origin: String
    /// The hosts that users may continue to.
    var domains: [String]
    var projectID: String
    var displayName: String
    var apiKey: String
    /// The sender and the URL of a relay; nil: no mails are sent.
    var mail: (from: String, relay: String)?
    /// The absolute paths of the files.
    var secretFile: String
    var database: String

    /// A new API key of the form that Firebase's SDKs for Apple and Android demand: 39 letters,
    /// digits, `_` and `-`, the first an `A`. It is public, as Firebase's are.
    static func newAPIKey(random: RandomBytes) -> String { "A" + Base64URL.encode(random(30)).prefix(38) }

    /// Texts of the operator are quoted as in JSON, which YAML reads.
    var yaml: String {
        """
        # Written by `onward init`. The sample Config/onward.yaml explains every setting.
        publicOrigin: \(quoted(origin))
        \(listen)secret: {file: \(quoted(secretFile))}
        database: {path: \(quoted(database))}
        \(mailSection)
        projects:
          - id: \(projectID)
            displayName: \(quoted(displayName))
            apiKeys: [\(apiKey)]
            authorizedDomains: [\(domains.map(quoted).joined(separator: ", "))]

        """
    }

    /// On this machine the origin's port is the server's own.
    private var listen: String {
        let start = "http://localhost:"
        guard origin.hasPrefix(start), let port = UInt16(origin.dropFirst(start.count)) else { return "" }
        return "listen: [\"127.0.0.1:\(port)\"]\n"
    }

    private var mailSection: String {
        guard let mail else {
            return """
                # No mails are sent: admins hand out the links. To send them, replace the next line by
                # mail: {from: "App <no-reply@example.com>", relays: [{url: "smtp://mail.example.com:587"}]}
                mail: none
                """
        }
        return """
            mail:
              from: \(quoted(mail.from))
              relays:
                # A relay that asks for a password has the keys user and password: {file: PATH}.
                - url: \(quoted(mail.relay))
            """
    }

    private func quoted(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            // `JSON` escapes more than that, for pages.
            case _ where [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory):
                String(JSON.string(String(scalar)).text.dropFirst().dropLast())
            default: String(scalar)
            }
        }
        return "\"\(characters.joined())\""
    }
}
