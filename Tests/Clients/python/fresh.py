"""Unique values, so that tests can share a server."""

import itertools
import secrets
import uuid

_numbers = itertools.count(secrets.randbelow(1_000_000))


def uid():
    return f"uid-{uuid.uuid4().hex}"


def email(name="person"):
    return f"{name}-{uuid.uuid4().hex[:12]}@example.com"


def phone():
    """A fictional phone number in E.164 format."""
    return f"+1555{next(_numbers):07}"
