extension String {
    /// A name that somebody chose for themselves or for their second step, if it is fit to be mailed in our name: one that a mail
    /// program would turn into a link, or longer than names are, could be an advertisement.
    var plainName: String? {
        let looksLikeALink = contains(#/[\/:@\\]|\.\S/#) || contains { $0.isNewline }
        return (1...60).contains(count) && !looksLikeALink ? self : nil
    }
}
