"""An SMTP server for the tests of MailTests: aiosmtpd with TLS, authentication and greylisting.

The argument is a JSON object: certificate, key (paths); tls ("starttls", "implicit" or absent); users (name to password);
tokens (name to OAuth token); greylist (number of RCPT commands that are answered with 450); refuse (the answer to every RCPT);
size; utf8 (bool). Prints
`listening PORT`, then one JSON object a line for each message that was accepted.
"""

import asyncio
import base64
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

options = json.loads(sys.argv[1])
# A token is longer than a command.
SMTP.line_length_limit = 16_000


class Handler:
    def __init__(self):
        self.left_to_greylist = options.get("greylist", 0)

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if self.left_to_greylist > 0:
            self.left_to_greylist -= 1
            return "450 4.2.0 greylisted, try again"
        if "refuse" in options:
            return options["refuse"]
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 ok"

    async def handle_DATA(self, server, session, envelope):
        login = getattr(session, "login", None)
        print(
            json.dumps(
                {
                    "from": envelope.mail_from,
                    "to": envelope.rcpt_tos,
                    "options": envelope.mail_options,
                    "utf8": envelope.smtp_utf8,
                    "tls": session.ssl is not None or options.get("tls") == "implicit",
                    "user": login,
                    "message": base64.b64encode(envelope.original_content).decode(),
                }
            ),
            flush=True,
        )
        return "250 2.0.0 queued"

    async def auth_XOAUTH2(self, server, args):
        response = args[1] if len(args) > 1 else await server.challenge_auth("", encode_to_b64=False)
        if isinstance(response, str):
            response = base64.b64decode(response)
        fields = dict(part.split("=", 1) for part in response.decode().split("\x01") if part)
        user, token = fields["user"], fields["auth"].removeprefix("Bearer ")
        if options.get("tokens", {}).get(user) == token:
            server.session.login = user
            return AuthResult(success=True)
        await server.challenge_auth('{"status":"401"}')
        return AuthResult(success=False, handled=False)


def authenticate(server, session, envelope, mechanism, data):
    if not isinstance(data, LoginPassword):
        return AuthResult(success=False, handled=False)
    user = data.login.decode()
    if options.get("users", {}).get(user) != data.password.decode():
        return AuthResult(success=False, handled=False)
    session.login = user
    return AuthResult(success=True)


def context():
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(options["certificate"], options["key"])
    return made


async def main():
    handler = Handler()
    mode = options.get("tls")
    needs_login = bool(options.get("users") or options.get("tokens"))

    def protocol():
        return SMTP(
            handler,
            enable_SMTPUTF8=options.get("utf8", False),
            data_size_limit=options.get("size", 1_000_000),
            tls_context=context() if mode == "starttls" else None,
            require_starttls=mode == "starttls",
            auth_required=needs_login,
            auth_require_tls=mode == "starttls",
            authenticator=authenticate,
            auth_exclude_mechanism=options.get("without", []),
            loop=asyncio.get_running_loop(),
        )

    server = await asyncio.get_running_loop().create_server(
        protocol, "127.0.0.1", 0, ssl=context() if mode == "implicit" else None
    )
    print("listening", server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
