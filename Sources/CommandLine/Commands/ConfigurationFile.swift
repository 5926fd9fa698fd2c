import ArgumentParser
internal import Base
import Configuration
import Server
import Store

/// The option `--config` of every command that reads the configuration.
struct ConfigurationFile: ParsableArguments {
    @Option(
        name: .customLong("config"), help: ArgumentHelp("The configuration file.", valueName: "path"),
        completion: .file(extensions: ["yaml"]))
    var path = "onward.yaml"

    /// Reads the file and the secrets that it names. Certificates are left to the server, so that
    /// no command fails because one of them has expired.
    func read() throws(InvalidConfiguration) -> Configuration { try Configuration(file: path, environment: System.environment) }

    /// Reads the file for a command that needs no secret. The secrets of a server may be variables
    /// of its environment, which the operator's shell does not have.
    func readWithoutSecrets() throws(InvalidConfiguration) -> Configuration { try Configuration(file: path, environment: nil) }

    /// Reads the file with its secrets, certificates and resources, and refuses one that does not
    /// say how mails are sent.
    /// - Parameter running: the configuration that is reloaded; nil: the server is to start.
    func readForServer(replacing running: Configuration? = nil) throws(InvalidConfiguration) -> Configuration {
        let certificates = CertificateCheck(unixSeconds: Int(System.now().seconds), loaded: Set(running?.tls ?? []))
        let configuration = try Configuration(file: path, environment: System.environment, certificates: certificates, readsResources: true)
        try configuration.requireMail(file: path)
        return configuration
    }
}
