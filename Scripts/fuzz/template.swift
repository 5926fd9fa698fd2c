import Foundation
@testable import Views

private let scopes = [
    TemplateScope.everyMail, TemplateScope(link: .always, hasNewEmail: true, hasSecondFactor: false),
    TemplateScope(link: .never, hasNewEmail: false, hasSecondFactor: true),
]

/// A project's own template: it is refused with a place in it, or what it was read as has its link
/// where it may be, and no script (P17, R20). The first byte chooses the part and the mail.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let (part, scope) = (MailTemplate.Part.allCases[Int(start[0]) % 3], scopes[Int(start[0]) / 3 % 3])
    let text = String(decoding: UnsafeBufferPointer(start: start + 1, count: count - 1), as: UTF8.self)
    do throws(TemplateProblem) {
        let template = try MailTemplate(text, as: part, for: scope)
        let words = template.nodes.flatMap(\.words).joined().lowercased()
        precondition(part != .html || !words.contains("<script") && !words.contains("javascript:"), text)
        precondition(part != .subject || !words.contains(where: \.isNewline), text)
        let links = template.nodes.reduce(0) { $0 + $1.links }
        precondition(part == .html || links <= (part == .text ? 1 : 0), text)
    } catch { precondition(!error.sentence.isEmpty) }
    return 0
}

extension MailTemplateNode {
    /// The number of links in it.
    fileprivate var links: Int {
        switch content {
        case .words: 0
        case .value(let name, _): name == .link ? 1 : 0
        case .section(_, _, let inner): inner.reduce(0) { $0 + $1.links }
        }
    }

    /// Its own words, also those of a section.
    fileprivate var words: [String] {
        switch content {
        case .words(let words): [words]
        case .value: []
        case .section(_, _, let inner): inner.flatMap(\.words)
        }
    }
}
