/// The shape of a value in YAML.
enum Shape {
    /// Any text; `what` says which, if not every text is accepted.
    case text(_ what: String?)
    /// This word alone.
    case word(String)
    case boolean
    case count(ClosedRange<Int>)
    case duration(ClosedRange<Duration>)
    case choice([String])
    case list([Shape])
    case section([KeyDescription])
    /// A mapping whose keys are any text.
    case entries([Shape])

    /// The keys of the mapping that the value is, or of each item of the list that it is.
    var members: [KeyDescription] {
        switch self {
        case .section(let keys): keys
        case .list(let items): items.flatMap(\.members)
        case .text, .word, .boolean, .count, .duration, .choice, .entries: []
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
    let shapes: [Shape]
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
