import Base
import HTTPTypes
import Testing
@testable import Web

/// Source: RFC 9110 sections 12.4.2, 12.5.1 and 12.5.4.
@Suite struct `What a client accepts` {
    @Test(arguments: [
        ("", []), ("ar", ["ar"]), ("ar-EG,en;q=0.5", ["ar-EG", "en"]), ("fr, ar;q=0.4, en;q=0.8", ["fr", "en", "ar"]),
        ("de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7", ["de-DE", "de", "en-US", "en"]), ("en;q=0, ar;q=0.1", ["ar"]), ("xx,yy;q=z", ["xx"]),
        (" ar ;\tQ=1 ", ["ar"]), ("a;q=0.5,b;q=0.5,c;q=0.500", ["a", "b", "c"]), ("a;q=1;q=1,b;level=2;q=0.25,c;q,d;q=2", ["b"]),
    ])
    func `is read in the order of its weights`(value: String, items: [String]) {
        #expect(WeightedItems(value).best(16).filter { !$0.isEmpty } == items)
    }

    /// X11: reading a header field takes time in proportion to its size.
    @Test func `is read up to a bound`() {
        #expect(WeightedItems(String(repeating: "xx,", count: 9999) + "ar").best(16) == Array(repeating: "xx", count: 16))
    }

    @Test(arguments: [
        (nil, false, false), ("*/*", false, false), ("application/json", true, false), ("Application/JSON; charset=utf-8", true, false),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false, true), ("text/html, application/json", false, true),
        ("application/json, text/html;q=0", true, false), ("application/jsonp", false, false), ("application/json;q=0", false, false),
    ])
    func `is a page, or JSON if it names only JSON`(accept: String?, wantsJSON: Bool, wantsHTML: Bool) {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/")
        head.headerFields[.accept] = accept
        let request = Request(head: head, bodyLength: 0, peer: "127.0.0.1", id: "1", listener: .front)
        #expect(request.wantsJSON == wantsJSON)
        #expect(request.wantsHTML == wantsHTML)
    }
}
