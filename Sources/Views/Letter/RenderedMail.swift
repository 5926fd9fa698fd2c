/// A mail in words, ready to be put into MIME.
package struct RenderedMail: Sendable, Hashable {
    /// One line without control characters (M6).
    package var subject: String
    /// Lines of at most 72 characters, except those that hold a link, which stand alone (L6).
    package var text: String
    /// Carries the same link as the text (M7), and no picture.
    package var html: String

    package init(subject: String, text: String, html: String) {
        self.subject = subject
        self.text = text
        self.html = html
    }
}
