internal import Accounts
internal import EmailActions
internal import JSON

/// What only the Auth emulator has, for test code that talks to it. No credential is asked.
enum EmulatorMethod: Sendable, Hashable, CaseIterable { case oobCodes, verificationCodes, deleteAccounts, getConfig, patchConfig }

extension Site {
    func result(of method: EmulatorMethod, for id: ProjectID?, _ request: Request) async throws(APIError) -> JSON {
        guard case .development(let development) = mode, let id, let project = projects[id] else { throw .noSuchPath }
        switch method {
        case .oobCodes:
            let codes = try await APIError.around { () throws(ActionError) in try await development.inbox.liveCodes(of: id) }
            return .object(["oobCodes": .array(codes.map(\.json))])
        // Codes by phone are not sent, so there is none to show.
        case .verificationCodes: return .object(["verificationCodes": .array([])])
        case .deleteAccounts:
            try await APIError.around { () throws(ActionError) in try await development.inbox.deleteAccounts(of: id) }
            return .object([:])
        case .getConfig: return ConfigField.json(ConfigField.ofEmulator, of: project)
        case .patchConfig:
            let body = try request.fields()
            return try await APIError.around { () throws(ActionError) in
                try NotConfigurable.check(body, mask: nil)
                let change = try ConfigField.change(ConfigField.ofEmulator, by: body, mask: nil)
                return ConfigField.json(ConfigField.ofEmulator, of: try await currentProjects.change(id, by: change))
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
