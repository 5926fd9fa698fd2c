/// The part of a phone number's national numbering plan that says what a 0 after the calling code
/// means.
struct NumberingPlan: Sendable {
    /// The calling code without its `+`: one to three digits.
    let callingCode: Substring

    init(of number: PhoneNumber) {
        let digits = number.value.dropFirst()
        let length = Self.shortCodes.contains { digits.hasPrefix($0) } ? 1 : Self.codesOfTwoDigits.contains(digits.prefix(2)) ? 2 : 3
        callingCode = digits.prefix(length)
    }

    /// Whether a number of this plan begins with a 0 that is dialled within the country only.
    func hasTrunkPrefix(_ number: PhoneNumber) -> Bool {
        !Self.codesOfNumbersWithZero.contains(callingCode) && number.value.dropFirst(1 + callingCode.count).first == "0"
    }

    private static let shortCodes: Set<Substring> = ["1", "7"]

    /// All other codes, except for 1 and 7, have three digits. Source: ITU-T E.164, list of
    /// assigned country codes.
    private static let codesOfTwoDigits = Set(
        ([20, 27, 36] + Array(30...34) + [39, 40, 41] + Array(43...49) + Array(51...58) + Array(60...66) + [81, 82, 84, 86]
            + Array(90...95) + [98]).map { Substring(String($0)) })

    /// The plans in which the number of a subscriber may begin with a 0: Italy with Vatican City,
    /// Côte d'Ivoire, Burkina Faso, Benin, Gabon, Congo, Rwanda, San Marino, satellite phones and
    /// Tajikistan. Source: the patterns for mobile and fixed lines of libphonenumber 9.0.43.
    private static let codesOfNumbersWithZero: Set<Substring> = ["39", "225", "226", "229", "241", "242", "250", "378", "881", "992"]
}
