import Foundation

/// What sets a page apart from others of its shape: all that its request brought, taken out of it, with a mark in place of each text.
///
/// The marks are characters that Unicode keeps for use inside programs. No file and no brand that holds one is taken (`holdsMark`).
struct Blanks {
    /// As many as there are such characters in a row: a page with more texts is its own shape.
    static let most = 32
    private static let marks = (0..<UInt32(most)).compactMap { Unicode.Scalar(0xfdd0 + $0) }.map { String($0) }

    /// In the order of the marks.
    private(set) var texts: [String] = []
    private let language: Language
    private let now: Date

    /// - Parameter page: becomes its shape.
    init(of page: inout Page, in language: Language) {
        (self.language, now) = (language, page.now)
        texts.reserveCapacity(Self.most)
        page.give(to: &self)
    }

    mutating func take(_ text: inout String) {
        let mark = texts.count < Self.most ? Self.marks[texts.count] : text
        texts.append(text)
        text = mark
    }

    mutating func take(_ text: inout String?) {
        guard var taken = text else { return }
        take(&taken)
        text = taken
    }

    mutating func take(_ moment: inout Moment) {
        var told = moment.told(in: language, at: now)
        take(&told.date)
        take(&told.iso)
        take(&told.span.count)
        moment = .told(told)
    }

    mutating func take(_ moment: inout Moment?) {
        guard var taken = moment else { return }
        take(&taken)
        moment = taken
    }

    /// Paths and names of fields are the routes' own.
    mutating func take(_ form: inout Form) {
        for index in form.hidden.indices { take(&form.hidden[index].value) }
    }

    mutating func take(_ form: inout Form?) {
        guard var taken = form else { return }
        take(&taken)
        form = taken
    }

    mutating func take(_ next: inout Next) {
        guard case .to(var host, var url) = next else { return }
        take(&host)
        take(&url)
        next = .to(host: host, url: url)
    }
}

extension String {
    /// Whether a page that said this could not be told from one with a blank there.
    var holdsMark: Bool { unicodeScalars.contains { $0.blank != nil } }
}

extension Unicode.Scalar {
    /// Which blank this marks, if it marks one.
    var blank: Int? { (0xfdd0...0xfdef).contains(value) ? Int(value - 0xfdd0) : nil }
}
