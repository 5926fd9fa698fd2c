import Accounts
import Base
import Foundation

extension Letter {
    /// The values for a project's own templates; those that the mail does not have are missing.
    /// - Parameter shipped: the values for the shipped templates.
    func values(in language: Language, _ brand: Brand, beside shipped: TemplateContext) -> [MailName: TemplateValue] {
        let named = MailName.allCases.compactMap { name in
            TemplateKey(rawValue: name.rawValue).flatMap { shipped[$0] }.map { (name, $0) }
        }
        var values = Dictionary(uniqueKeysWithValues: named)
        values[.facts] = nil
        values[.subject] = shipped[.title]
        values[.appName] = brand.name.map { .name($0) }
        values[.displayName] = displayName?.personName.map { .name($0) }
        values[.requested] = language.time(Date(createdAt), in: brand.timeZone)
        values[.expires] = expiresAt.map { language.time(Date($0), in: brand.timeZone) }
        values[.validity] = validity(in: language, brand.timeZone)
        values[.device] = device?.name(by: language.phrases.facts)
        values[.number] = confirmationNumber.map { .address($0) }
        let (account, other, factor) = subjects
        values[.email] = account.map { .address($0) }
        values[.newEmail] = other.map { .address($0) }
        values[.secondFactor] = factor.map { .name($0) }
        return values
    }
}
