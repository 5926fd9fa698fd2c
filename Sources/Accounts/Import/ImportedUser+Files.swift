public import Base
private import Foundation

extension ImportedUser {
    /// Reads one object of the `users` of a JSON file of `firebase auth:export`.
    public init(
        json bytes: [UInt8], in project: ProjectID, at now: Timestamp, random: RandomBytes
    ) throws(ActionError) {
        let json: JSON
        do { json = try JSON(bytes) } catch {
            throw .refused(.invalidArgument, detail: "not JSON: \(error.fault.rawValue) at byte \(error.offset) of the user")
        }
        try self.init(JSONFields(json), in: project, at: now, random: random, leavesOutPhone: true)
    }

    /// Reads one row of a CSV file of `firebase auth:export`. Source: firebase-tools,
    /// `accountImporter`.
    public init(
        columns: [String], in project: ProjectID, at now: Timestamp, random: RandomBytes
    ) throws(ActionError) {
        func column(_ index: Int) -> String { columns.indices.contains(index) ? columns[index].trimmingCharacters(in: Self.spaces) : "" }
        var members: [JSON.Member] = []
        for (name, index) in Self.columns { members.append(JSON.Member(name: name, value: .string(column(index)))) }
        for (name, index) in [("emailVerified", 2), ("disabled", 26)] {
            members.append(JSON.Member(name: name, value: .bool(column(index) == "true")))
        }
        let links = Self.providerColumns.filter { !column($0.value).isEmpty }.map { provider, first in
            JSON.object([
                "providerId": .string(provider), "rawId": .string(column(first)), "email": .string(column(first + 1)),
                "displayName": .string(column(first + 2)), "photoUrl": .string(column(first + 3)),
            ])
        }
        members.append(JSON.Member(name: "providerUserInfo", value: .array(links)))
        try self.init(JSONFields(members), in: project, at: now, random: random, leavesOutPhone: true)
    }

    private static let columns: KeyValuePairs = [
        "localId": 0, "email": 1, "passwordHash": 3, "salt": 4, "displayName": 5, "photoUrl": 6, "createdAt": 23, "lastLoginAt": 24,
        "phoneNumber": 25, "customAttributes": 27,
    ]

    private static let spaces = CharacterSet(charactersIn: " \t")

    /// The index of the first of the four columns of each provider.
    private static let providerColumns: KeyValuePairs = ["google.com": 7, "facebook.com": 11, "twitter.com": 15, "github.com": 19]
}
