import Foundation

/// What is in `Public/`: the style sheet and the script of all pages, the icon, the projects' logos.
struct PublicFiles: Sendable {
    let folder: String
    let sheet: String
    let script: Asset
    let icon: Asset

    init(folder: String) throws(Views.Unusable) {
        self.folder = folder
        sheet = String(decoding: try bytes(of: folder + "/onward.css"), as: UTF8.self)
        script = Asset(
            name: "onward.js", contentType: "text/javascript; charset=utf-8", body: try bytes(of: folder + "/onward.js"))
        icon = Asset(name: "favicon.svg", contentType: "image/svg+xml; charset=utf-8", body: try bytes(of: folder + "/favicon.svg"))
    }

    /// The accent travels inside the one style sheet: a page needs no inline style (P3) and no second request.
    func style(with accent: Accent) -> Asset {
        Asset(name: "onward.css", contentType: "text/css; charset=utf-8", body: Array((sheet + accent.rules).utf8))
    }

    func logo(_ file: String) throws(Views.Unusable) -> Asset {
        let kinds = ["svg": "image/svg+xml; charset=utf-8", "png": "image/png", "webp": "image/webp", "jpg": "image/jpeg"]
        guard let kind = file.split(separator: ".").last.flatMap({ kinds[String($0)] }), !file.contains("/"), !file.hasPrefix(".") else {
            throw Views.Unusable(file: "\(folder)/\(file)", problem: "a logo is an svg, png, webp or jpg file in this folder")
        }
        return Asset(name: file, contentType: kind, body: try bytes(of: "\(folder)/\(file)"))
    }
}

func bytes(of file: String) throws(Views.Unusable) -> [UInt8] {
    guard let content = FileManager.default.contents(atPath: file) else { throw Views.Unusable(file: file, problem: "cannot be read") }
    return Array(content)
}
