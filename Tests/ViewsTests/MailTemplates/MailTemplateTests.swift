import Testing
@testable import Views

@Suite struct `A mail template` {
    static let link = "<a href=\"{{link}}\">go</a>"
    static let reset = TemplateScope(link: .always, hasNewEmail: false, hasSecondFactor: false)
    static let notice = TemplateScope(link: .never, hasNewEmail: true, hasSecondFactor: false)

    /// The first problem as `line:column: sentence`; nil for a template that is accepted.
    static func problem(_ source: String, as part: MailTemplate.Part = .text, for scope: TemplateScope = reset) -> String? {
        do throws(TemplateProblem) {
            _ = try MailTemplate(source, as: part, for: scope)
            return nil
        } catch { return "\(error.line):\(error.column): \(error.sentence)" }
    }

    @Test(arguments: [
        "Hello {{displayName}},\n{{link}}", "%LINK% %EMAIL% %APP_NAME% %DISPLAY_NAME%", "{{ link }}{{! a\ncomment }}",
        "{{#displayName}}Hello {{displayName}}{{/displayName}}{{^displayName}}Hello{{/displayName}} {{link}}",
        "{{#facts}}{{label}}: {{value}}\n{{/facts}}{{#link}}{{link}}{{/link}}", "100% of %link% %LINK% and %CE%AB%C3%A9",
        "{{greeting}} {{lead}} {{button}} {{link}} {{advice}} {{why}} {{help}} {{expires}} {{validity}} {{requested}} {{device}} {{number}}",
        "\u{FEFF}{{link}}\r\n{ } } {x}",
    ])
    func `in text is accepted`(_ source: String) {
        #expect(Self.problem(source) == nil)
    }

    @Test(arguments: [
        ("{{lynk}} {{link}}", "1:1: unknown name {{lynk}}; expected one of link, email, appName,"),
        ("{{link}}\n  {{newEmail}}", "2:3: this mail has no newEmail; expected one of"),
        ("{{link}}\n é {{#secondFactor}}x{{/secondFactor}}", "2:4: this mail has no secondFactor"),
        ("{{link}} %NEW_EMAIL%", "1:10: this mail has no newEmail"),
        ("%LINK% %NAME%", "1:8: unknown placeholder %NAME%; expected one of %LINK%,"),
        ("{{{link}}}", "1:1: unescaped values are not available: write {{link}}"), ("{{&link}}", "1:1: unescaped values"),
        ("{{>part}}{{link}}", "1:1: {{> is not available"), ("{{=<% %>=}}{{link}}", "1:1: {{= is not available"),
        ("{{link", "1:1: {{ begins a tag that does not end"), ("Hello", "1:1: the link is missing: add {{link}}"),
        ("", "1:1: the link is missing"),
        ("{{link}}\r\n\r\n%LINK%", "3:1: the link is here a second time"),
        ("{{#help}}{{link}}{{/help}}", "1:10: the link may be in no section"),
        ("{{^link}}{{link}}{{/link}}", "1:10: the link may be in no section"),
        ("{{link}}{{#help}}", "1:9: the section {{#help}} does not end"),
        ("{{link}}{{/help}}", "1:9: {{/help}} ends nothing, because no section is open"),
        ("{{link}}{{#help}}{{/why}}", "1:18: {{/why}} ends nothing; expected {{/help}}"), ("{{facts}}{{link}}", "1:1: {{facts}} is a list"),
        ("{{value}}{{link}}", "1:1: {{value}} is only available in {{#facts}}"), ("{{link}}\u{7}", "1:9: a control character"),
        ("{{link}}{{#facts}}{{#facts}}{{value}}{{/facts}}{{/facts}}", "1:19: the section {{#facts}} is within itself"),
        ("{{link}}{{#facts}}{{#help}}{{#facts}}{{/facts}}{{/help}}{{/facts}}", "1:28: the section {{#facts}} is within itself"),
        ("{{link}}{{#help}}{{^help}}x{{/help}}{{/help}}", "1:18: the section {{^help}} is within itself"),
    ])
    func `in text is refused at the position of its first problem`(_ source: String, _ problem: String) {
        #expect(Self.problem(source)?.hasPrefix(problem) == true, "\(Self.problem(source) ?? "accepted")")
    }

    /// Such characters have a meaning in the cache of pages.
    @Test func `has no character that Unicode reserves for programs`() throws {
        let mark = Character(try #require(Unicode.Scalar(UInt32(0xfdd0))))
        #expect(Self.problem("{{link}}\(mark)")?.hasPrefix("1:9: a control character") == true)
    }

    @Test func `for mails without a link has no link, and for all mails has it in a section`() {
        #expect(Self.problem("Changed: {{newEmail}}", for: Self.notice) == nil)
        #expect(Self.problem("{{link}}", for: Self.notice)?.hasPrefix("1:1: this mail has no link") == true)
        #expect(Self.problem("{{link}}", for: .everyMail)?.hasPrefix("1:1: this template is also for mails without a link") == true)
        #expect(Self.problem("{{#link}}{{link}}{{/link}} {{newEmail}} {{secondFactor}}", for: .everyMail) == nil)
    }

    @Test(arguments: [
        ("Hello\n", nil), ("\n[{{appName}}] {{subject}}", nil), ("two\nlines", "1:4: a subject is one line"),
        ("a\u{2028}b", "1:2: a subject"),
        ("a\rb", "1:2: a subject"), ("{{link}}", "1:1: the link must not be in a subject"),
        ("{{#link}}%LINK%{{/link}}", "1:10: the link must"),
        (String(repeating: "x", count: 301), "1:301: a subject has at most 300 characters"),
    ])
    func `of a subject is one line without the link`(_ source: String, _ problem: String?) {
        let found = Self.problem(source, as: .subject)
        #expect(problem.map { found?.hasPrefix($0) == true } ?? (found == nil), "\(found ?? "accepted")")
    }

    @Test(arguments: MailTemplate.Part.allCases) func `is refused if it is too large`(_ part: MailTemplate.Part) {
        let large = String(repeating: "é", count: MailTemplate.maxBodyBytes / 2) + "x"
        #expect(Self.problem(large, as: part)?.contains("\(MailTemplate.maxBodyBytes + 1) bytes") == true)
    }

    /// V2: admins of a project set templates, and the check of one must not keep others waiting.
    /// Ten times the length may take ten times the time, and not a hundred times.
    @Test(arguments: [
        "<b>", "<div>", "<b></b>", "<!-- x -->", "<p style=\"a:b\">x</p>", "x\n {{! c }}\n", "{{#help}}x{{/help}}", "{{lead}} ", "%",
        "\n \r\n", "<!-- -a-a -->",
    ])
    func `is checked in time that grows with its length`(_ part: String) {
        func time(_ bytes: Int) -> Duration {
            let text = Self.link + String(repeating: part, count: bytes / part.utf8.count)
            let start = CompositionBudget.threadTime
            _ = Self.problem(text, as: .html)
            return CompositionBudget.threadTime - start
        }
        let (short, long) = (time(MailTemplate.maxBodyBytes / 11), time(MailTemplate.maxBodyBytes / 11 * 10))
        #expect(long < short * 30, "\(short), \(long)")
    }

    @Test(arguments: [
        "", "<p>1 &lt; 2 &amp; {{displayName}}</p>", "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0//EN\" \"x.dtd\">", "<br/><br / ><hr>",
        "<!--[if mso]><v:rect href=\"{{link}}\"/><![endif]-->", "<img src='https://a.example/x.png?a=1&amp;b=2' alt=\"%APP_NAME%\"/>",
        "<table background=\"https://a.example/b.png\" width=\"100%\"><tr><td nowrap>{{email}}</td></tr></table>",
        "<!--[if !mso]><!--><p>{{displayName}}</p><!--<![endif]-->", "<![if !mso]><p>x</p><![endif]>", "{{#help}}<p>{{help}}</p>{{/help}}",
        "<p style=\"color:{{accent}};background:url('https://a.example/b.png')\" dir=\"{{direction}}\" lang=\"{{language}}\">x</p>",
        "<a href=\"https://a.example/?a=b&amp;c==d/\" class=\"x\" title=\"{{subject}}\">z</a><a href=\"mailto:a@b.example\">m</a>",
        "<UL><LI>{{#facts}}<B>{{label}}</B> {{value}}<br>{{/facts}}</LI></UL>", "<font color='{{accent}}'>x</font><p>%LINK%</p>",
    ])
    func `in HTML is accepted if it is well-formed and escaping makes each value harmless`(_ body: String) {
        #expect(Self.problem(Self.link + body, as: .html) == nil)
        #expect(
            Self.problem(
                "<html><head><style>a > b { color: {{accent}} }</style><title>{{appName}}</title></head><body>\(Self.link)\(body)</body></html>",
                as: .html) == nil || body.contains("DOCTYPE"))
    }

    /// P7: no value may become an attribute, a style, a script or an element.
    @Test(arguments: [
        "<a href={{link}}>", "<p title={{displayName}}>", "<p title='{{displayName}}'></p>", "<{{displayName}}>", "</{{displayName}}>",
        "<p {{displayName}}>", "<!-- {{displayName}} -->", "<!doctype {{displayName}}>", "<p style=\"{{displayName}}\">",
        // A less exact tokenizer would miss what browsers see here.
        "<p =\"><script>\">", "<p x=y=\"><script>\">", "<p x=\"y\"=\"><script>\">", "<p x=y =\"><script>\">", "<p/=\"><script>\">",
        "<!--><script>-->", "<!---><script>-->", "<!-- --!><script>-->", "</ <p x=\"><script>\">", "</><b>", "</", "</{{displayName}}b>",
        "< {{displayName}}script>", "<  {{displayName}}b>", "<p \">{{displayName}}<b \">", "<p x=y\"z>", "<p x==\"y\">", "<p <b>",
        "<p title=\"x",
        "<!-- x", "<img src=\"{{link}}\">", "<p class=\"{{email}}\">", "<!-- <script> -->", "<?xml version=\"1.0\"?>",
    ])
    func `in HTML is refused if browsers might read it in another way`(_ body: String) {
        #expect(Self.problem(Self.link + body, as: .html) != nil)
        #expect(Self.problem("{{link}}" + body, as: .text)?.contains("second time") ?? true)
    }

    @Test(arguments: [
        ("<p>x", "1:26: <p> is not closed: add </p>"),
        ("<b><i>x</b></i>", "1:33: </b> stands where </i> is expected, for the <i> of line 1"),
        ("</p>", "1:26: </p> closes nothing"), ("\n<script>1</script>", "2:1: the element <script> has no place in a mail"),
        ("<ScRiPt src='https://x.example'></script>", "1:26: the element <script>"), ("<iframe></iframe>", "1:26: the element <iframe>"),
        ("<svg></svg>", "1:26: the element <svg>"), ("<form></form>", "1:26: the element <form>"),
        ("<link rel=\"x\">", "1:26: the element <link>"),
        ("<p onclick=\"x\">y</p>", "1:29: onclick is an event handler"), ("<b class=x>y</b>", "1:35: the value of class needs quotes"),
        ("<img src=\"http://a.example/x.png\">", "1:31: a picture must be"), ("<img src=\"x.png\">", "1:31: a picture must be"),
        ("<img src=\"data:image/png;base64,AA\">", "1:31: a picture must be"),
        ("<img srcset=\"https://a.example\">", "1:31: the attribute srcset"),
        ("<a href=\"javascript:x\">y</a>", "1:29: an href must be"), ("<a href=\"java&#115;cript:x\">y</a>", "1:29: an href must be"),
        ("<a href=\"/x\">y</a>", "1:29: an href must be"), ("<a href=\"{{link}}&amp;x=1\">y</a>", "1:29: an href must be"),
        ("<p style=\"background:url(http://a.example)\">x</p>", "1:29: an address in a style must begin with https://"),
        ("<p style=\"behavior:x\">x</p>", "1:29: a style must not contain behavior:"),
        ("<p style=\"c\\6f\">x</p>", "1:29: a style must not contain a"),
        ("<p style=\"&#117;rl(http:x)\">x</p>", "1:29: a style must not contain a character reference"),
        ("<p><div>x</div></p>", "1:29: a <p> cannot contain <div>"),
        ("<a href=\"#\"><a href=\"#\">x</a></a>", "1:38: an <a> contains another"),
        ("<div/>", "1:26: browsers ignore the / of <div/>"), ("<style>x</style>", "1:26: <style> needs a whole document"),
        ("<p id=\"a\" ID=\"b\">x</p>", "1:36: id appears twice"), ("<p class=\"a\"id=\"b\">x</p>", "1:38: a space is missing"),
        ("<meta http-equiv=\"refresh\" content=\"0;url=x\">", "1:26: <meta> needs a whole document"), ("1 < 2", "1:28: a < begins no tag"),
        ("{{#help}}<b>{{/help}}</b>", "1:35: <b> must end in the section"), ("<b>{{#help}}</b>{{/help}}", "1:38: </b> closes nothing"),
        ("<p {{#help}}class=\"x\"{{/help}}>y</p>", "1:29: the section {{#help}} must begin and end between tags"),
        ("<a href=\"{{link}}\">again</a>", "1:1: the link must be in one href, once"),
        ("{{link}}{{link}}", "1:1: the link may be shown once"),
    ])
    func `in HTML is refused at the position of its first problem`(_ body: String, _ problem: String) {
        let found = Self.problem(Self.link + body, as: .html)
        #expect(found?.hasPrefix(problem) == true, "\(found ?? "accepted")")
    }

    @Test(arguments: [
        "<style>@import url(https://a.example/x.css)</style>", "<style>@font-face{src:url(https://a.example/x.woff)}</style>",
        "<style>p{background:url(//a.example)}</style>", "<style>{{displayName}}</style>", "<title>{{link}}</title>",
        "<meta http-equiv=\"refresh\" content=\"0\">", "<base href=\"https://a.example/\">", "<html>", "<style></stylex>{{email}}</style>",
    ])
    func `of a whole document loads no file but pictures`(_ head: String) {
        func document(_ head: String) -> String { "<!doctype html><html><head>\(head)</head><body>\(Self.link)</body></html>" }
        #expect(Self.problem(document(""), as: .html) == nil)
        #expect(Self.problem(document(head), as: .html) != nil)
    }

    @Test func `in HTML must have its link in an href`() {
        #expect(Self.problem("<p>{{link}}</p>", as: .html)?.hasPrefix("1:1: the link must be in one href") == true)
        #expect(Self.problem("<a href='%LINK%'>%LINK%</a>", as: .html) == nil)
    }
}
