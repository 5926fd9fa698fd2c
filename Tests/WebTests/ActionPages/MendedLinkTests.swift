import Accounts
import Base
import HTTPTypes
import Testing
import World

/// Links as mail programs, the encodings of mails and hands leave them (L6).
@Suite struct `A link that was changed on its way` {
    /// In a form, `*` is the code, `<` its first twenty characters and `>` the others.
    private static let query = "lang=en&continueUrl=https%3A%2F%2Fapp.example%2Fx%3Fa%3D1&apiKey=shop-key&mode=verifyEmail&oobCode="
    private static let path = "/__/auth/action?"

    /// Texts that were added to the end.
    static let endings = [
        ".", ",", ")", ">", "]", "'", "\"", ";", "!", "\\", "?", ":", "...", ").", ">,", "%20", "+", "%2E", "%2C", "%29", "%3E", "%5D",
        "%27",
        "%22", "%3B", "%21", "%2A", "%5C", "%0A", "%0D%0A", "%09", "%C2%A0", "%E2%80%8B", "%E2%80%9D", "%E2%80%99", "%EF%BB%BF", "%C2%BB",
        "</a>", "%3C%2Fa%3E", "\">Confirm", "%3Cbr%3E", "](https://auth.example", "=0A", "=0D=0A", "=20", "=", "=%0A", "&amp;", "&", "&gt;",
        "&utm_source=mail", "#", "&apiKey=", "&apiKey=shop-key", "&mode=verifyEmail",
    ]

    /// Links that were changed elsewhere.
    static let forms: [String] = [
        path + query + "3D*", path + query + "<%20>", path + query + "<+>", path + query + "<%0D%0A>", path + query + "<%0A>",
        path + query + "<=%0A>", path + query + "<=%0D%0A>", path + query + "<=>", path + query + "<%E2%80%8B>", path + query + "%20*",
        path + query + "<%20%20%20%20>", path + query.replacing("=", with: "=3D") + "*",
        path + query.replacing("=", with: "=3D") + "<=%0D%0A>", path + query.replacing("&", with: "&amp;") + "*",
        path + query.replacing("&", with: "&amp;amp;") + "*", path + WebURL.percentEncoded(query) + "*",
        path + WebURL.percentEncoded(query) + "*&data=05%7C02&sdata=x%3D&reserved=0",
        path + "mode%3DverifyEmail%26apiKey%3Dshop-key%26oobCode%3D*", path + "mode=verifyEmail%26apiKey=shop-key%26oobCode=*",
        path + "mode=verifyEmail%26apiKey%3Dshop-key%26oobCode%3D*", path + "apiKey=&mode=verifyEmail&oobCode=*",
        path + "mode=verifyEmail&oobCode=*", path + "oobCode=*.&mode=VERIFYEMAIL&apiKey=shop-key", path + query + "*&oobCode=*",
        path + query + "*&oobCode=*)", path + query.replacing("lang=en", with: "lang=en%20") + "*",
        path + query.replacing("shop-key", with: "shop-%0D%0Akey") + "*", "/__/auth/action/?" + query + "*",
        "//__/auth/action?" + query + "*", "/__//auth/action?" + query + "*", "/__/auth/action//?" + query + "*",
        "/__/auth/action%3F" + query + "*", "/__/auth/action%3f" + WebURL.percentEncoded(query) + "*",
        "/__/auth/action/%3F" + query + "*", "/__/auth/action%3F" + WebURL.percentEncoded(query) + "*&data=05%7C02",
    ]

    private func filled(_ form: String, with code: OobCode) -> String {
        let (start, rest) = (String(code.text.prefix(20)), String(code.text.dropFirst(20)))
        return form.replacing("*", with: code.text).replacing("<", with: start).replacing(">", with: rest)
    }

    private func expectPage(of link: String, code: OobCode, at visitor: Visitor) async throws {
        let page = await visitor.ask(.get, link)
        #expect(page.status == 200 && page.title == "Confirm your e-mail address", "\(link)")
        // What follows is what the link says.
        #expect(page.text.contains(#"name="oobCode" value="\#(code.text)""#) && page.text.contains(#"name="apiKey" value="shop-key""#))
        #expect(try await visitor.press(page).status == 303, "\(link)")
    }

    @Test(arguments: endings) func `a link opens its page whatever was added to it`(ending: String) async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        try await expectPage(of: Self.path + Self.query + code.text + ending, code: code, at: visitor)
    }

    @Test(arguments: forms) func `a link opens its page however it was encoded or broken`(form: String) async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        try await expectPage(of: filled(form, with: code), code: code, at: visitor)
    }

    /// Nothing is guessed.
    @Test(arguments: [
        "<", "*x", "*xyz", "3D*x", "<!>", "<%2B>", "<=3D>", "*.x", "%C3%A4*", "*%C3%A4", "*/x", "3D", "", ".", "3D<", "*&oobCode=<",
        "*&oobCode=>", "*&mode=resetPassword", "%00*%C3%9F",
    ])
    func `a link is incomplete if its code has another length or another character`(form: String) async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        let page = await visitor.ask(.get, Self.path + Self.query + filled(form, with: code))
        #expect(page.status == 400 && page.title == "This link is incomplete")
        #expect(!page.text.contains("used already"))
        guard case .live = try await visitor.world.inspect(code) else { throw Spent() }
    }

    @Test(arguments: [String(repeating: "A", count: 43), String(repeating: "aB3_x9", count: 9)])
    func `a link with an unknown code is not known`(code: String) async throws {
        let page = try await Visitor().ask(.get, Self.path + Self.query + code + ")")
        #expect(page.status == 410 && page.title == "We do not know this link" && !page.text.contains("used already"))
    }

    /// R15: other paths stay as they are.
    @Test(arguments: ["/healthz/", "//healthz", "/__/auth/action", "/__/auth/action/", "/__/auth/done/?receipt=x", "/__/auth/%61ction"])
    func `a changed path is not mended if it is not that of a link`(path: String) async throws {
        #expect(try await Visitor().ask(.get, path).status >= 400)
    }

    /// R1: the page leads where the project allows, as with a whole link.
    @Test func `a link that was changed on its way leads nowhere that the project does not allow`() async throws {
        let visitor = try await Visitor()
        let code = try await visitor.world.issue(.verifyEmail)
        let query = "mode=verifyEmail&apiKey=shop-key&oobCode=\(code.text)&continueUrl=https://evil.example/"
        let page = await visitor.ask(.get, Self.path + WebURL.percentEncoded(query))
        #expect(page.status == 200)
        let done = await visitor.ask(.get, try #require(try await visitor.press(page).location))
        #expect(done.status == 200 && !done.text.contains("evil.example"))
    }

    private struct Spent: Error {}
}
