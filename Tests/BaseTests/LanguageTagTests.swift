import Accounts
import Base
import Testing

@Suite struct `A tag of a language` {
    @Test(
        arguments: [
            ("en", "en"), ("pt-BR", "pt-BR"), ("pt_BR", "pt-BR"), ("pt_BR.UTF-8", "pt-BR"), ("ar_SA@calendar=islamic", "ar-SA"),
            ("de_DE@currency=USD", "de-DE"), ("zh-Hant-TW", "zh-Hant-TW"), ("C.UTF-8", nil), ("C", nil), ("", nil), ("@x", nil), (".", nil),
            ("en us", nil), ("en/us", nil), ("日本", nil), (String(repeating: "a", count: 36), nil),
        ] as [(String, String?)])
    func `a language tag is read in the forms of Java, Apple and POSIX`(text: String, tag: String?) {
        #expect(LanguageTag.tag(in: text) == tag)
    }
}
