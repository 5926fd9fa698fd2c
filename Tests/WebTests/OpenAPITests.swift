import Accounts
import EmailActions
import Foundation
import HTTPTypes
import JSON
import Testing

@testable import Web

@Suite struct `The OpenAPI document` {
    /// The methods that the recorded exchanges call, each with what was sent and answered.
    static let played: [(exchange: Exchange, method: Call.Method, sent: JSON?, answered: JSON?)] = Exchange.all.compactMap { exchange in
        let target = exchange.request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        let path = String(target.prefix { $0 != "?" })
        let verb = exchange.request.split(separator: " ").first.map(String.init) ?? ""
        guard let name = HTTPRequest.Method(verb), case .call(let method)? = Endpoint(path: path)?[name] else { return nil }
        func body(_ text: String) -> JSON? {
            text.components(separatedBy: "\n\n").dropFirst().first.flatMap { try? JSON(Array($0.utf8)) }
        }
        return (exchange, method, body(exchange.request), body(exchange.response))
    }

    @Test func `lists each address of the table that offers something, and no other of the API`() async throws {
        let document = OpenAPI.document(inDevelopment: true)
        guard case .object(let paths)? = document["paths"] else { throw CocoaError(.coderReadCorrupt) }
        let offered = Endpoint.table.filter { _, verbs in
            verbs.values.contains { if case .notOffered = $0 { false } else { true } }
        }
        let listed = Set(paths.map(\.name))
        #expect(Set(offered.keys).subtracting(listed).isEmpty)
        #expect(listed.filter { $0.hasPrefix("/v") || $0.hasPrefix("/identity") || $0.hasPrefix("/emulator") }.isSubset(of: offered.keys))
    }

    @Test func `names each operation once`() async throws {
        let document = OpenAPI.document(inDevelopment: true)
        let ids = document.text.matches(of: #/"operationId":"([^"]+)"/#).map { String($0.1) }
        #expect(Set(ids).count == ids.count)
        #expect(ids.count > 40)
    }

    @Test(arguments: [true, false]) func `is JSON that anyone may fetch`(inDevelopment: Bool) async throws {
        let api = try await API(inDevelopment ? [] : [.production])
        let (response, body) = await api.site.answer(
            .init(method: .get, scheme: "https", authority: "any.example", path: "/openapi.json"), [], "::1", through: .front)
        #expect(response.status == .ok)
        #expect(try JSON(body)["openapi"] == "3.1.0")
        #expect(String(decoding: body, as: UTF8.self).contains("/emulator/") == inDevelopment)
    }

    @Test(arguments: [true, false]) func `stands where the emulator has it, in development`(inDevelopment: Bool) async throws {
        let api = try await API(inDevelopment ? [] : [.production])
        let (response, _) = await api.site.answer(
            .init(method: .get, scheme: "https", authority: "auth.example", path: "/emulator/openapi.json"), [], "::1", through: .front)
        #expect(response.status == (inDevelopment ? .ok : .notFound))
    }

    /// What is recorded is real, so what it shows must stand in the document, member by member.
    @Test(arguments: played.indices) func `knows every answer that is recorded`(_ index: Int) throws {
        let (exchange, method, _, answered) = Self.played[index]
        guard let answered else { return }
        let schema: Schema = exchange.response.hasPrefix("HTTP/1.1 200") ? .object(method.outline.answer) : .shared(.error)
        let isOtherwise = exchange.response.hasPrefix("HTTP/1.1 405")
        #expect(
            isOtherwise || schema.objections(to: answered, at: "").isEmpty,
            "\(exchange.testDescription): \(schema.objections(to: answered, at: ""))")
    }

    @Test(arguments: played.indices) func `knows every refusal that is recorded`(_ index: Int) throws {
        let (exchange, method, _, answered) = Self.played[index]
        guard let code = answered?.errorCode, let refusal = Refusal(rawValue: code) else { return }
        #expect((method.outline.refusals + Outline.everyones).contains(refusal), "\(exchange.testDescription)")
    }

    /// Issue 3: golden exchanges for each refusal that a method can give.
    @Test(arguments: Call.Method.allCases) func `promises no refusal that no exchange shows`(_ method: Call.Method) {
        let shown = Self.played.filter { $0.method.outline.summary == method.outline.summary }.compactMap { $0.answered?.errorCode }
        let missing = Set(method.outline.refusals.map(\.rawValue)).subtracting(shown)
        #expect(missing.isEmpty)
    }

    @Test(arguments: Call.Method.allCases) func `shows each method at work`(_ method: Call.Method) {
        #expect(Self.played.contains { $0.method == method && $0.exchange.response.hasPrefix("HTTP/1.1 200") })
    }

    /// What any call may name, and what is only read to be refused.
    private static let ofNoMethod: Set<String> = ["tenantid", "targetprojectid", "rawpassword", "pendingidtoken"]

    /// The sources are read: every field that a method asks its body for is in its outline, and every field of the outline is asked for.
    @Test func `knows every field that is read, and no other`() throws {
        let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
        let files = try ["Web/IdentityToolkit", "EmailActions/Import"].flatMap { folder in
            try #require(FileManager.default.enumerator(at: sources.appending(path: folder), includingPropertiesForKeys: nil))
                .compactMap { $0 as? URL }
        }
        let text = try files.filter { $0.pathExtension == "swift" && !$0.path.contains("/Emulator/") }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let read = Set(
            text.matches(of: #/\.(?:text|string|strings|bool|integer|object|objects|choice|choices|profile|email|has|isPresent)\("(\w+)"/#)
                .map { JSONFields.letters(of: String($0.1)) })
        let outlines = Call.Method.allCases.map(\.outline)
        let documented = Set(outlines.flatMap { Schema.object($0.fields + $0.adminFields).names }.map { JSONFields.letters(of: $0) })
        #expect(read.subtracting(documented).subtracting(Self.ofNoMethod) == [])
        let numbers = HashScheme.Fields.Number.allCases.map { JSONFields.letters(of: $0.rawValue) }
        let literals = Set(numbers).union(text.matches(of: #/"(\w+)"/#).map { JSONFields.letters(of: String($0.1)) })
        let settings = ConfigField.all.flatMap { $0.path.split(separator: ".") }.map { JSONFields.letters(of: String($0)) }
        #expect(documented.subtracting(literals).subtracting(settings) == [])
        #expect(Self.played.count > 150)
    }
}

extension Schema {
    /// The names of its members, and of theirs.
    var names: [String] {
        switch self {
        case .object(let properties): properties.flatMap { [$0.name] + $0.schema.names }
        case .list(let items): items.names
        default: []
        }
    }

    /// Where a value is not as the schema has it: a member that is missing, unknown or of another kind.
    func objections(to value: JSON, at path: String) -> [String] {
        switch (self, value) {
        case (.anything, _), (.text, .string), (.flag, .bool), (.number, .number): return []
        case (.integer, .number(let text)): return Int(text) == nil ? ["\(path): no integer"] : []
        case (.int64, .string(let text)): return Int64(text) == nil ? ["\(path): no digits"] : []
        case (.choice(let names), .string(let text)): return names.contains(text) ? [] : ["\(path): \(text)"]
        case (.list(let items), .array(let values)):
            return values.enumerated().flatMap { items.objections(to: $1, at: "\(path)/\($0)") }
        case (.map(let schema), .object(let members)):
            return members.flatMap { schema.objections(to: $0.value, at: "\(path)/\($0.name)") }
        case (.shared(let shared), _): return shared.schema.objections(to: value, at: path)
        case (.object(let properties), .object(let members)):
            let names = Set(members.map(\.name))
            let missing = properties.filter { $0.isRequired && !names.contains($0.name) }.map { "\(path)/\($0.name): missing" }
            return missing
                + members.flatMap { member in
                    properties.first { $0.name == member.name }.map { $0.schema.objections(to: member.value, at: "\(path)/\(member.name)") }
                        ?? ["\(path)/\(member.name): not in the document"]
                }
        default: return ["\(path): another kind"]
        }
    }
}
