internal import Accounts
internal import Base
internal import HTTPTypes

/// The module at `/onward.js`, which makes Firebase's JavaScript SDK in a web app use this server:
/// the SDK sends its requests to the host that the module came from, without emulator mode and its
/// banner.
enum ClientModule {
    static let routes = [
        Route(
            .any, "/onward.js", label: RouteLabel("clientModule", .file),
            handler: .page { _, request in file.response(to: request) })
    ]

    private static let file = PublicFile(
        "text/javascript; charset=utf-8", Array(source.utf8), fresh: .atMost(.minutes(60)), sharedWithAnyOrigin: true)

    /// `auth.config` is not documented by Firebase, so the module checks that it is as expected.
    /// Source: firebase-js-sdk, `packages/auth/src/api/index.ts`.
    private static let source = """
        // import { connectOnward } from "https://auth.example.com/onward.js";
        // const auth = connectOnward(getAuth(app));    // before any other call

        const { protocol, host } = new URL(import.meta.url);

        export function connectOnward(auth) {
          const { config } = auth;
          if (config.emulator) throw new Error("Call connectOnward or connectAuthEmulator, not both");
          for (const name of ["apiScheme", "apiHost", "tokenApiHost"]) {
            if (typeof config[name] !== "string") throw new Error(`This SDK has no auth.config.${name}; use connectAuthEmulator`);
          }
          Object.assign(config, { apiScheme: protocol.slice(0, -1), apiHost: host, tokenApiHost: host });
          return auth;
        }

        """
}
