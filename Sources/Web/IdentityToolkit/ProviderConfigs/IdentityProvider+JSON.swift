internal import Accounts
internal import Base

extension IdentityProvider {
    /// The provider as the admin API has it.
    /// - Parameter secrets: opens the client secret that an admin set; nil to leave it out.
    func json(in collection: ProviderCollection, of project: ProjectID, secrets: Secrets?) -> JSON {
        // The operator's file may refer to a secret that only the operator may see.
        let secret: String? = if case .sealed? = clientSecret, let secrets { clientSecret?.text(by: secrets) } else { nil }
        let isOpenID = collection == .oauthIdpConfigs
        return .object([
            "name": .string("projects/\(project)/\(collection.rawValue)/\(id)"),
            "displayName": .string(ifAny: displayName),
            "enabled": .bool(isEnabled),
            "clientId": .string(ifAny: clientIDs.first),
            "clientSecret": .string(ifAny: secret),
            "issuer": isOpenID ? .string(url) : nil,
            "responseType": isOpenID ? .object([usesCodeFlow ? "code" : "idToken": .bool(true)]) : nil,
            "appleSignInConfig": kind == .apple
                ? .object(["bundleIds": .array(clientIDs.dropFirst().map { .string($0) })]) : nil,
        ])
    }
}

extension ProviderSettings {
    /// Takes over the fields of a body. With a mask, only the named fields change, and a named
    /// field that is not in the body returns to the configuration file's value.
    mutating func apply(_ body: JSONFields, mask: FieldMask?, secrets: Secrets) throws(ActionError) {
        func take<Value>(
            _ field: String, _ setting: WritableKeyPath<ProviderSettings, Value?>, _ read: () throws(ActionError) -> Value?
        ) throws(ActionError) {
            guard mask?.touches(field) ?? true else { return }
            let value = try read()
            if value != nil || mask != nil { self[keyPath: setting] = value }
        }
        try take("displayName", \.displayName) { () throws(ActionError) in try body.text("displayName", maxBytes: 256) }
        try take("enabled", \.isEnabled) { () throws(ActionError) in try body.bool("enabled") }
        try take("clientId", \.clientID) { () throws(ActionError) in try body.text("clientId") }
        try take("clientSecret", \.sealedSecret) { () throws(ActionError) in
            guard let text = try body.text("clientSecret", maxBytes: 4096) else { return nil }
            guard case .sealed(let bytes) = ClientSecret(sealing: text, by: secrets) else { return nil }
            return bytes
        }
        try take("issuer", \.issuer) { () throws(ActionError) in try body.text("issuer", maxBytes: 2048) }
        try take("responseType", \.usesCode) { () throws(ActionError) in try body.object("responseType")?.usesCode() }
        let apple = try body.object("appleSignInConfig")
        guard apple?.has("codeFlowConfig") != true else {
            throw .refused(.operationNotAllowed, detail: "Send the JWT that is signed with Apple's key as clientSecret")
        }
        try take("appleSignInConfig", \.otherClientIDs) { () throws(ActionError) in try apple?.strings("bundleIds") }
    }
}

extension JSONFields {
    /// Whether a response type is the code; nil if it names neither. Only one may be true. Source:
    /// Identity Toolkit `OAuthResponseType`.
    fileprivate func usesCode() throws(ActionError) -> Bool? {
        switch (try bool("code"), try bool("idToken")) {
        case (nil, nil): nil
        case (true?, false?), (true?, nil), (nil, false?): true
        case (false?, true?), (false?, nil), (nil, true?): false
        case (true?, true?), (false?, false?):
            throw .refused(.invalidConfig, detail: "one of responseType.code and responseType.idToken must be true")
        }
    }
}
