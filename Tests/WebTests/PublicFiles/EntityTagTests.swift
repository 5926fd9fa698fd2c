import HTTPTypes
import Testing
@testable import Web

/// Source: RFC 9110 sections 8.8.3, 13.1.1 and 13.1.2.
@Suite struct `An entity tag` {
    let tag = EntityTag(of: [1, 2, 3])

    private func isNamed(by lines: [String], _ comparison: EntityTag.Comparison = .weak) -> Bool? {
        var fields: HTTPFields = [:]
        for line in lines { fields.append(HTTPField(name: .ifNoneMatch, value: line.replacing("TAG", with: tag.text))) }
        return tag.isNamed(by: .ifNoneMatch, of: fields, comparison)
    }

    @Test func `depends on the bytes`() {
        #expect(tag == EntityTag(of: [1, 2, 3]) && tag != EntityTag(of: [1, 2, 4]) && tag != EntityTag(of: []))
        #expect(tag.text.wholeMatch(of: #/"[0-9a-z]+"/#) != nil)
    }

    @Test(arguments: ["TAG", "W/TAG", "*", " * ", "\"a\", TAG", "\"a,b\",W/\"\" ,TAG", ",, TAG ,", "\"a\"TAG", "\"W/\", TAG"])
    func `matches`(_ line: String) { #expect(isNamed(by: [line]) == true) }

    @Test(arguments: [
        "", "\"\"", "\"a\"", "w/TAG", "W /TAG", "W/ TAG", "*, TAG", "* *", "a, TAG", "\"TAG", "\"a, TAG", "'TAG'", "W/", "W/\"",
    ])
    func `does not match`(_ line: String) { #expect(isNamed(by: [line]) == false) }

    @Test func `is strong`() {
        #expect(isNamed(by: ["W/TAG"], .strong) == false)
        #expect(isNamed(by: ["W/TAG, TAG"], .strong) == true)
        #expect(isNamed(by: ["*"], .strong) == true)
    }

    @Test func `may be listed in several fields, or in none`() {
        #expect(isNamed(by: ["\"a\"", "TAG"]) == true)
        #expect(isNamed(by: ["\"a\"", "\"b\""]) == false)
        #expect(isNamed(by: []) == nil)
    }
}
