internal import Accounts
internal import EmailActions

/// What only the Auth emulator has, for test code that talks to it. No credential is asked.
enum EmulatorMethod: Sendable, Hashable, CaseIterable { case oobCodes, verificationCodes, deleteAccounts, getConfig, patchConfig }

extension Site {
    func result(of method: EmulatorMethod, for id: ProjectID?, _ request: Request) async throws(TurnedAway) -> JSON {
        guard case .development(let development) = mode, let id, var project = projects[id] else { throw .noSuchPath }
        switch method {
        case .oobCodes:
            let codes = try await TurnedAway.around { () throws(ActionError) in try await development.inbox.liveCodes(of: id) }
            return .object(["oobCodes": .array(codes.map(\.json))])
        // Codes by phone are not sent, so there is none to show.
        case .verificationCodes: return .object(["verificationCodes": .array([])])
        case .deleteAccounts:
            try await TurnedAway.around { () throws(ActionError) in try await development.inbox.deleteAccounts(of: id) }
            return .object([:])
        case .patchConfig:
            let patch = try request.fields()
            try await TurnedAway.around { () throws(ActionError) in try await development.emulator.patch(id, with: patch) }
            fallthrough
        case .getConfig:
            await development.emulator.adjust(&project)
            return .object([
                "signIn": .object(["allowDuplicateEmails": .bool(false)]),
                "emailPrivacyConfig": .object(["enableImprovedEmailPrivacy": .bool(project.hidesAccounts)]),
            ])
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
