import Foundation
import Testing
@testable import Views

/// A folder of an operator, with some files, over those of the release.
final class OwnFolder {
    let path = FileManager.default.temporaryDirectory.appending(path: "onward-own-\(UUID().uuidString)")

    init(_ files: [String: String]) throws {
        for (name, content) in files {
            let file = path.appending(path: name)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try content.write(to: file, atomically: true, encoding: .utf8)
        }
    }

    deinit { try? FileManager.default.removeItem(at: path) }

    func views() throws -> Views { try Views(resources: Resources(release: Samples.root, own: path.path)) }
}

@Suite struct `A folder of own words and looks` {
    private func title(_ views: Views, _ tag: String) throws -> String {
        let language = try #require(views.language(matching: tag))
        let page = Page(.error(ErrorPage(.damaged)), brand: try views.brand(name: "A"), now: Samples.now)
        return try #require(views.text(page, in: language).firstMatch(of: #/<h1>(.*?)<\/h1>/#).map { String($0.1) })
    }

    private static let changed = #"{"words": {"error": {"damaged": {"title": "Dieser Link ist gekürzt"}}}}"#

    @Test func `changes one word of one language, and the release has the others`() throws {
        let (shipped, own) = (try Samples.views.get(), try OwnFolder(["Config/languages/de.json": Self.changed]).views())
        #expect(try title(own, "de") == "Dieser Link ist gekürzt" && title(shipped, "de") != title(own, "de"))
        #expect(try title(own, "fr") == title(shipped, "fr") && own.languages.count == shipped.languages.count)
        #expect(own.remarks == [])
    }

    @Test func `changes one template and adds a part for it`() throws {
        let folder = try OwnFolder([
            "Config/templates/pages/heading.mustache": "{{>pages.ours}}<h1>{{title}}</h1>",
            "Config/templates/pages/ours.mustache": "<i>Ours</i>",
        ])
        let views = try folder.views()
        let page = Page(.error(ErrorPage(.damaged)), brand: try views.brand(name: "A"), now: Samples.now)
        #expect(views.text(page, in: views.languages[0]).contains("<i>Ours</i><h1>") && views.remarks == [])
    }

    @Test func `has a logo alone, or a style sheet`() throws {
        let folder = try OwnFolder(["Public/sun.svg": "<svg/>", "Public/onward.css": "b {}"])
        defer { withExtendedLifetime(folder) {} }
        let views = try folder.views()
        let brand = try views.brand(name: "A", logo: .init("sun.svg"))
        #expect(brand.assets.contains { $0.name == "sun.svg" } && String(decoding: brand.style.body, as: UTF8.self).hasPrefix("b {}"))
    }

    /// After an upgrade: the server starts, and the doctor tells.
    @Test func `may have words and templates that this version does not know, and names them`() throws {
        let views = try OwnFolder([
            "Config/languages/de.json": #"{"words": {"error": {"damaged": {"caption": "x"}}, "gone": "y"}}"#,
            "Config/templates/pages/gone.mustache": "{{title}}",
        ]).views()
        #expect(
            views.remarks.map(\.problem) == [
                "not used: this version has no template of this name", "not used: this version has no key words.error.damaged.caption",
                "not used: this version has no key words.gone",
            ])
        #expect(views.remarks.allSatisfy { $0.file.contains("onward-own-") })
        #expect(try title(views, "de") == title(try Samples.views.get(), "de"))
    }

    @Test func `may have a language that the release lacks; words that it lacks are shown in English`() throws {
        let plural = try #require(try Self.english["plural"] as? String)
        func basque(_ plural: String, name: String = #""name": "Euskara","#) throws -> OwnFolder {
            let words = #""words": {"error": {"unknown": {"title": "Ez"}}}"#
            return try OwnFolder([
                "Config/languages/eu.json": #"{\#(name) "direction": "ltr", "locale": "eu", "plural": "\#(plural)", \#(words)}"#
            ])
        }
        let own = try basque(plural).views()
        #expect(try title(own, "eu") == title(own, "en") && own.languages.contains { $0.name == "Euskara" })
        #expect(own.remarks.contains { $0.problem == "missing key words.error.damaged.title, shown in English" })
        #expect(!own.remarks.contains { $0.problem.contains("words.error.unknown.title") })
        let (nameless, unruly) = (try basque(plural, name: ""), try basque("some"))
        #expect(try #require(throws: ResourceError.self) { try nameless.views() }.problem == "missing key name")
        #expect(try #require(throws: ResourceError.self) { try unruly.views() }.problem == "key plural has an unknown value")
    }

    /// Its numbers have other forms than those of English.
    @Test func `may have such a language with plurals of its own, or without any`() throws {
        func lao(_ words: String, plural: String) throws -> OwnFolder {
            try OwnFolder([
                "Config/languages/lo.json":
                    #"{"name": "Lao", "direction": "ltr", "locale": "lo", "plural": "\#(plural)", "words": \#(words)}"#
            ])
        }
        let whole = #"{"durations": {"days": {"other": "{count} days"}}}"#
        #expect(try lao(whole, plural: "none").views().remarks.isEmpty == false)
        #expect(try lao("{}", plural: "eastSlavic").views().languages.contains { $0.code == "lo" })
        let wrong = #"{"durations": {"days": {"one": "{count} day", "other": "{count} days"}}}"#
        let refusal = try #require(throws: ResourceError.self) { try lao(wrong, plural: "eastSlavic").views() }
        #expect(refusal.problem == "key words.durations.days: must have the forms one, few, many, other")
    }

    /// As a volume of Kubernetes has them, beside names that begin with a dot.
    @Test func `may be reached by symbolic links`() throws {
        let (target, folder) = (try OwnFolder(["de.json": Self.changed, "..data/de.json": "{"]), try OwnFolder(["Config/x": ""]))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path.path + "/Config/languages", withDestinationPath: target.path.path)
        let views = try folder.views()
        #expect(try title(views, "de") == "Dieser Link ist gekürzt" && views.remarks == [])
    }

    @Test func `is refused if it cannot be read`() throws {
        let folder = try OwnFolder(["Config/languages": "no folder"])
        let refusal = try #require(throws: ResourceError.self) { try folder.views() }
        #expect(refusal.problem == "cannot be read" && refusal.file == folder.path.path + "/Config/languages")
    }

    @Test func `may have a template that nothing includes, whatever is in it`() throws {
        let views = try OwnFolder(["Config/templates/pages/gone.mustache": "{{goneKey}}{{>pages.gone2}}"]).views()
        #expect(views.remarks.map(\.problem) == ["not used: this version has no template of this name"])
        let included = try OwnFolder(["Config/templates/pages/heading.mustache": "<h1>{{title}}</h1>{{>pages.gone}}"])
        #expect(throws: ResourceError.self) { try included.views() }
    }

    @Test func `may have the icon of the tab`() throws {
        let folder = try OwnFolder(["Public/favicon.svg": "<svg/>"])
        let brand = try folder.views().brand(name: "A")
        #expect(brand.icon.body == Array("<svg/>".utf8) && brand.letter == "A")
    }

    private static var english: [String: Any] {
        get throws {
            let file = URL(filePath: Samples.root).appending(path: "Config/languages/en.json")
            return try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        }
    }

    @Test(arguments: [
        (#"{"words": {"error": {"damaged": {"title": "{nothing}"}}}}"#, "unknown placeholder {nothing}"), ("{", "not JSON"),
        (#"{"words": {"error": "x"}}"#, "wrong type"),
    ]) func `is refused where a word cannot be shown`(content: String, problem: String) throws {
        let folder = try OwnFolder(["Config/languages/de.json": content])
        let refusal = try #require(throws: ResourceError.self) { try folder.views() }
        #expect(refusal.description.contains(problem) && refusal.file == folder.path.path + "/Config/languages/de.json", "\(refusal)")
    }
}
