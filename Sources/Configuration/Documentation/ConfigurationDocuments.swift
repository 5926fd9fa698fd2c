extension Configuration {
    /// The documents that are made from the declarations of the keys.
    /// - Parameter version: the version of Onward that the manual names.
    /// - Returns: the text of each by its path in the repository.
    public static func documents(version: String) -> [(path: String, text: String)] {
        let keys = keys.map { $0.description(defaults: Configuration()) }
        return [
            ("Config/onward.yaml", SampleConfiguration(keys: keys).text),
            ("Config/onward.schema.json", ConfigurationSchema(keys: keys).json.indented() + "\n"),
            ("Docs/man/onward.yaml.5", ConfigurationManual(keys: keys, version: version).text),
        ]
    }
}
