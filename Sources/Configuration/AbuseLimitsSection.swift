import Accounts
import Base

/// The abuse limits, with a key for each: `10 per 15m` or `off`.
struct AbuseLimitsSection: Section {
    var allowances = Limit.standards

    static var keys: [ConfigurationKey<Self>] {
        for limit in Limit.allCases {
            limit.explanation
            ConfigurationKey(limit.rawValue, \.allowances[limit], .word("off", or: .allowance))
        }
    }

    func value(in setting: Setting) -> [Limit: Allowance]? { allowances }
}

extension ValueForm<Allowance> {
    fileprivate static var allowance: ValueForm {
        ValueForm(
            [.text("a number of attempts per duration, such as 10 per 15m")], written: { "\($0.count) per \($0.span.configured)" }
        ) { setting in
            let words = (setting.word ?? "").split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3, words[1] == "per", let count = Int(words[0]), Allowance.counts.contains(count),
                let span = Duration(configured: String(words[2])), Allowance.spans.contains(span)
            else {
                let (counts, spans) = (Allowance.counts, Allowance.spans)
                throw SettingError(
                    "expected a number per duration, such as 10 per 15m, or off; from \(counts.lowerBound) to \(counts.upperBound), "
                        + "from \(spans.lowerBound.configured) to \(spans.upperBound.configured)")
            }
            return Allowance(count, per: span)
        }
    }
}
