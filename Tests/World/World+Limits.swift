package import Accounts
package import Base

extension World {
    /// Limits on this world's clock, all with one allowance except those in `but`.
    package func limits(of count: Int, per span: Duration = .seconds(90), but others: [Limit: Allowance] = [:]) -> Limits {
        let alike = Dictionary(uniqueKeysWithValues: Limit.allCases.map { ($0, Allowance(count, per: span)) })
        return Limits(alike.merging(others) { $1 }, secrets: secrets, uptime: clock.uptime)
    }
}
