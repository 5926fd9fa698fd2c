/// Facts about an account for the page of a live code, which the code itself does not have.
struct CodeFindings: Sendable {
    /// Only for codes that verify an address.
    var waysIn: WaysIn?
    /// Only for codes that set a password.
    var password: PasswordFacts?
    /// Only for codes that replace an address.
    var addressChange: AddressChangeFacts?
    var choices: Set<ActionChoice> = []
    /// Another account that has proved the address which an undo link restores.
    var rival: Account?
}

extension Records {
    func findings(on code: StoredCode, of account: Account, in project: Project) throws(ActionError) -> CodeFindings {
        var findings = CodeFindings()
        if code.action.setsPassword { findings.password = try passwordFacts(of: account, in: project) }
        if code.action.verifiesAddress { findings.waysIn = try waysIn(to: account, in: project) }
        if code.action.setsNewAddress { findings.addressChange = try addressChangeFacts(of: account) }
        if code.action == .verifyEmail {
            let arrival = Arrival(by: .link, at: .init(account, proved: try provedAddresses(of: account)))
            if arrival == .ownerArrives || arrival == .passedOn { findings.choices = [.notMine] }
        }
        if code.action == .recoverEmail {
            findings.choices = [.itWasMe]
            findings.rival = try rival(of: account.id, for: code.email, in: project.id)
            if findings.rival != nil { findings.choices.insert(.takeAddress) }
        }
        return findings
    }

    func waysIn(to account: Account, in project: Project) throws(ActionError) -> WaysIn {
        WaysIn(to: account, by: try linkedProviders(of: account.id, in: account.project), in: project)
    }

    /// The account that keeps another one from getting its address back, unless its user allows it:
    /// it has proved the address. A disabled account keeps it in any case.
    private func rival(of account: AccountID, for address: EmailAddress, in project: ProjectID) throws(ActionError) -> Account? {
        guard let other = try self.account(withEmail: address, in: project), other.id != account, !other.disabled,
            try provedAddresses(of: other)[address] != nil
        else { return nil }
        return other
    }
}
