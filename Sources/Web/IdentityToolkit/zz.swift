extension Site { func identityToolkit(_ request: Request) async -> Answer? { nil } }
