import Foundation

/// The files in `Public/`: the style sheet, script and icon of all pages, and the projects' logos.
struct PublicFiles: Sendable {
    private let resources: Resources
    let sheet: String
    let script: Asset
    /// The module for Firebase's SDK in web apps.
    let clientModule: Asset
    /// The script of the pages of `onward dev`.
    let devScript: Asset
    /// The files of the console, whose modules name each other.
    let console: [Asset]
    /// The icon of Onward, and of apps where the operator has put another in its place.
    let icon: Asset
    var ownIcon: Asset? { resources.ownPath("Public/favicon.svg") == nil ? nil : icon }

    init(in resources: Resources) throws(ResourceError) {
        self.resources = resources
        func content(_ name: String) throws(ResourceError) -> [UInt8] { try bytes(of: resources.path("Public/" + name)) }
        sheet = String(decoding: try content("onward.css"), as: UTF8.self)
        func javaScript(_ name: String) throws(ResourceError) -> Asset {
            Asset(name: name, contentType: "text/javascript; charset=utf-8", body: try content(name))
        }
        script = try javaScript("onward.js")
        clientModule = try javaScript("onward-client.js")
        devScript = try javaScript("onward-dev.js")
        console = try Views.consoleFiles.map { (name) throws(ResourceError) in
            let kind = ["html": "text/html", "css": "text/css"][name.split(separator: ".").last ?? ""] ?? "text/javascript"
            return Asset(name: name, contentType: kind + "; charset=utf-8", body: try content("console/" + name))
        }
        icon = Asset(name: "favicon.svg", contentType: "image/svg+xml; charset=utf-8", body: try content("favicon.svg"))
    }

    /// The style sheet with an accent in it, so that a page needs no inline style (P3) and no
    /// second request.
    func style(with accent: Accent) -> Asset {
        Asset(name: "onward.css", contentType: "text/css; charset=utf-8", body: Array((sheet + accent.rules).utf8))
    }

    func logo(_ file: String) throws(ResourceError) -> Asset {
        let kinds = ["svg": "image/svg+xml; charset=utf-8", "png": "image/png", "webp": "image/webp", "jpg": "image/jpeg"]
        guard let kind = file.split(separator: ".").last.flatMap({ kinds[String($0)] }), !file.contains("/"), !file.hasPrefix(".") else {
            throw ResourceError(file: "Public/" + file, problem: "a logo is an svg, png, webp or jpg file in this folder")
        }
        let path = resources.path("Public/" + file)
        guard let body = try? bytes(of: path) else {
            throw ResourceError(file: "\(resources.own ?? resources.release)/Public/\(file)", problem: "cannot be read")
        }
        return Asset(name: file, contentType: kind, body: body)
    }
}

func bytes(of file: String) throws(ResourceError) -> [UInt8] {
    guard let content = FileManager.default.contents(atPath: file) else { throw ResourceError(file: file, problem: "cannot be read") }
    return Array(content)
}
