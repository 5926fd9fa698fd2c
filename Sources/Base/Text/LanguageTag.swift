/// The syntax of language tags, checked without their registry. Source: BCP 47.
public enum LanguageTag {
    /// The tag in a text, with hyphens in place of underscores, as Java and POSIX write `pt_BR`. A
    /// calendar or an encoding after it is ignored: Apple writes `ar_SA@calendar=islamic`, POSIX
    /// `pt_BR.UTF-8`. Nil if the tag is not well-formed.
    public static func tag(in text: String) -> String? {
        let tag = String(text.prefix { $0 != "@" && $0 != "." }).replacing("_", with: "-")
        return isWellFormed(tag) ? tag : nil
    }

    /// Whether a text is subtags of letters and digits with hyphens between them, such as `en` or
    /// `pt-BR`, of 2 to 35 bytes. Clients send tags in headers and links; only such text is stored
    /// or passed on.
    public static func isWellFormed(_ text: String) -> Bool {
        (2...35).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { "a"..."z" ~= $0 || "A"..."Z" ~= $0 || "0"..."9" ~= $0 || $0 == "-" }
    }
}
