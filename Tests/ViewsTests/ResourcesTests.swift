import Foundation
import Testing
import Views

/// A copy of the release's resources, which a test may change. It is removed with this value.
private final class ReleaseCopy {
    let folder = FileManager.default.temporaryDirectory.appending(path: "onward-views-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for part in ["Config", "Public"] {
            try FileManager.default.copyItem(at: URL(filePath: Samples.root).appending(path: part), to: path(part))
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> URL { folder.appending(path: name) }
}

@Suite struct `The resources folder` {
    /// The error for a copy of the resources with one file changed.
    func refusal(_ file: String, _ change: (String) -> String?) throws -> ResourceError? {
        let release = try ReleaseCopy()
        defer { withExtendedLifetime(release) {} }
        let changed = release.path(file)
        let content = change((try? String(contentsOf: changed, encoding: .utf8)) ?? "")
        try FileManager.default.removeItem(at: changed)
        if let content { try content.write(to: changed, atomically: true, encoding: .utf8) }
        do {
            _ = try Views(resources: Resources(release: release.folder.path), checksWords: true)
            return nil
        } catch {
            #expect(error.file.hasSuffix(file))
            return error
        }
    }

    /// A server reads the words of a language when they are first shown.
    @Test func `shows English in place of a damaged language, which the check names`() throws {
        let release = try ReleaseCopy()
        defer { withExtendedLifetime(release) {} }
        let file = release.path("Config/languages/de.json")
        let content = try String(contentsOf: file, encoding: .utf8).replacing("\"resendButton\":", with: "\"resend\":")
        try content.write(to: file, atomically: true, encoding: .utf8)
        let resources = Resources(release: release.folder.path)
        let views = try Views(resources: resources)
        func title(_ tag: String, _ views: Views) throws -> Substring {
            let page = Page(.error(ErrorPage(.notFound)), brand: try views.brand(name: "A"), now: Samples.now)
            let text = views.text(page, in: try #require(views.language(matching: tag)))
            return try #require(text.firstMatch(of: #/<h1[^>]*>(.+?)</h1>/#)?.1)
        }
        let shipped = try Samples.views.get()
        #expect(try title("de", views) == title("en", shipped) && title("de", shipped) != title("en", shipped))
        #expect(try title("fr", views) == title("fr", shipped))
        #expect(throws: ResourceError.self) { _ = try Views(resources: resources, checksWords: true) }
    }

    @Test func `is accepted as shipped`() throws {
        #expect(try refusal("Config/templates/pages/done.mustache") { $0 } == nil)
    }

    @Test(arguments: [
        ("Config/languages/de.json", "\"resendButton\":", "\"resend\":", "missing key words.error.resendButton"),
        ("Config/languages/en.json", "\"close\": ", "\"cloze\": \"x\", \"close\": ", "unknown key words.next.cloze"),
        (
            "Config/languages/en.json", "go on after {time}", "go on after {clock}",
            "key words.error.tooManyTries.lead: unknown placeholder {clock}"
        ),
        (
            "Config/languages/en.json", "go on after {time}", "go on after {time",
            "key words.error.tooManyTries.lead: unknown placeholder {time.}"
        ),
        ("Config/languages/cs.json", "\"few\":", "\"fewer\":", "unknown key words.durations"),
        (
            "Config/languages/cs.json", "\"plural\": \"westSlavic\"", "\"plural\": \"polish\"",
            "key words.durations.days: must have the forms one, few, many, other"
        ),
        (
            "Config/languages/en.json", "\"one\": \"{count} day\",", "",
            "key words.durations.days: must have the forms one, other"
        ),
        ("Config/languages/en.json", "\"rtl\"", "", ""),
        ("Config/templates/pages/done.mustache", "{{text}}", "{{txt}}", "unknown placeholder {{txt}}"),
        ("Config/templates/pages/done.mustache", "{{text}}", "{{{text}}}", "unknown placeholder {{{text}}"),
        ("Config/templates/pages/done.mustache", "{{>pages.links}}", "{{>pages.lynx}}", "unknown placeholder {{>pages.lynx}}"),
        ("Config/templates/pages/facts.mustache", "{{/facts}}", "", ":8: a section is not closed; expected {{/name}}"),
        ("Config/templates/pages/facts.mustache", "{{/facts}}", "{{/fact}}", "unknown placeholder {{/fact}}"),
        ("Config/languages/de.json", "\"direction\": \"ltr\"", "\"direction\": \"up\"", "key direction has an unknown value"),
        ("Config/languages/de.json", "\"direction\": \"ltr\"", "\"direction\" \"ltr\"", ":3: not JSON: unexpected token"),
    ]) func `is refused with the file, the line and the key`(file: String, old: String, new: String, problem: String) throws {
        let refusal = try refusal(file) { $0.replacing(old, with: new) }
        #expect(refusal.map { $0.description.contains(problem) } ?? problem.isEmpty, "\(refusal?.description ?? "accepted")")
    }

    @Test(arguments: ["Config/templates/pages/done.mustache", "Config/languages/en.json", "Public/onward.css", "Public/favicon.svg"])
    func `is refused if a file is missing`(file: String) throws {
        #expect(try refusal(file) { _ in nil } != nil)
    }
}
