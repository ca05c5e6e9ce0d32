"""Sends the request that a test describes with httpx and with curl, and tells what httpbin saw of it.

A description has `method`, `url`, and where it needs them `query`, `fields`, `cookies` (lists of pairs), `basic`,
`bearer`, `body` (see `content`), `follows`, and `command`, a command of curl that the library has written.
"""

import base64
import json
import os
import subprocess
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

import httpx

import serving

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
client = httpx.Client(trust_env=False, timeout=30)


def content(body):
    """The arguments of httpx and of curl for a body, and what curl reads from its standard input."""
    kind = body["kind"]
    if kind == "json":
        return {"json": json.loads(body["text"])}, ["--json", body["text"]], b""
    if kind == "form":
        pairs = body["pairs"]
        # httpx sends a list for each name, in the order of the names.
        data = {}
        for name, value in pairs:
            data.setdefault(name, []).append(value)
        options = [each for name, value in pairs for each in ("--data-urlencode", f"{quote(name, safe='')}={value}")]
        return {"data": data}, options, b""
    if kind == "multipart":
        files, options = [], []
        for part in body["parts"]:
            if "file" in part:
                files.append((part["name"], (part["file"], part["text"].encode(), part["type"])))
                name = part["file"].replace("\\", "\\\\").replace('"', '\\"')
                options += ["-F", f'{part["name"]}=@-;filename="{name}";type={part["type"]}']
            else:
                files.append((part["name"], (None, part["text"].encode())))
                options += ["--form-string", f'{part["name"]}={part["text"]}']
        first = [part["text"].encode() for part in body["parts"] if "file" in part]
        return {"files": files}, options, b"".join(first[:1])
    raw = base64.b64decode(body["bytes"])
    kind = f'Content-Type: {body["type"]}'
    return {"content": raw, "headers": [kind.split(": ", 1)]}, ["-H", kind, "--data-binary", "@-"], raw


def with_httpx(case, options):
    fields = [(name, value) for name, value in case.get("fields", [])] + [tuple(each) for each in options.pop("headers", [])]
    if "bearer" in case:
        fields.append(("Authorization", f'Bearer {case["bearer"]}'))
    if case.get("cookies"):
        fields.append(("Cookie", "; ".join(f"{name}={value}" for name, value in case["cookies"])))
    return client.request(
        case["method"], case["url"], headers=[(name.encode(), value.encode()) for name, value in fields],
        params=[tuple(each) for each in case["query"]] if case.get("query") else None,
        auth=tuple(case["basic"]) if "basic" in case else None,
        follow_redirects=case.get("follows", False), **options,
    ).content


def run(command, given=b""):
    result = subprocess.run(command, input=given, capture_output=True, env=ENVIRONMENT, timeout=30)
    return result.stdout or json.dumps({"failure": result.stderr.decode()}).encode()


def with_curl(case, options, given):
    command = ["curl", "--silent", "--show-error", "--globoff", "--path-as-is", "--noproxy", "*"]
    isPost = case["method"] == "POST" and "body" in case
    # With --request, curl would not change the method of a redirect.
    command += [] if isPost or case["method"] == "GET" and "body" not in case else ["--request", case["method"]]
    command += ["--location"] if case.get("follows") else []
    for name, value in case.get("query", []):
        # Without a name, curl would send no equals sign.
        command += ["--url-query", f"{quote(name, safe='')}={value}" if name else f"+={quote(value)}"]
    for name, value in case.get("fields", []):
        command += ["-H", f"{name}: {value}" if value else f"{name};"]
    if case.get("cookies"):
        command += ["--cookie", "; ".join(f"{name}={value}" for name, value in case["cookies"])]
    if "basic" in case:
        command += ["--user", ":".join(case["basic"])]
    if "bearer" in case:
        command += ["--oauth2-bearer", case["bearer"]]
    return run([*command, *options, "--url", case["url"]], given)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        case = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        httpx_options, curl_options, given = content(case["body"]) if "body" in case else ({}, [], b"")
        seen = {"httpx": with_httpx(case, httpx_options), "curl": with_curl(case, curl_options, given)}
        if "command" in case:
            seen["command"] = run(["sh", "-c", case["command"].replace("curl ", "curl --silent --noproxy '*' ", 1)])
        response = json.dumps({name: json.loads(text) for name, text in seen.items()}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(response)))
        self.end_headers()
        self.wfile.write(response)

    def log_message(self, *_):
        pass


serving.end_with_input()
ThreadingHTTPServer.request_queue_size = 128
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
serving.listening(server.server_port)
server.serve_forever()
