"""aiohttp, with slow lines that a test lets go on, downloads that break off, and sockets that end as a test asks.

    aiohttp_server.py [SOCKET]    the path of a Unix domain socket; otherwise it listens on a port
"""

import asyncio
import hashlib
import sys

from aiohttp import WSMsgType, web

import serving

gates = {}
visits = {}
versions = {}
ends = {}
# Two lines of the Redis protocol, a line that is cut within a character and within CR LF, and one without an end.
LINES = [b"+OK\r\n", b":1000\r", b"\n$6\r\n", "né".encode()[:2], "né".encode()[2:] + b"vel\r", b"\n", b"*0\nlast"]


def gate(request):
    return gates.setdefault(request.query["key"], asyncio.Semaphore(0))


async def echo(request):
    return web.json_response({
        "method": request.method,
        "target": request.raw_path,
        "fields": [[name, value] for name, value in request.headers.items()],
        "body": (await request.read()).decode("latin-1"),
        "ofConnection": id(request.transport),
    })


async def lines(request):
    """Sends each piece when /open was called for it, so that a client that waits for more would wait forever."""
    response = web.StreamResponse(headers={"Content-Type": "text/plain"})
    await response.prepare(request)
    for piece in LINES:
        await gate(request).acquire()
        await response.write(piece)
    await response.write_eof()
    return response


async def events(request):
    """Three events, and then the end; a client that connects again gets those after its last one."""
    first = int(request.headers.get("Last-Event-ID", "0")) + 1
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    await response.write(b"retry: 1\n\n")
    for number in range(first, first + 3):
        await response.write(f"id: {number}\ndata: event {number}\n\n".encode())
    await response.write_eof()
    return response


async def open_gate(request):
    gate(request).release()
    return web.Response()


async def drip(request):
    """A megabyte in pieces; a client that reads nothing makes the server wait, which /sent shows."""
    response = web.StreamResponse()
    await response.prepare(request)
    key = request.query["key"]
    for _ in range(1024):
        visits[key] = visits.get(key, 0) + 1
        await response.write(bytes(64 << 10))
    return response


async def duplex(request):
    """Responds at once, and sends back each portion when it comes."""
    response = web.StreamResponse()
    await response.prepare(request)
    async for portion in request.content.iter_any():
        await response.write(portion)
    return response


async def cut(request):
    """A resource of `size` bytes that breaks off in the middle at each of the first `times` requests.

    With `changes`, its bytes and its ETag are others after the first request.
    """
    query = request.query
    visits.setdefault(query["key"], []).append(dict(request.headers))
    count = len(visits[query["key"]])
    version = 2 if "changes" in query and count > 1 else 1
    size = int(query["size"])
    block = hashlib.sha256(f"{version}".encode()).digest()
    body = (block * (size // len(block) + 1))[:size]
    fields = {"ETag": f'"{version}"', "Accept-Ranges": "bytes"}
    if "weak" in query:
        fields["ETag"] = "W/" + fields["ETag"]
    start = 0
    if "Range" in request.headers and request.headers.get("If-Range", fields["ETag"]) == fields["ETag"]:
        start = int(request.headers["Range"].removeprefix("bytes=").split("-")[0])
        fields["Content-Range"] = f"bytes {start}-{size - 1}/{size}"
    fields["Content-Length"] = str(size - start)
    response = web.StreamResponse(status=206 if start else 200, headers=fields)
    await response.prepare(request)
    end = size if count > int(query["times"]) else (start + size) // 2
    await response.write(body[start:end])
    if end < size:
        request.transport.close()
    return response


async def seen(request):
    return web.json_response(visits.get(request.query["key"], []))


async def redirect(request):
    return web.Response(status=int(request.query["status"]), headers={"Location": request.query["to"]})


async def upload(request):
    digest, count = hashlib.sha256(), 0
    async for piece in request.content.iter_any():
        digest.update(piece)
        count += len(piece)
    return web.json_response({"count": count, "sha256": digest.hexdigest(),
                              "framing": request.headers.get("Content-Length", "chunked")})


async def unread(request):
    """Answers without reading the body, and closes the connection."""
    response = web.json_response({"error": "too large"}, status=413)
    response.force_close()
    return response


async def socket(request):
    """Sends each message back; with `end`, a code or `abort`, the first one ends the socket."""
    query = request.query
    if "status" in query:
        return web.json_response({"error": "not here"}, status=int(query["status"]))
    peer = web.WebSocketResponse(protocols=("chat.v2", "chat.v1"), max_msg_size=0)
    await peer.prepare(request)
    while (message := await peer.receive()).type in (WSMsgType.TEXT, WSMsgType.BINARY):
        if query.get("end") == "abort":
            request.transport.abort()
        elif "end" in query:
            await peer.close(code=int(query["end"]), message=query.get("reason", "").encode())
        elif message.type is WSMsgType.TEXT:
            await peer.send_str(message.data)
        else:
            await peer.send_bytes(message.data)
    reason = message.extra if message.type is WSMsgType.CLOSE else ""
    ended(query["key"]).put_nowait({"code": peer.close_code, "reason": reason})
    return peer


def ended(key):
    return ends.setdefault(key, asyncio.Queue())


async def show_end(request):
    return web.json_response(await ended(request.query["key"]).get())


async def main():
    app = web.Application(client_max_size=64 << 20)
    app.add_routes([
        web.get("/lines", lines), web.get("/events", events), web.get("/open", open_gate), web.get("/drip", drip),
        web.post("/duplex", duplex), web.get("/cut", cut), web.get("/seen", seen),
        web.route("*", "/redirect", redirect), web.get("/socket", socket),
        web.get("/ended", show_end), web.route("*", "/upload", upload),
        web.route("*", "/unread", unread), web.route("*", "/{rest:.*}", echo),
    ])
    runner = web.AppRunner(app)
    await runner.setup()
    if sys.argv[1:]:
        await web.UnixSite(runner, sys.argv[1]).start()
        serving.listening(0)
    else:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        serving.listening(site._server.sockets[0].getsockname()[1])
    await asyncio.Event().wait()


serving.end_with_input()
asyncio.run(main())
