import Foundation
import Testing
import World

extension `Onward from end to end`.`In the browser` {
    /// `/onward.js` of `onward serve`, in a page of another origin.
    @Suite struct `The module for Firebase's JavaScript SDK` {
        /// A page that composes the addresses of calls as the SDK does, from `auth.config`.
        /// Source: firebase-js-sdk, `_getFinalTarget` and `requestStsToken`.
        private static let page = """
            <!doctype html>
            <title>A web app</title>
            <h1>A web app</h1>
            <script type="module">
            import { connectOnward } from "ONWARD/onward.js"
            const usual = { apiScheme: "https", apiHost: "identitytoolkit.googleapis.com", tokenApiHost: "securetoken.googleapis.com" }
            const refusal = config => { try { connectOnward({ config }) } catch (error) { return error.message } }
            const auth = { config: { ...usual, apiKey: "shop-key-1" } }
            const { apiKey, ...config } = auth.config
            const version = { "X-Client-Version": "Chrome/JsCore/12.18.0/FirebaseCore-web" }
            try {
              if (connectOnward(auth) !== auth) throw new Error("another auth came back")
              const signUp = await fetch(`${auth.config.apiScheme}://${auth.config.apiHost}/v1/accounts:signUp?key=${apiKey}`, {
                method: "POST", headers: { ...version, "Content-Type": "application/json" },
                body: JSON.stringify({ returnSecureToken: true, email: "ada@example.com", password: "a quiet long phrase" }) })
              const { localId, refreshToken, error } = await signUp.json()
              if (error) throw new Error(error.message)
              const token = await fetch(`${auth.config.apiScheme}://${auth.config.tokenApiHost}/v1/token?key=${apiKey}`, {
                method: "POST", headers: { ...version, "Content-Type": "application/x-www-form-urlencoded" },
                body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken }) })
              const refreshed = await token.json()
              document.body.dataset.result = JSON.stringify({
                sameUser: refreshed.user_id === localId && Boolean(localId), emulator: auth.config.emulator ?? null,
                twice: refusal({ ...usual, emulator: { url: "http://localhost:8080/" } }), other: refusal({ apiHost: "x" }) })
            } catch (error) {
              document.body.dataset.result = JSON.stringify({ error: String(error) })
            }
            </script>
            """

        @Test func `leads its calls here without emulator mode`() async throws {
            let environment = try BrowserEnvironment.current()
            let folder = try TemporaryFolder()
            let server = try await AppServer(in: folder)
            let failure: (any Error)?
            do {
                await environment.landing.serve(Self.page.replacing("ONWARD", with: server.origin), at: "/app")
                let browser = try environment.user(hasScripts: true).browser
                try await browser.open(await environment.landing.address("/app", host: "127.0.0.1"))
                let text = try #require(try await browser.element("[data-result]").attribute("data-result"))
                let result = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
                #expect(result["sameUser"] == true && result["emulator"] == .null, "\(text)")
                #expect(result["twice"].text == "Call connectOnward or connectAuthEmulator, not both")
                #expect(result["other"].text == "This SDK has no auth.config.apiScheme; use connectAuthEmulator")
                failure = nil
            } catch { failure = error }
            await server.kill()
            withExtendedLifetime(folder) {}
            if let failure { throw failure }
        }
    }
}
