public import Base

extension Suppression {
    /// The suppression as an object, for admins. It does not contain the address. `until` is left
    /// out if it ends only when an admin removes it.
    public var json: JSON {
        .object([
            "project": .string(project.rawValue), "reason": .string(reason.rawValue), "provider": .string(provider.rawValue),
            "at": .string(at.iso8601), "until": .string(ifAny: until?.iso8601),
        ])
    }
}
