import Accounts
import Foundation
import Testing
import Views

/// Writes every page and mail into the folder `ALBUM`, for inspection in a browser.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["ALBUM"] != nil)) struct `The album` {
    @Test func `contains every page`() throws {
        let folder = URL(filePath: try #require(ProcessInfo.processInfo.environment["ALBUM"]))
        let (samples, views) = (Samples(), try Samples.views.get())
        func write(_ content: String, _ name: String) throws {
            let local = content.replacing("/__/auth/assets/", with: "assets/")
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(local.utf8).write(to: file)
        }
        for asset in try samples.brand(views).assets {
            try write(String(decoding: asset.body, as: UTF8.self), "assets/" + asset.path.dropFirst(Asset.root.count))
        }
        for language in views.languages {
            for (name, page) in try samples.pages(samples.brand(views)) {
                try write(views.text(page, in: language), "\(name).\(language.code).html")
            }
            for (name, letter) in try samples.letters(samples.brand(views)) {
                let mail = try views.mail(letter, in: language)
                try write(mail.html, "mail-\(name).\(language.code).html")
                try write(mail.subject + "\n\n" + mail.text, "mail-\(name).\(language.code).txt")
            }
        }
        for (name, page) in try samples.devPages(samples.brand(views)) { try write(views.text(page), "\(name).en.html") }
    }
}
