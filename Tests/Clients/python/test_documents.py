"""The examples of Docs/Tokens.md and Docs/Migration.md, run as they stand but for their addresses."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import jwt
import pytest
from firebase_admin import auth

import fresh

DOCUMENT = pathlib.Path(__file__).parents[3] / "Docs/Tokens.md"
# Where Debian's packages put the libraries.
JOSE = pathlib.Path("/usr/share/nodejs/jose")
PRINTING = {
    "python": "\nimport json, sys\nprint(json.dumps(signed_in_user(sys.argv[1])))\n",
    "js": "\nconsole.log(JSON.stringify(await signedInUser(process.argv[2])));\n",
    "ruby": "\nputs JSON.generate(signed_in_user(ARGV[0]))\n",
}
PROGRAMS = {"python": ("example.py", sys.executable), "js": ("example.mjs", "node"), "ruby": ("example.rb", "ruby")}


def is_installed(language):
    program = PROGRAMS[language][1]
    if not shutil.which(program):
        return False
    if language == "ruby":
        return subprocess.run([program, "-e", "require 'jwt'"], capture_output=True).returncode == 0
    return language != "js" or JOSE.exists()


@pytest.mark.parametrize("language", list(PROGRAMS))
@pytest.mark.parametrize("onward", ["serve"], indirect=True)
def test_a_back_end_knows_the_user(onward, app, tmp_path, language):
    if not is_installed(language):
        pytest.skip(f"the library for {language} is not installed; Scripts/test installs it")
    code = re.search(rf"```{language}\n(.*?)```", DOCUMENT.read_text(), re.S)[1]
    if language == "js":
        (tmp_path / "node_modules").mkdir()
        (tmp_path / "node_modules/jose").symlink_to(JOSE)
    name, program = PROGRAMS[language]

    def claims(token, project=onward.project):
        """The claims that the example finds, or nothing."""
        shown = code
        for written, real in {
            '"https://auth.example.com/my-app"': f'"https://securetoken.google.com/{project}"', '"my-app"': f'"{project}"',
            "https://auth.example.com": onward.origin,
        }.items():
            assert written in shown
            shown = shown.replace(written, real)
        (tmp_path / name).write_text(shown + PRINTING[language])
        done = subprocess.run([program, tmp_path / name, token], capture_output=True, text=True, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"})
        return json.loads(done.stdout) if done.returncode == 0 else None

    email = fresh.email()
    uid = auth.create_user(email=email, password=onward.password).uid
    token = app.sign_in(email, onward.password)["idToken"]
    assert claims(token)["sub"] == uid
    head, body, signature = token.split(".")
    unsigned = jwt.encode(jwt.decode(token, options={"verify_signature": False}), key=None, algorithm="none")
    for wrong in [unsigned, f"{head}.{body}.{signature[:-8]}AAAAAAAA", "x"]:
        assert claims(wrong) is None
    assert claims(token, project="other") is None, "a token of another project"


@pytest.mark.parametrize("onward", ["dev"], indirect=True)
def test_the_users_of_a_firebase_project_are_exported(onward, tmp_path):
    """Onward answers `accounts:batchGet` as Google does; a program named gcloud prints the token."""
    code = re.search(r"```python\n(.*?)```", (DOCUMENT.parent / "Migration.md").read_text(), re.S)[1]
    assert "https://identitytoolkit.googleapis.com" in code and "maxResults=500" in code
    code = code.replace("https://identitytoolkit.googleapis.com", onward.origin).replace("maxResults=500", "maxResults=1")
    (tmp_path / "export.py").write_text(code)
    (tmp_path / "gcloud").write_text("#!/bin/sh\necho owner\n")
    (tmp_path / "gcloud").chmod(0o755)
    made = [auth.create_user(email=fresh.email(), password="correct horse 7").uid for _ in range(3)]
    done = subprocess.run(
        [sys.executable, tmp_path / "export.py", onward.project], capture_output=True, text=True,
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}, check=True)
    users = [json.loads(line) for line in done.stdout.splitlines()]
    assert set(made) <= {user["localId"] for user in users}
    assert len(users) == len({user["localId"] for user in users})
