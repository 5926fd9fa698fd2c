/// Any app link: what is read is written as a link that reads as the same, and leads to web
/// addresses only; every device gets a URL of the link or a store's (R1, R8, R14).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let query = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let domain = try? LinkDomain("links.example.com"), let url = try? WebURL("https://links.example.com/?" + query),
        var link = try? AppLink(url, on: [domain], apps: .any)
    else { return 0 }
    // What it is written as needs no mending.
    link.isMended = false
    precondition((try? AppLink(link.url, on: [domain], apps: .any)) == link, query)
    let destinations = link.destinations.map(\.url)
    precondition(destinations.allSatisfy { ["http", "https"].contains($0.scheme) }, query)

    let approved = ApprovedAppLink(link, apps: .any, domains: [domain]) { _, _ in }
    let origins = Set(destinations.map(\.origin) + ["https://play.google.com", "https://apps.apple.com"])
    for (_, device) in LinkDevice.examples {
        let left: [WebURL] =
            switch LinkDecision(approved, on: device).reply {
            case .redirect(let url), .preview(let url): [url]
            case .page(let offer): [offer.store, offer.web, offer.webOfMac].compactMap(\.self)
            }
        precondition(left.allSatisfy { origins.contains($0.origin) }, query)
    }
    return 0
}
