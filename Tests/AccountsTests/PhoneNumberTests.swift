import Accounts
import Testing

@Suite struct `A phone number` {
    @Test(arguments: [
        ("+15555550100", "+15555550100"), ("+1 (555) 555-0100", "+15555550100"), ("+49.30.1234567", "+49301234567"),
        ("+1234567", "+1234567"), ("+123456789012345", "+123456789012345"),
    ])
    func `has one spelling`(text: String, value: String) { #expect(PhoneNumber(text)?.value == value) }

    @Test(arguments: [
        "", "+", "15555550100", "+05555550100", "+123456", "+1234567890123456", "+1555555o100", "+1555+5550100", "+١٢٣٤٥٦٧٨",
        "++15555550100",
        "+1555555\u{0}0100", "+15555550100 x1",
    ])
    func `is refused in any other form`(text: String) { #expect(PhoneNumber(text) == nil) }
}
