import Mustache

/// What Mustache looks names up in. These are types of their own because Mustache looks into a `Dictionary` or a `String` by reflection,
/// which takes longer than all the rest.
struct Filling: MustacheParent {
    let values: [String: Any]

    func child(named name: String) -> Any? { values[name] }
}

/// What Mustache writes.
struct Written: MustacheParent, MustacheCustomRenderable {
    let renderText: String
    let isNull = false

    func child(named name: String) -> Any? { nil }
}
