internal import Accounts
import Web
import Yams

extension Section {
    /// The abuse limits, with a key for each: `10 per 15m` or `off`.
    func abuseLimits() -> [Limit: Allowance] {
        var allowances = Limit.standards
        for limit in Limit.allCases {
            if let allowance = value(limit.rawValue, { value throws(SettingError) in try value.allowance() }) {
                allowances[limit] = allowance
            }
        }
        return allowances
    }
}

extension Setting {
    /// An allowance; nil for `off`.
    fileprivate func allowance() throws(SettingError) -> Allowance? {
        if isWord("off") { return nil }
        try describe(as: .text(what: "a number of attempts per duration, such as 10 per 15m"))
        let text = node.scalar?.string ?? ""
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[1] == "per", let count = Int(words[0]), Allowance.counts.contains(count),
            let span = Duration(configured: String(words[2])), Allowance.spans.contains(span)
        else {
            throw SettingError(
                "expected a number per duration, such as 10 per 15m, or off; from \(Allowance.counts.lowerBound) to "
                    + "\(Allowance.counts.upperBound), from \(Allowance.spans.lowerBound.configured) to \(Allowance.spans.upperBound.configured)"
            )
        }
        return Allowance(count, per: span)
    }
}
