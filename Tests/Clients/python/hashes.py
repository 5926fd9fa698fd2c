"""Password hashes of other systems, made by independent code: hashlib, hmac, bcrypt, cryptography.

How password and salt are joined is what Firebase takes from an import that does not say it (`passwordHashOrder`): plain digests have
the salt first, HMACs have it last. So do the integration tests of Google's own admin SDKs.
"""

import base64
import hashlib
import hmac

import bcrypt
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from firebase_admin.auth import UserImportHash

KEY = b"a key of the old system"

# Source: the README of github.com/firebase/scrypt.
FIREBASE_KEY = base64.b64decode("jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==")
FIREBASE_SEPARATOR = base64.b64decode("Bw==")


def digest(name, rounds):
    """A digest of repeated rounds, each of the digest before it. No rounds means one."""
    def computed(password, salt):
        value = hashlib.new(name, salt + password).digest()
        for _ in range(rounds - 1):
            value = hashlib.new(name, value).digest()
        return value
    return computed


def keyed(name):
    return lambda password, salt: hmac.new(KEY, password + salt, name).digest()


def pbkdf2(name, rounds, length):
    return lambda password, salt: hashlib.pbkdf2_hmac(name, password, salt, rounds, length)


def standard_scrypt(password, salt):
    return hashlib.scrypt(password, salt=salt, n=1024, r=8, p=16, dklen=64)


def firebase_scrypt(password, salt):
    """Firebase's modified scrypt: scrypt derives the key that encrypts the project's signer key. Source: github.com/firebase/scrypt."""
    key = hashlib.scrypt(password, salt=salt + FIREBASE_SEPARATOR, n=2**14, r=8, p=1, dklen=32, maxmem=64 * 1024 * 1024)
    encryptor = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
    return encryptor.update(FIREBASE_KEY) + encryptor.finalize()


# The algorithms that the SDK offers, each with the function that makes a hash. `None`: the hash contains its salt.
ALGORITHMS = {
    "HMAC_SHA512": (UserImportHash.hmac_sha512(KEY), keyed("sha512")),
    "HMAC_SHA256": (UserImportHash.hmac_sha256(KEY), keyed("sha256")),
    "HMAC_SHA1": (UserImportHash.hmac_sha1(KEY), keyed("sha1")),
    "HMAC_MD5": (UserImportHash.hmac_md5(KEY), keyed("md5")),
    "MD5 without rounds": (UserImportHash.md5(0), digest("md5", 0)),
    "MD5 in hexadecimal": (UserImportHash.md5(0), lambda password, salt: hashlib.md5(salt + password).hexdigest().encode()),
    "MD5 in 3 rounds": (UserImportHash.md5(3), digest("md5", 3)),
    "SHA1": (UserImportHash.sha1(1), digest("sha1", 1)),
    "SHA256": (UserImportHash.sha256(1), digest("sha256", 1)),
    "SHA256 in 5 rounds": (UserImportHash.sha256(5), digest("sha256", 5)),
    "SHA512": (UserImportHash.sha512(1), digest("sha512", 1)),
    "PBKDF_SHA1": (UserImportHash.pbkdf_sha1(20_000), pbkdf2("sha1", 20_000, 20)),
    "PBKDF2_SHA256": (UserImportHash.pbkdf2_sha256(100_000), pbkdf2("sha256", 100_000, 64)),
    "SCRYPT": (UserImportHash.scrypt(FIREBASE_KEY, 8, 14, FIREBASE_SEPARATOR), firebase_scrypt),
    "STANDARD_SCRYPT": (UserImportHash.standard_scrypt(1024, 16, 8, 64), standard_scrypt),
    "BCRYPT": (UserImportHash.bcrypt(), lambda password, salt: bcrypt.hashpw(password, bcrypt.gensalt(6))),
}
