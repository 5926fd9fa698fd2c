import Accounts
import ArgumentParser
import Cryptography
import Foundation
import HTTPServer
import Logging
import Views
import Web

/// Runs the body of a command and prints an error as a sentence for the operator.
/// - Parameter log: the options of the log that gets the error instead; nil: none does.
func running<T>(logging log: @autoclosure () -> LogOptions? = nil, _ body: () async throws -> T) async throws -> T {
    System.raiseDescriptorLimit()
    do {
        try OpenSSL.requireAlgorithms()
        return try await body()
    } catch {
        guard let sentence = explanation(of: error) else { throw error }
        if let options = log() {
            let problems = (error as? InvalidConfiguration)?.problems.map(\.description) ?? [String(sentence.trimmingPrefix("onward: "))]
            await logging(options) { log in
                for problem in problems { log.critical("server failed", metadata: ["problem": "\(problem)"]) }
            }
        } else {
            FileHandle.standardError.write(Data((sentence + "\n").utf8))
        }
        throw exitCode(for: error)
    }
}

/// The error of a command, as a sentence for the operator.
struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ sentence: String) { description = sentence }
}

/// Runs `body` with a logger and returns when its last line is written.
func logging<T>(_ options: LogOptions, _ body: (Logger) async throws -> T) async rethrows -> T {
    let writer = LogWriter(descriptor: STDERR_FILENO, format: options.format)
    async let written: Void = writer.run()
    do {
        let result = try await body(Logger(options, writer: writer))
        writer.finish()
        await written
        return result
    } catch {
        writer.finish()
        await written
        throw error
    }
}

/// The exit status of a command that ended with an error.
func exitCode(for error: any Error) -> ExitCode {
    switch error {
    case is InvalidConfiguration, is ResourceError, is ResourcesFolder.Missing, is Brands.BrandError, is LoadedResources.UnknownLanguage,
        is CommonPasswords.InvalidFile:
        .badConfiguration
    default: .failure
    }
}

/// The sentence to print for an error; nil for errors that ArgumentParser prints itself.
func explanation(of error: any Error) -> String? {
    switch error {
    case let error as InvalidConfiguration: error.description
    case is ExitCode, is CleanExit, is ValidationError: nil
    case ActionError.unavailable(let down): "onward: \(down.cause)"
    case ActionError.refused(let refusal, let detail): "onward: \(detail ?? refusal.rawValue)"
    case let error as Brands.BrandError: "onward: \(error.explanation)"
    case let error as OpenSSL.MissingAlgorithms: "onward: \(error.description)"
    case let error as SettingError: "onward: \(error.sentence)"
    case let error as CocoaError:
        "onward: \([error.userInfo[NSFilePathErrorKey] as? String, error.reason].compactMap(\.self).joined(separator: ": "))"
    default: "onward: \(error)"
    }
}

extension CocoaError {
    /// The system's words if it has any, which Foundation often keeps back.
    fileprivate var reason: String {
        switch userInfo[NSUnderlyingErrorKey] {
        case let error as POSIXError: String(cString: strerror(error.code.rawValue))
        case let error as NSError where error.domain == NSPOSIXErrorDomain: String(cString: strerror(Int32(error.code)))
        default: localizedDescription
        }
    }
}

extension ExitCode {
    /// `EX_CONFIG`. Source: sysexits.h
    static let badConfiguration = ExitCode(78)
}
