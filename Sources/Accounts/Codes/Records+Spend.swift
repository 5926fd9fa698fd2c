public import Base

extension Records {
    public func spend(
        _ key: CodeKey, of action: Action, in project: ProjectID, at now: Timestamp
    ) throws(ActionError) -> StoredCode? {
        try spend(key, of: action, in: project, at: now) { _ in true }
    }

    /// Spends a code that was inspected before. Refuses `INVALID_OOB_CODE` and `EXPIRED_OOB_CODE`.
    /// - Returns: the code as it was just before.
    func spend(_ code: StoredCode, at now: Timestamp) throws(ActionError) -> StoredCode {
        guard let code = try spend(code.key, of: code.action, in: code.project, at: now) else {
            throw .refused(code.state(at: now) == .expired ? .expiredOobCode : .invalidOobCode)
        }
        return code
    }
}
