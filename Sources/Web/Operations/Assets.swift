/// The files of `Public/`, read once at start and served from memory under names that change with their content.
package struct Assets: Sendable {
    package struct File: Sendable {
        package let contentType: String
        package let bytes: [UInt8]

        package init(contentType: String, bytes: [UInt8]) {
            self.contentType = contentType
            self.bytes = bytes
        }
    }

    /// By path below `/__/auth/assets/`.
    let files: [String: File]

    package init(files: [String: File]) { self.files = files }
}
