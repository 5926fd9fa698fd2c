import Accounts
import Base
import Foundation
import HTTPTypes
import Testing
@testable import Web

@Suite struct `The OpenAPI document` {
    /// The methods that the recorded exchanges call, each with the bodies of request and response.
    static let played: [(exchange: Exchange, method: APIMethod, sent: JSON?, received: JSON?)] = Exchange.all.compactMap { exchange in
        guard case .call(let method)? = exchange.route?.handler else { return nil }
        func body(_ text: String) -> JSON? {
            text.components(separatedBy: "\n\n").dropFirst().first.flatMap { try? JSON(Array($0.utf8)) }
        }
        return (exchange, method, body(exchange.request), body(exchange.response))
    }

    @Test func `lists each address of the table that offers something, and no other of the API`() async throws {
        let document = OpenAPI.document(inDevelopment: true)
        guard case .object(let paths)? = document["paths"] else { throw CocoaError(.coderReadCorrupt) }
        let offered = Set(
            (IdentityToolkit.routes + FeedbackEndpoint.routes).filter { if case .notOffered = $0.handler { false } else { true } }.map(
                \.path))
        let listed = Set(paths.map(\.name))
        #expect(offered.subtracting(listed).isEmpty)
        #expect(listed.filter { $0.hasPrefix("/v") || $0.hasPrefix("/identity") || $0.hasPrefix("/emulator") }.isSubset(of: offered))
    }

    @Test func `names each operation once`() async throws {
        let document = OpenAPI.document(inDevelopment: true)
        let ids = document.text.matches(of: #/"operationId":"([^"]+)"/#).map { String($0.1) }
        #expect(Set(ids).count == ids.count)
        #expect(ids.count > 40)
    }

    @Test(arguments: [true, false]) func `is JSON that anyone may fetch`(inDevelopment: Bool) async throws {
        let api = try await API(inDevelopment ? [] : [.production])
        let (response, body) = await api.site.respond(
            to: .init(method: .get, scheme: "https", authority: "any.example", path: "/openapi.json"), [], from: "::1", through: .front)
        #expect(response.status == .ok)
        #expect(try JSON(body)["openapi"] == "3.1.0")
        #expect(String(decoding: body, as: UTF8.self).contains("/emulator/") == inDevelopment)
    }

    @Test(arguments: [true, false]) func `is also at the address of the emulator, in development`(inDevelopment: Bool) async throws {
        let api = try await API(inDevelopment ? [] : [.production])
        let (response, _) = await api.site.respond(
            to: .init(method: .get, scheme: "https", authority: "auth.example", path: "/emulator/openapi.json"), [], from: "::1",
            through: .front)
        #expect(response.status == (inDevelopment ? .ok : .notFound))
    }

    /// Every member of a recorded response must be in the document.
    @Test(arguments: played.indices) func `describes every response that is recorded`(_ index: Int) throws {
        let (exchange, method, _, received) = Self.played[index]
        guard let received else { return }
        let schema: Schema = exchange.response.hasPrefix("HTTP/1.1 200") ? .object(method.documentation.response) : .shared(.error)
        let isOtherwise = exchange.response.hasPrefix("HTTP/1.1 405")
        #expect(
            isOtherwise || schema.objections(to: received, at: "").isEmpty,
            "\(exchange.testDescription): \(schema.objections(to: received, at: ""))")
    }

    @Test(arguments: played.indices) func `lists every refusal that is recorded`(_ index: Int) throws {
        let (exchange, method, _, received) = Self.played[index]
        guard let code = received?.errorCode, let refusal = Refusal(rawValue: code) else { return }
        #expect((method.documentation.refusals + MethodDocumentation.commonRefusals).contains(refusal), "\(exchange.testDescription)")
    }

    /// Issue 3: golden exchanges for each refusal that a method can give.
    @Test(arguments: APIMethod.all) func `lists only refusals that an exchange shows`(_ method: APIMethod) {
        let shown = Self.played.filter { $0.method.documentation.summary == method.documentation.summary }.compactMap {
            $0.received?.errorCode
        }
        let missing = Set(method.documentation.refusals.map(\.rawValue)).subtracting(shown)
        #expect(missing.isEmpty)
    }

    @Test(arguments: APIMethod.all) func `shows each method at work`(_ method: APIMethod) {
        #expect(Self.played.contains { $0.method == method && $0.exchange.response.hasPrefix("HTTP/1.1 200") })
    }

    /// Fields of every method, and fields that are only read to be refused.
    private static let ofNoMethod: Set<String> = ["tenantid", "targetprojectid", "rawpassword", "pendingidtoken"]

    /// The sources are read: every field that a method asks its body for is in its documentation,
    /// and every field of the documentation is read.
    @Test func `describes every field that is read, and no other`() throws {
        let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
        let files = try ["Web/IdentityToolkit", "Accounts/Import"].flatMap { folder in
            try #require(FileManager.default.enumerator(at: sources.appending(path: folder), includingPropertiesForKeys: nil))
                .compactMap { $0 as? URL }
        }
        let text = try files.filter { $0.pathExtension == "swift" && !$0.path.contains("/EmulatorMethod") }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
            .replacing(#/(?:Property|\.always)\(\s*"\w+"/#, with: "")
        let read = Set(
            text.matches(of: #/\.(?:text|string|strings|bool|integer|object|objects|choice|choices|profile|email|has|isPresent)\("(\w+)"/#)
                .map { JSONFields.letters(of: String($0.1)) })
        let documentations = APIMethod.all.map(\.documentation)
        let documented = Set(documentations.flatMap { Schema.object($0.fields + $0.adminFields).names }.map { JSONFields.letters(of: $0) })
        #expect(read.subtracting(documented).subtracting(Self.ofNoMethod) == [])
        let numbers = HashScheme.Parameters.Number.allCases.map { JSONFields.letters(of: $0.rawValue) }
        let literals = Set(numbers).union(text.matches(of: #/"(\w+)"/#).map { JSONFields.letters(of: String($0.1)) })
        let settings = ConfigField.all.flatMap { $0.path.split(separator: ".") }.map { JSONFields.letters(of: String($0)) }
        #expect(documented.subtracting(literals).subtracting(settings) == [])
        #expect(Self.played.count > 150)
    }
}

extension Schema {
    /// The names of the members at every depth.
    var names: [String] {
        switch self {
        case .object(let properties): properties.flatMap { [$0.name] + $0.schema.names }
        case .list(let items): items.names
        default: []
        }
    }

    /// The paths at which a value does not match the schema: a member is missing, unknown or of
    /// another type.
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
