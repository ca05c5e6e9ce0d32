"""HTTP/3 with aioquic, and HTTP/1.1 over TLS beside it, at five ports, for clients that try the one before the other.

    h3_server.py FIXTURES    the folder with the certificates

The ports: both, HTTP/1.1 alone, HTTP/1.1 beside a socket that reads no datagram, HTTP/1.1 beside a server that refuses
each QUIC connection, HTTP/3 alone. A response of HTTP/1.1 is the text `tcp`.
"""

import asyncio
import json
import socket
import ssl
import sys
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3.connection import H3_ALPN, ErrorCode, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ConnectionTerminated, ProtocolNegotiated, StopSendingReceived, StreamReset

import serving

PORTION = 1 << 14
connections = 0
# The streams that their client has given up, by the key of their requests.
stopped = []
# The numbers of requests with each key.
counts = {}


class Peer(QuicConnectionProtocol):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.http, self.requests, self.number = None, {}, 0
        self.keys, self.duplex = {}, set()

    def quic_event_received(self, event):
        global connections
        if isinstance(event, ProtocolNegotiated):
            connections += 1
            self.http, self.number = H3Connection(self._quic), connections
        if isinstance(event, (StopSendingReceived, StreamReset)) and event.stream_id in self.keys:
            stopped.append(self.keys[event.stream_id])
        if isinstance(event, ConnectionTerminated) or self.http is None:
            return
        for each in self.http.handle_event(event):
            if isinstance(each, HeadersReceived) and dict(each.headers)[b":path"] == b"/duplex":
                # Responds at once, and sends back each portion when it comes.
                self.duplex.add(each.stream_id)
                self.head(each.stream_id, 200)
                continue
            if isinstance(each, DataReceived) and each.stream_id in self.duplex:
                self.http.send_data(each.stream_id, each.data, each.stream_ended)
                continue
            if isinstance(each, HeadersReceived):
                self.requests[each.stream_id] = (dict(each.headers), bytearray())
            elif isinstance(each, DataReceived):
                self.requests[each.stream_id][1].extend(each.data)
            if getattr(each, "stream_ended", False):
                self.respond(each.stream_id, *self.requests.pop(each.stream_id))
        self.transmit()

    def respond(self, stream, fields, body):
        place = urlsplit(fields[b":path"].decode())
        query = dict(parse_qsl(place.query))
        key = query.get("key", "")
        self.keys[stream] = key
        if place.path == "/abort":
            counts[key] = counts.get(key, 0) + 1
            self._quic.reset_stream(stream, ErrorCode.H3_INTERNAL_ERROR)
            return
        if place.path == "/never":
            return
        if place.path == "/vanish":
            # Without a word to the client, as a machine that has lost its power.
            self._quic.datagrams_to_send = lambda now: []
            return
        if place.path == "/leave":
            self._quic.close(error_code=ErrorCode.H3_NO_ERROR)
            return
        if place.path == "/reset":
            self.head(stream, 200)
            self.http.send_data(stream, b"abc", False)
            self._quic.reset_stream(stream, ErrorCode.H3_INTERNAL_ERROR)
            return
        if place.path == "/redirect":
            self.head(stream, int(query["status"]), [(b"location", query["to"].encode())])
            self.http.send_data(stream, b"", True)
            return
        self.head(stream, int(query.get("status", 200)), [(b"x-field", b"head")])
        if place.path == "/bytes":
            count = int(query["count"])
            for begin in range(0, max(count, 1), PORTION):
                self.http.send_data(stream, b"x" * min(PORTION, count - begin), begin + PORTION >= count)
            return
        text = {"method": fields[b":method"].decode(), "body": len(body), "connection": self.number,
                "host": fields[b":authority"].decode(), "stopped": stopped, "count": counts.get(key, 0)}
        self.http.send_data(stream, json.dumps(text).encode(), place.path != "/trailers")
        if place.path == "/trailers":
            self.http.send_headers(stream, [(b"x-checksum", b"abc"), (b"x-field", b"trailer")], True)

    def head(self, stream, status, fields=()):
        self.http.send_headers(stream, [(b":status", str(status).encode()), *fields])


class Refusing(QuicConnectionProtocol):
    def connection_made(self, transport):
        super().connection_made(transport)
        self._quic.close(error_code=2, reason_phrase="refused")


async def over_tcp(reader, writer):
    try:
        while await reader.readuntil(b"\r\n\r\n"):
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ntcp")
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main():
    fixtures = Path(sys.argv[1])
    files = (fixtures / "localhost.pem", fixtures / "localhost.key")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*files)
    quic = QuicConfiguration(alpn_protocols=H3_ALPN, is_client=False, max_datagram_frame_size=65536)
    quic.load_cert_chain(*files)
    ports, kept = [], []
    for kind in ["both", "tcp", "silent", "refusing", "udp"]:
        server = await asyncio.start_server(over_tcp, "127.0.0.1", 0, ssl=context)
        kept.append(server)
        port = server.sockets[0].getsockname()[1]
        ports.append(port)
        if kind in ("both", "udp"):
            kept.append(await serve("127.0.0.1", port, configuration=quic, create_protocol=Peer))
        if kind == "refusing":
            kept.append(await serve("127.0.0.1", port, configuration=quic, create_protocol=Refusing))
        if kind == "silent":
            silent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            silent.bind(("127.0.0.1", port))
            kept.append(silent)
        if kind == "udp":
            server.close()
    serving.listening(*ports)
    await asyncio.Future()


serving.end_with_input()
asyncio.run(main())
