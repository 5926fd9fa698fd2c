import Testing
@testable import Views

/// The categories of 0 to 200, written out by hand from the rules and samples of CLDR's cardinals,
/// which are independent of the code: `10-20 30` means 10 to 20 and 30. The numbers that no
/// category lists are in the last one.
@Suite struct `A plural rule` {
    /// 1, 21, 31 and so on, without 11 and 111.
    static let endingInOne = "1 21 31 41 51 61 71 81 91 101 121 131 141 151 161 171 181 191"
    /// 2 to 4, 22 to 24 and so on, without 12 to 14 and 112 to 114.
    static let endingInTwoToFour = """
        2-4 22-24 32-34 42-44 52-54 62-64 72-74 82-84 92-94 102-104 122-124 132-134 142-144 152-154 162-164 172-174 182-184 192-194
        """
    static let endingInZeroOrTeens = "0 10-20 30 40 50 60 70 80 90 100 110-120 130 140 150 160 170 180 190 200"
    static let endingInTwoToNine = """
        2-9 22-29 32-39 42-49 52-59 62-69 72-79 82-89 92-99 102-109 122-129 132-139 142-149 152-159 162-169 172-179 182-189 192-199
        """

    static let tables: [String: (listed: KeyValuePairs<PluralRule.Category, String>, others: PluralRule.Category)] = [
        "none": ([:], .other),
        "oneOrMore": ([.one: "1"], .other),
        "upToOne": ([.one: "0-1"], .other),
        "arabic": ([.zero: "0", .one: "1", .two: "2", .few: "3-10 103-110", .many: "11-99 111-199"], .other),
        "eastSlavic": ([.one: endingInOne, .few: endingInTwoToFour], .many),
        "polish": ([.one: "1", .few: endingInTwoToFour], .many),
        "westSlavic": ([.one: "1", .few: "2-4"], .other),
        "southSlavic": ([.one: endingInOne, .few: endingInTwoToFour], .other),
        "slovenian": ([.one: "1 101", .two: "2 102", .few: "3-4 103-104"], .other),
        "lithuanian": ([.one: endingInOne, .few: endingInTwoToNine, .other: endingInZeroOrTeens], .other),
        "latvian": ([.zero: endingInZeroOrTeens, .one: endingInOne, .other: endingInTwoToNine], .other),
        "romanian": ([.one: "1", .few: "0 2-19 101-119", .other: "20-100 120-200"], .other),
        "hebrew": ([.one: "1", .two: "2"], .other),
        "filipino": (
            [
                .one: """
                0-3 5 7-8 10-13 15 17-18 20-23 25 27-28 30-33 35 37-38 40-43 45 47-48 50-53 55 57-58 60-63 65 67-68 70-73 75 77-78 80-83
                85 87-88 90-93 95 97-98 100-103 105 107-108 110-113 115 117-118 120-123 125 127-128 130-133 135 137-138 140-143 145
                147-148 150-153 155 157-158 160-163 165 167-168 170-173 175 177-178 180-183 185 187-188 190-193 195 197-198 200
                """
            ], .other
        ),
    ]

    /// The category of each number, by the table.
    private func categories(_ table: (listed: KeyValuePairs<PluralRule.Category, String>, others: PluralRule.Category)) -> [PluralRule
        .Category]
    {
        var categories = Array(repeating: table.others, count: 201)
        for (category, ranges) in table.listed {
            for range in ranges.split(whereSeparator: \.isWhitespace) {
                let ends = range.split(separator: "-").compactMap { Int($0) }
                for count in ends[0]...ends[ends.count - 1] { categories[count] = category }
            }
        }
        return categories
    }

    @Test(arguments: Shipped.codes) func `of a language has the categories of CLDR from 0 to 200`(code: String) throws {
        let name = try #require(Shipped.rules[code])
        let rule = try #require(PluralRule(rawValue: name))
        let expected = categories(try #require(Self.tables[name]))
        for count in 0...200 { #expect(rule.category(of: count) == expected[count], "\(count)") }
    }

    @Test func `is used by a language, each of them`() {
        #expect(Set(Shipped.rules.values) == Set(PluralRule.allCases.map(\.rawValue)) && Set(Self.tables.keys) == Set(Shipped.rules.values))
    }

    @Test(arguments: [
        ("sl", 2, "2 dneva"), ("sl", 103, "103 dni"), ("lt", 21, "21 dieną"), ("lt", 20, "20 dienų"), ("lv", 20, "20 dienām"),
        ("ro", 19, "19 zile"), ("ro", 20, "20 de zile"), ("he", 2, "יומיים"), ("fil", 4, "4 na araw"), ("fil", 5, "5 araw"),
        ("ru", 90, "90 дней"), ("pt-BR", 0, "0 dia"), ("pt-PT", 0, "0 dias"), ("fa", 3, "۳ روز"), ("ar", 11, "11 يومًا"),
    ]) func `chooses the words of a number of days`(code: String, count: Int, words: String) throws {
        let language = try #require(try Samples.views.get().language(matching: code))
        let phrase = language.phrases.durations.days.phrase(for: count, by: language.plural)
        #expect(language.plain(phrase, [.count: .text(language.number(count))]) == words)
    }
}
