internal import Accounts
internal import Base

/// A method that only the Auth emulator has, for test code. None needs a credential.
enum EmulatorMethod: Sendable, Hashable, CaseIterable { case oobCodes, verificationCodes, deleteAccounts, getConfig, patchConfig }

extension IdentityToolkit {
    func result(of method: EmulatorMethod, for id: ProjectID?, _ request: Request) async throws(RequestError) -> JSON {
        guard let inbox, let named = id else { throw .notFound }
        noteProjectID(named, request)
        guard let project = projects.value[named] else { throw .notFound }
        let id = project.id
        switch method {
        case .oobCodes:
            let codes = try await RequestError.wrapping { () throws(ActionError) in try await inbox.liveCodes(of: id) }
            return .object(["oobCodes": .array(codes.map(\.json))])
        case .verificationCodes:
            let messages = try await RequestError.wrapping { () throws(ActionError) in try await inbox.liveTextMessages(of: id) }
            return .object(["verificationCodes": .array(messages.map(\.json))])
        case .deleteAccounts:
            try await RequestError.wrapping { () throws(ActionError) in try await inbox.deleteAccounts(of: id) }
            return .object([:])
        case .getConfig: return ConfigField.json(ConfigField.ofEmulator, of: project)
        case .patchConfig:
            let body = try request.fields(within: .admin)
            return try await RequestError.wrapping { () throws(ActionError) in
                try NotConfigurable.check(body, mask: nil)
                let change = try ConfigField.change(ConfigField.ofEmulator, by: body, mask: nil)
                return ConfigField.json(ConfigField.ofEmulator, of: try await projects.change(id, by: change))
            }
        }
    }
}

extension IssuedCode {
    fileprivate var json: JSON {
        .object([
            "email": .string(email.value),
            "newEmail": .string(ifAny: newEmail?.value),
            "requestType": .string(action.requestType),
            "oobCode": .string(code.text),
            "oobLink": .string(link),
        ])
    }
}

extension TextMessage {
    fileprivate var json: JSON {
        .object(["phoneNumber": .string(number.value), "code": .string(code), "sessionInfo": .string(sessionInfo)])
    }
}
