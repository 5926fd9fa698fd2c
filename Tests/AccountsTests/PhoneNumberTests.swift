import Accounts
import Testing

@Suite struct `A phone number` {
    @Test(arguments: [
        ("+15555550100", "+15555550100"), ("+1 (555) 555-0100", "+15555550100"), ("+49.30.1234567", "+49301234567"),
        ("+1234567", "+1234567"), ("+123456789012345", "+123456789012345"),
    ])
    func `a phone number has one spelling`(text: String, value: String) { #expect(PhoneNumber(text)?.value == value) }

    @Test(arguments: [
        "", "+", "15555550100", "+05555550100", "+123456", "+1234567890123456", "+1555555o100", "+1555+5550100", "+١٢٣٤٥٦٧٨",
        "++15555550100",
        "+1555555\u{0}0100", "+15555550100 x1",
    ])
    func `a phone number is refused in any other form`(text: String) {
        #expect(PhoneNumber(text) == nil)
        #expect(PhoneNumber(sent: text) == nil)
    }

    /// J4: a phone has one account. Numbers that are stored already stay readable.
    @Test(arguments: [
        "+490157123456", "+49 (0) 157 123456", "+4407700900123", "+330612345678", "+410791234567", "+10155550100", "+70123456789",
        "+35308512345", "+380050123456", "+2340803123456", "+97205012345", "+9109812345678", "+9809121234567", "+8109012345678",
        "+5201551234567", "+6602123456", "+2009123456",
    ])
    func `a phone number is refused with a trunk prefix after its calling code`(text: String) {
        #expect(PhoneNumber(sent: text) == nil)
        #expect(PhoneNumber(text) != nil)
    }

    @Test(arguments: [
        "+49157123456", "+390612345678", "+378054912345", "+2250701234567", "+22601234567", "+2290195123456", "+24106031234",
        "+242061234567", "+250061234567", "+88101234567", "+992012345678", "+15555550100", "+79012345678", "+4915700",
    ])
    func `a phone number keeps a 0 that belongs to it in its plan`(text: String) { #expect(PhoneNumber(sent: text)?.value == text) }
}
