/// The shape of a value in YAML.
enum ValueShape {
    /// Any text; `what` says which, if not every text is accepted.
    case text(_ what: String?)
    /// This word alone.
    case word(String)
    case boolean
    case count(ClosedRange<Int>)
    case duration(ClosedRange<Duration>)
    case choice([String])
    case list([ValueShape])
    case section([KeyDescription])
    /// A mapping whose keys are any text.
    case entries([ValueShape])

    /// The keys of the mapping that the value is, or of each item of the list that it is.
    var members: [KeyDescription] {
        switch self {
        case .section(let keys): keys
        case .list(let items): items.flatMap(\.members)
        case .text, .word, .boolean, .count, .duration, .choice, .entries: []
        }
    }

    /// The expected value in words, for errors and for the manual.
    var words: String {
        switch self {
        case .text(let what): what ?? "text"
        case .word(let word): "the word \(word)"
        case .boolean: "true or false"
        case .count(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .duration(let range): "a duration from \(range.lowerBound.configured) to \(range.upperBound.configured)"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .list where !members.isEmpty: "a list, whose items have the keys below"
        case .list(let items): "a list, each item \(items.words)"
        case .section: "with the keys below"
        case .entries(let values): "keys of your own, each with \(values.words)"
        }
    }

    /// The bounds as a sentence.
    fileprivate var bounds: String? {
        switch self {
        case .count(let range): "From \(range.lowerBound) to \(range.upperBound)."
        case .duration(let range): "From \(range.lowerBound.configured) to \(range.upperBound.configured)."
        default: nil
        }
    }
}

extension [ValueShape] {
    var words: String { map(\.words).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", or ") }
}

/// A key of the file with everything that is known of it, for the sample, the manual and the
/// schema.
struct KeyDescription {
    /// How the sample shows a key.
    enum Sample {
        /// Not at all. The comment of its section explains it.
        case hidden
        /// With its default, commented out.
        case standard(String)
        /// With a value that is not its default.
        case shown(String)
        /// With a value that is not its default, commented out.
        case example(String)
    }

    let name: String
    let text: String
    let shapes: [ValueShape]
    let isRequired: Bool
    let sample: Sample

    /// The text with the bounds of the value.
    var explanation: String { text.isEmpty ? "" : ([text] + shapes.compactMap(\.bounds)).joined(separator: " ") }

    /// Whether the sample has the value in the line of the key.
    var isShownInline: Bool { if case .hidden = sample { false } else { true } }

    /// Whether the value is a list.
    var isList: Bool { if case .list? = shapes.first { true } else { false } }

    /// The default as it is written; nil if there is none.
    var standard: String? { if case .standard(let value) = sample { value } else { nil } }

    /// The keys below this one in any of its shapes.
    var members: [KeyDescription] { shapes.flatMap(\.members) }
}
