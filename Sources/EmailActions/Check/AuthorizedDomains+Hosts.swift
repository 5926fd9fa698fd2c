internal import WebURL

extension AuthorizedDomains {
    /// The hosts alone, as Firebase's project configuration lists them: SDKs compare the page they run on with these.
    package var hosts: [String] {
        var seen: Set<String> = []
        return entries.map(\.host.serialized).filter { seen.insert($0).inserted }
    }

    /// The entries as they were written, for whoever may change them.
    package var texts: [String] { entries.map(\.text) }
}
