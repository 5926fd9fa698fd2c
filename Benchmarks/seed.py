#!/usr/bin/env python3
"""Fills a running Onward with accounts and live verifyEmail codes, through its own API.

usage: seed.py ORIGIN PROJECT ADMIN_KEY API_KEY COUNT > codes
Each line of the output is a code and the token of a page that shows it.
"""
import concurrent.futures
import http.client
import json
import sys
import threading
import urllib.parse

origin, project, admin, key, count = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5])
host = urllib.parse.urlsplit(origin).netloc
local = threading.local()


def ask(method, path, body=None, headers={}):
    if not hasattr(local, "connection"):
        local.connection = http.client.HTTPConnection(host)
    local.connection.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json", **headers})
    answer = json.load(local.connection.getresponse())
    if "error" in answer:
        sys.exit(answer["error"]["message"])
    return answer


def one(number):
    email = f"user{number}@example.com"
    bearer = {"Authorization": f"Bearer {admin}"}
    ask("POST", f"/v1/projects/{project}/accounts", {"email": email}, bearer)
    made = ask(
        "POST", f"/v1/projects/{project}/accounts:sendOobCode",
        {"requestType": "VERIFY_EMAIL", "email": email, "returnOobLink": True, "continueUrl": f"{origin}/welcome?u={number}"}, bearer)
    code = made["oobCode"]
    page = ask("GET", f"/__/auth/action?mode=verifyEmail&apiKey={key}&oobCode={code}", headers={"Accept": "application/json"})
    return f"{code} {page['token']}"


with concurrent.futures.ThreadPoolExecutor(16) as pool:
    for line in pool.map(one, range(count)):
        print(line)
