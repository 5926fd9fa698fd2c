internal import EmailActions

internal import JSON

/// Which fields a change is about. Source: `google.protobuf.FieldMask` in its JSON form, AIP-134 and AIP-161.
struct FieldMask: Sendable, Hashable {
    /// Each step by its letters, as fields are found.
    private let paths: [[String]]

    /// Nil for a query without a mask, and for an empty one.
    init?(_ query: [(name: String, value: String)]) {
        paths = query.filter { JSONFields.letters(of: $0.name) == "updatemask" }
            .flatMap { $0.value.split(separator: ",") }.map { Self.steps(String($0)) }
        if paths.isEmpty { return nil }
    }

    /// Whether a path, or something that it is in, is named; `*` names all.
    func names(_ path: String) -> Bool {
        let steps = Self.steps(path)
        return paths.contains { $0 == ["*"] || steps.starts(with: $0) }
    }

    /// The same, or something that is in it.
    func touches(_ path: String) -> Bool { names(path) || paths.contains { $0.starts(with: Self.steps(path)) } }

    private static func steps(_ path: String) -> [String] {
        // A dot too many names nothing: without it `.` would be the whole.
        path.split(separator: ".", omittingEmptySubsequences: false).map { JSONFields.letters(of: String($0)).filter { $0 != " " } }
    }
}
