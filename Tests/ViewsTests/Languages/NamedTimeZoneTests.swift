import Accounts
import AppLinks
import Base
import Foundation
import Testing
@testable import Views

@Suite struct `A moment` {
    /// 21 November 2026, 15:34 UTC, and noon of 1 July 2026.
    static let (winter, summer) = (Date(timeIntervalSince1970: 1_795_275_240), Date(timeIntervalSince1970: 1_782_907_200))
    let views: Views

    init() throws { views = try Samples.views.get() }

    func written(_ code: String, _ zone: String, _ date: Date = winter) throws -> String {
        let language = try #require(views.language(matching: code))
        return language.date(date, in: try #require(NamedTimeZone(zone))).replacing("\u{a0}", with: " ")
    }

    @Test(arguments: [
        ("en", "UTC", "November 21, 2026 at 3:34 PM UTC"), ("en-GB", "UTC", "21 November 2026 at 15:34 UTC"),
        ("de", "UTC", "21. November 2026 um 15:34 UTC"), ("hi", "UTC", "21 नवंबर 2026, 15:34 UTC"),
        ("th", "UTC", "21 พฤศจิกายน 2569 เวลา 15:34 UTC"), ("fa", "UTC", "۳۰ آبان ۱۴۰۵ ساعت ۱۵:۳۴ (UTC)"),
        ("vi", "UTC", "lúc 15:34 UTC ngày 21 tháng 11, 2026"), ("ja", "UTC", "2026年11月21日 15:34 UTC"),
    ]) func `is written in the words, the calendar and the order of the language`(code: String, zone: String, words: String) throws {
        #expect(try written(code, zone) == words)
    }

    @Test(arguments: [
        ("de", "Europe/Berlin", "21. November 2026 um 16:34 MEZ"),
        ("fr", "Europe/Paris", "21 novembre 2026 à 16:34 heure normale d’Europe centrale"),
        ("en", "America/New_York", "November 21, 2026 at 10:34 AM EST"), ("en-GB", "Europe/London", "21 November 2026 at 15:34 GMT"),
        ("en", "Asia/Kolkata", "November 21, 2026 at 9:04 PM India Standard Time"), ("ja", "Asia/Tokyo", "2026年11月22日 0:34 JST"),
        ("ar", "Africa/Cairo", "21 نوفمبر، 2026، 5:34 م توقيت شرق أوروبا الرسمي"),
        ("tr", "Europe/Istanbul", "21 Kasım 2026 18:34 Türkiye Saati"),
        ("zh-CN", "Asia/Shanghai", "2026年11月21日 中国标准时间 23:34"), ("en", "Etc/GMT+5", "November 21, 2026 at 10:34 AM GMT-5"),
    ]) func `has the time of the zone and its name`(code: String, zone: String, words: String) throws {
        #expect(try written(code, zone) == words)
    }

    @Test func `has summer time`() throws {
        #expect(try written("de", "Europe/Berlin", Self.summer) == "1. Juli 2026 um 14:00 MESZ")
        #expect(try written("en-GB", "Europe/London", Self.summer) == "1 July 2026 at 13:00 BST")
    }

    /// ICU writes an offset such as GMT+1 for a name that it does not know.
    @Test(arguments: Shipped.codes) func `has a name of the zone in every language, no offset`(code: String) throws {
        let language = try #require(views.language(matching: code))
        for name in ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "America/Sao_Paulo", "Asia/Tokyo"] {
            let zone = try #require(NamedTimeZone(name))
            let date = language.date(Self.winter, in: zone)
            #expect(!date.contains(#/[+−\-]\p{N}/#) && !date.contains("\u{202f}"), "\(name): \(date)")
            #expect(date.contains(where: \.isLetter) && date.count <= 100, "\(name): \(date)")
            let number = language.number(name == "UTC" ? 34 : 0)
            #expect(name != "UTC" || date.contains(number), "\(date)")
        }
        let zones = try ["UTC", "Europe/Berlin", "Asia/Kolkata"].map { try #require(NamedTimeZone($0)) }
        #expect(Set(zones.map { language.date(Self.winter, in: $0) }).count == 3, "cached by zone")
    }

    @Test(arguments: [
        "UTC", "Etc/UTC", "Europe/Berlin", "Europe/Kyiv", "Asia/Calcutta", "Asia/Kolkata", "America/Argentina/Buenos_Aires", "US/Pacific",
    ])
    func `is in a zone of the IANA database`(name: String) { #expect(NamedTimeZone(name)?.name == name) }

    @Test(arguments: [
        "", "PST", "GMT+1", "+01:00", "europe/berlin", "Europe/Berlin ", "Mars/Olympus", "Europe", "../etc/UTC", "Europe/Berlin/",
        "EST5EDT",
    ])
    func `is in no other zone`(name: String) { #expect(NamedTimeZone(name) == nil) }

    /// The machine-readable moment on a page stays in UTC.
    @Test func `of a page is written in the project's zone`() throws {
        let brand = try views.brand(name: "A", timeZone: try #require(NamedTimeZone("Europe/Berlin")))
        let language = try #require(views.language(matching: "de"))
        for page in [
            Page(.error(ErrorPage(.expired(.past(Self.winter)))), brand: brand, now: Self.winter + 86_400),
            Page(
                .confirm(ConfirmationPage(.verifyEmail, form: Form(path: "/"), expires: Self.winter)), brand: brand, now: Self.winter - 3600
            ),
        ] {
            let html = views.text(page, in: language)
            #expect(html.contains("<time datetime=\"2026-11-21T15:34:00Z\">21. November 2026 um 16:34 MEZ</time>"))
        }
        let letter = Letter(
            .notice(.passwordChanged), to: try #require(EmailAddress("a@b.example")), language: "de", createdAt: Timestamp(Self.winter))
        let mail = try views.mail(letter, in: language, for: brand)
        #expect(mail.text.contains("21. November 2026 um 16:34 MEZ") && mail.html.contains("21. November 2026 um 16:34 MEZ</time>"))
    }
}
