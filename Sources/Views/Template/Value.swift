/// What a mail or a page is written in.
enum Medium { case html, text }

/// What fills a template's slot, or a phrase's blank.
indirect enum Value {
    /// Words that need no care for their direction.
    case text(String)
    /// Somebody else's words, in whatever direction: kept from turning the sentence around.
    case name(String)
    /// An address, a host or a link: left to right in every language.
    case address(String)
    /// As `Language.date` says it, and the same in ISO 8601 for programs.
    case time(String, iso: String)
    case link(to: String, shown: String)
    case phrase(Phrase, [Blank: Value])
    /// A phrase where no element can stand: a title, an attribute, a subject.
    case plain(Phrase, [Blank: Value])
    case flag
    case group(Fields)
    case list([Fields])
}

typealias Fields = [Slot: Value]
