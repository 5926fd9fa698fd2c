import Accounts
import ArgumentParser
import Base
import Configuration
import Cryptography
import Foundation
import Logging
import Server
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
        guard let line = errorLine(for: error) else { throw error }
        if let options = log() {
            let problems = (error as? InvalidConfiguration)?.problems.map(\.description) ?? [explanation(of: error)]
            await logging(options) { log in
                for problem in problems { log.critical("server failed", metadata: ["problem": "\(problem)"]) }
            }
        } else {
            FileHandle.standardError.write(Data((line + "\n").utf8))
        }
        throw exitCode(for: error)
    }
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
    case is InvalidConfiguration, is ResourceError, is Resources.NotFound, is Brands.BrandError, is LoadedResources.UnknownLanguage,
        is CommonPasswords.InvalidFile:
        .badConfiguration
    default: .failure
    }
}

/// The line to print for an error; nil for errors that ArgumentParser prints itself.
func errorLine(for error: any Error) -> String? {
    switch error {
    case is ExitCode, is CleanExit, is ValidationError: nil
    case is InvalidConfiguration: explanation(of: error)
    default: "onward: \(explanation(of: error))"
    }
}

extension ExitCode {
    /// `EX_CONFIG`. Source: sysexits.h
    static let badConfiguration = ExitCode(78)
}
