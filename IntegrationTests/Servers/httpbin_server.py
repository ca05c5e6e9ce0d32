"""httpbin behind gunicorn; its /anything also shows the bytes of the request."""

import base64
import io
import json

from gunicorn.app.base import BaseApplication
from httpbin import app

import serving


def with_bytes(environ, start_response):
    """Adds the exact method, target, fields and body of the request to the response of /anything."""
    if not environ["PATH_INFO"].startswith("/anything"):
        return app(environ, start_response)
    body = environ["wsgi.input"].read()
    environ["wsgi.input"] = io.BytesIO(body)
    # Otherwise httpbin would wait for the chunks that are already read.
    if environ.pop("HTTP_TRANSFER_ENCODING", None):
        environ["CONTENT_LENGTH"] = str(len(body))
        framing = "chunked"
    else:
        framing = environ.get("CONTENT_LENGTH")
    head = []
    response = b"".join(app(environ, lambda status, fields, _=None: head.append((status, fields))))
    seen = json.loads(response) if head[0][0].startswith("200") and response else {}
    seen["bytes"] = {
        "method": environ["REQUEST_METHOD"],
        "target": environ["RAW_URI"],
        "framing": framing or "none",
        "body": base64.b64encode(body).decode(),
    }
    content = json.dumps(seen).encode()
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(content)))])
    return [content]


class Server(BaseApplication):
    def load_config(self):
        options = {
            "bind": "127.0.0.1:0",
            "worker_class": "gthread",
            "threads": 16,
            # Longer than the tests take: httpx does not send again over another connection.
            "keepalive": 600,
            "loglevel": "warning",
            "control_socket_disable": True,
            "when_ready": lambda arbiter: serving.listening(arbiter.LISTENERS[0].sock.getsockname()[1]),
        }
        for name, value in options.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self):
        return with_bytes


serving.end_with_input()
Server().run()
