extension String {
    /// A name that somebody chose for themselves or for their second step, if it is fit to be mailed in our name: one that a mail
    /// program would turn into a link, or longer than names are, could be an advertisement.
    package var plainName: String? {
        let looksLikeALink = contains(#/[\/:@\\]|\.\S/#) || contains { $0.isNewline }
        return (1...60).contains(count) && !looksLikeALink ? self : nil
    }

    /// What may stand in a header: one line without control characters (M6).
    package var oneLine: String {
        split { $0.isNewline || $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }.joined(separator: " ")
    }
}
