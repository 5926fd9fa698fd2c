internal import Accounts
internal import Base

/// The fields that a change is about. Source: `google.protobuf.FieldMask` in its JSON form, AIP-134
/// and AIP-161.
struct FieldMask: Sendable, Hashable {
    /// The names of each path, by their letters.
    private let paths: [[String]]

    /// Nil if the query has no mask or an empty one.
    init?(_ query: [(name: String, value: String)]) {
        paths = query.filter { JSONFields.letters(of: $0.name) == "updatemask" }
            .flatMap { $0.value.split(separator: ",") }.map { Self.steps(String($0)) }
        if paths.isEmpty { return nil }
    }

    /// Whether the mask has a path or one of its parents; `*` is every path.
    func names(_ path: String) -> Bool {
        let steps = Self.steps(path)
        return paths.contains { $0 == ["*"] || steps.starts(with: $0) }
    }

    /// Whether the mask has a path, one of its parents or one of its children.
    func touches(_ path: String) -> Bool { names(path) || paths.contains { $0.starts(with: Self.steps(path)) } }

    private static func steps(_ path: String) -> [String] {
        // A path with an extra dot matches nothing. Without empty names, `.` would match
        // everything.
        path.split(separator: ".", omittingEmptySubsequences: false).map { JSONFields.letters(of: String($0)).filter { $0 != " " } }
    }
}
