import Foundation

/// The folder of the sources.
package enum Repository {
    package static let root = URL(filePath: #filePath).appending(path: "../../../").standardizedFileURL.path(percentEncoded: false)
}
