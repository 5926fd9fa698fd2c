import Accounts
import Base

private let project = ProjectID(rawValue: "shop")
private let now = Timestamp(seconds: 1_800_000_000)

/// One user of a file that is imported, as JSON and as a row of CSV: an account whose fields are as
/// Onward's own, or a refusal that says why (I1). The first byte chooses the format.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    do throws(ActionError) {
        let random: RandomBytes = { [UInt8](repeating: 1, count: $0) }
        let user: ImportedUser
        if start[0] & 1 == 0 {
            user = try ImportedUser(json: bytes, in: project, at: now, random: random)
        } else {
            let columns = String(decoding: bytes, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            user = try ImportedUser(columns: columns, in: project, at: now, random: random)
        }
        if let email = user.account.email { precondition(EmailAddress(email.value) == email) }
        if let number = user.account.phoneNumber { precondition(PhoneNumber(number.value) == number) }
        precondition(user.account.project == project && !user.account.id.rawValue.isEmpty)
    } catch {
        guard case .refused(_, let detail) = error else { preconditionFailure("a file makes Onward fail: \(error)") }
        precondition(detail?.isEmpty != true)
    }
    return 0
}
