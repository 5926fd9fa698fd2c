public import Base

extension Merge {
    public var members: KeyValuePairs<String, JSON?> { ["localId": .string(into.rawValue), "fromLocalId": .string(from.rawValue)] }
}

extension MergePlan {
    /// The plan for admins.
    public func json(of merge: Merge) -> JSON {
        .object([
            "localId": .string(merge.into.rawValue), "fromLocalId": .string(merge.from.rawValue),
            "email": .string(ifAny: account.email?.value),
            "movedProviders": .array(movedProviders.map { .string($0.provider) }),
            "droppedProviders": .array(droppedProviders.map { .string($0.provider) }),
            "movedSecondFactors": .array(movedFactors.map { .string($0.id) }),
            "droppedSecondFactors": .array(droppedFactors.map { .string($0.id) }),
            "droppedEmail": .string(ifAny: droppedAddress?.value), "droppedPhoneNumber": .string(ifAny: droppedPhoneNumber?.value),
            "droppedPassword": .bool(dropsPassword), "droppedClaims": .bool(dropsClaims),
        ])
    }
}
