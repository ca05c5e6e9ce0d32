"""The package websockets: echoes, fragments, control frames, and refused openings, as path and query specify.

    websockets_server.py FIXTURES    the folder with the certificates

Its ports: plain, under TLS, without the extension for compression, and one that insists on a subprotocol.
"""

import asyncio
import json
import ssl
import sys
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.http11 import Response

import serving

# How many sockets of each key there were, and how they ended: with the code and the reason of the client.
visits = {}
ends = {}


class Peer(ServerConnection):
    """Keeps the pings and pongs that arrive, which the package handles by itself."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.received = asyncio.Queue()

    def process_event(self, event):
        super().process_event(event)
        if isinstance(event, Frame) and event.opcode in (Opcode.PING, Opcode.PONG):
            self.received.put_nowait(event.opcode.name)

    @property
    def query(self):
        return dict(parse_qsl(urlsplit(self.request.path).query))


def ended(key):
    return ends.setdefault(key, asyncio.Queue())


async def echo(peer):
    """Sends each message back; with `end`, a code or `abort`, the first one ends the socket, for `times` sockets."""
    query = peer.query
    is_last = "end" in query and visits[query["key"]] <= int(query.get("times", 1))
    async for message in peer:
        if not is_last:
            await peer.send(message)
        elif query["end"] == "abort":
            peer.transport.abort()
        else:
            await peer.close(int(query["end"]), query.get("reason", ""))


async def opening(peer):
    """Sends the request as a text of JSON, and then as `echo`."""
    fields = [[name, value] for name, value in peer.request.headers.raw_items()]
    facts = {"target": peer.request.path, "fields": fields, "number": visits[peer.query["key"]]}
    await peer.send(json.dumps(facts))
    await echo(peer)


async def fragments(peer):
    """Sends each message back in frames, which may end within a character, with a ping and its pong before each."""
    async def pieces(data):
        size = max(1, len(data) // 7)
        for piece in [b"", *(data[place:place + size] for place in range(0, len(data), size)), b""]:
            yield piece
            await (await peer.ping())

    async for message in peer:
        is_text = isinstance(message, str)
        await peer.send(pieces(message.encode() if is_text else message), text=is_text)


async def control(peer):
    """Sends its only message after `count` pings or pongs of the client."""
    for _ in range(int(peer.query["count"])):
        while await peer.received.get() != peer.query["kind"]:
            pass
    await peer.send("enough")
    await peer.wait_closed()


async def handle(peer):
    handlers = {"/socket": echo, "/opening": opening, "/fragments": fragments, "/control": control}
    try:
        await handlers[urlsplit(peer.request.path).path](peer)
    except ConnectionClosed:
        pass
    await peer.wait_closed()
    ended(peer.query["key"]).put_nowait({"code": peer.close_code, "reason": peer.close_reason})


def response(status, body, *fields):
    data = json.dumps(body).encode()
    fields = [("Content-Length", str(len(data))), ("Connection", "close"), *fields]
    return Response(status, HTTPStatus(status).phrase, Headers(fields), data)


async def process_request(peer, request):
    """Responds to what opens no socket, and counts what does."""
    path, query = urlsplit(request.path).path, peer.query
    if path == "/ended":
        return response(200, await ended(query["key"]).get())
    if path == "/login":
        return response(200, {}, ("Set-Cookie", "session=1; Path=/; HttpOnly"))
    if path == "/redirect":
        return response(int(query["status"]), {}, ("Location", query["to"]))
    if "status" in query:
        return response(int(query["status"]), {"error": "not here"})
    if "token" in query and request.headers.get("Authorization") != f"Bearer {query['token']}":
        return response(401, {"error": "no token"}, ("WWW-Authenticate", 'Bearer realm="tests"'))
    visits[query["key"]] = visits.get(query["key"], 0) + 1
    if "interval" in query:
        peer.ping_interval = float(query["interval"])
    return None


def process_response(peer, request, response):
    if "cookie" in peer.query:
        response.headers["Set-Cookie"] = f"{peer.query['cookie']}; Path=/"


async def main():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    fixtures = Path(sys.argv[1])
    context.load_cert_chain(fixtures / "localhost.pem", fixtures / "localhost.key")
    options = {
        "create_connection": Peer, "process_request": process_request, "process_response": process_response,
        "max_size": None, "ping_interval": None,
    }
    kinds = [{}, {"ssl": context}, {"compression": None}, {"subprotocols": ["chat.v2", "chat.v1"]}]
    servers = [await serve(handle, "127.0.0.1", 0, **options, **kind) for kind in kinds]
    serving.listening(*(next(iter(server.sockets)).getsockname()[1] for server in servers))
    await asyncio.Event().wait()


serving.end_with_input()
asyncio.run(main())
