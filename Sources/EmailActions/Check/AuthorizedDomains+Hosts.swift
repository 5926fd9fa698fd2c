internal import WebURL

extension AuthorizedDomains {
    /// The hosts of the entries, as Firebase's project configuration lists them. SDKs compare the
    /// host of the page they run on with this list.
    package var hosts: [String] {
        var seen: Set<String> = []
        return entries.map(\.host.serialized).filter { seen.insert($0).inserted }
    }

    /// The entries as written in the configuration, for callers that edit them.
    package var texts: [String] { entries.map(\.text) }
}
