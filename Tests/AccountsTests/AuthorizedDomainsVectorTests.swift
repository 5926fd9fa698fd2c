import Accounts
import Base
import Foundation
import Testing
import Vectors

/// R1: If a URL is authorised, the host that a browser would reach by it is on the list.
@Suite(.enabled(if: Vectors.arePresent, "shared/data is not beside this clone")) struct `Open-redirect payloads` {
    static let allowed = "www.whitelisteddomain.tld"
    static let files = [
        "patt-Open-Redirect-payloads", "patt-open_redirect_wordlist", "patt-openredirects", "fuzzdb-redirect-injection-template",
        "fuzzdb-redirect-urls-template",
    ]

    struct Payload: Decodable {
        struct Seen: Decodable { let hostname: String }
        let payload, must: String
        let absolute, chromium: Seen?
    }

    @Test func `never lead Chromium to a host that is not listed`() throws {
        let domains = try AuthorizedDomains([Self.allowed], plainHTTP: [Self.allowed])
        let payloads: [Payload] = try Vectors.cases("redirect/payloads-labelled.json", under: "cases")
        #expect(payloads.count >= 685)
        for one in payloads {
            let url = try? domains.authorize(one.payload)
            #expect((url != nil) == (one.must == "allow"), "\(one.payload)")
            #expect(url == nil || one.chromium?.hostname == Self.allowed && one.absolute?.hostname == Self.allowed, "\(one.payload)")
        }
    }

    /// The payload files are checked against several configurations. None of them lists a payload's
    /// target.
    @Test(
        arguments: files, [["app.allowed.example"], ["=app.allowed.example", "localhost"], ["allowed.example:*", "[::1]", "127.0.0.1"]])
    func `never lead Foundation or us to a host that is not listed`(file: String, entries: [String]) throws {
        let domains = try AuthorizedDomains(entries, schemes: ["com.example.app"], plainHTTP: entries)
        let lines = try Vectors.lines("redirect/\(file).txt")
        #expect(!lines.isEmpty)
        for line in lines {
            for host in ["app.allowed.example", "evil.example", "app.allowed.example@evil.example", "evil.example#app.allowed.example"] {
                let text = line.replacing("{target}", with: host).replacing(Self.allowed, with: "app.allowed.example")
                for payload in [text, text.removingPercentEncoding ?? text, "https:" + text, "https://app.allowed.example" + text] {
                    guard let url = try? domains.authorize(payload) else { continue }
                    let seen = URL(string: url.serialized)?.host() ?? ""
                    #expect(
                        seen == "app.allowed.example" || ["localhost", "::1", "127.0.0.1"].contains(seen)
                            || seen.hasSuffix(".allowed.example"), "\(payload)")
                    #expect(try WebURL(url.serialized) == url.url)
                }
            }
        }
    }
}

/// R13: An entry is refused if the installed public suffix list contains it or if it is a single
/// label. The list in the test data is newer than the installed one (libpsl), so entries that the
/// installed list does not know yet are accepted.
@Suite(.enabled(if: Vectors.arePresent, "shared/data is not beside this clone")) struct `The public suffix list` {
    @Test func `is refused as configuration, line by line`() throws {
        let rules = try Vectors.lines("url/public_suffix_list.dat").filter { !$0.hasPrefix("//") }.compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
        #expect(rules.count > 10_000)
        var unknown = 0
        for rule in rules where !rule.hasPrefix("!") {
            #expect(!rule.hasPrefix("*") || isRefused(rule))
            let name = rule.hasPrefix("*.") ? String(rule.dropFirst(2)) : rule
            guard !isRefused(name), let host = try? WebURL("https://" + name).host else { continue }
            unknown += 1
            #expect(!PublicSuffix.isPublicSuffix(host.serialized) && name.contains("."), "\(name)")
        }
        #expect(unknown < rules.count / 5, "\(unknown) of \(rules.count)")
    }

    private func isRefused(_ entry: String) -> Bool { (try? AuthorizedDomains([entry])) == nil }
}
