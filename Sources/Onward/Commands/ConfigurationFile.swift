import ArgumentParser

/// The option that names the configuration, alike in every command that needs it.
struct ConfigurationFile: ParsableArguments {
    @Option(name: .customLong("config"), help: ArgumentHelp("The configuration file.", valueName: "path"))
    var path = "Config/onward.yaml"

    func read() throws(InvalidConfiguration) -> Configuration { try Configuration(file: path, environment: System.environment) }
}
