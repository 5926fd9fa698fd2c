"""A real OpenID provider on this machine: oidc-provider-mock over TLS, with a certificate of an authority of its own."""

import contextlib
import datetime
import ipaddress
import threading
import urllib.parse

import oidc_provider_mock
import requests
import werkzeug.serving
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from onward import PATIENCE


class Authority:
    """A private certificate authority, as companies have one."""

    def __init__(self, folder, name="authority"):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.certificate = self._certificate(self.name, self.key, x509.BasicConstraints(ca=True, path_length=0))
        self.folder = folder
        # The value of caFile.
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(self.certificate.public_bytes(serialization.Encoding.PEM))

    def server(self):
        """Files with a certificate for localhost and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
        certificate = self._certificate(
            name, key, x509.BasicConstraints(ca=False, path_length=None),
            x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]))
        files = self.folder / f"{self.file.stem}-server.pem", self.folder / f"{self.file.stem}-server.key"
        files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        files[1].write_bytes(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        return tuple(map(str, files))

    def _certificate(self, name, key, *extensions):
        now = datetime.datetime.now(datetime.timezone.utc)
        day = datetime.timedelta(days=1)
        builder = (
            x509.CertificateBuilder().subject_name(name).issuer_name(self.name).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - day).not_valid_after(now + day))
        for extension in extensions:
            builder = builder.add_extension(extension, critical=False)
        return builder.sign(self.key, hashes.SHA256())


class Provider:
    """The provider at one port. Its keys are new each time it starts; its users stay."""

    def __init__(self, authority, port):
        self.authority = authority
        self.port = port
        self.url = f"https://localhost:{port}"
        self.users = {}
        # Set while the provider may respond; a test clears it to make the provider slow.
        self.responds = threading.Event()
        self.responds.set()

    @contextlib.contextmanager
    def running(self):
        app = oidc_provider_mock.app()
        app.before_request(lambda: self.responds.wait(60) and None)
        server = werkzeug.serving.make_server("localhost", self.port, app, threaded=True, ssl_context=self.authority.server())
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            for subject, claims in self.users.items():
                self.set_user(subject, **claims)
            yield self
        finally:
            self.responds.set()
            server.shutdown()
            thread.join()
            server.server_close()

    def set_user(self, subject, **claims):
        self.users[subject] = claims
        self._send("PUT", f"{self.url}/users/{subject}", json=claims).raise_for_status()

    def sign_in(self, page, subject):
        """Plays the user who signs in at the provider's page. Returns the URL to which the provider sends them back."""
        response = self._send("POST", page, data={"sub": subject}, allow_redirects=False)
        assert response.status_code == 302, response.text
        return response.headers["Location"]

    def id_token(self, subject, client="shop-web", nonce=None):
        """An ID token that an app got by itself."""
        query = {"response_type": "code", "client_id": client, "redirect_uri": "https://app.example/", "scope": "openid email profile"}
        query |= {"nonce": nonce} if nonce else {}
        back = self.sign_in(f"{self.url}/oauth2/authorize?{urllib.parse.urlencode(query)}", subject)
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(back).query)["code"][0]
        response = self._send(
            "POST", f"{self.url}/oauth2/token", auth=(client, "any"),
            data={"grant_type": "authorization_code", "code": code, "redirect_uri": "https://app.example/"})
        return response.json()["id_token"]

    def _send(self, method, url, **options):
        return requests.request(method, url, verify=str(self.authority.file), timeout=PATIENCE, **options)
