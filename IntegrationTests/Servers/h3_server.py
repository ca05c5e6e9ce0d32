"""HTTP/3 with aioquic, and HTTP/1.1 over TLS beside it, at many ports, for clients that try the one before the other.

    h3_server.py FIXTURES    the folder with the certificates

The ports: both, HTTP/1.1 alone, HTTP/1.1 beside a socket that reads no datagram, HTTP/1.1 beside a server that refuses
each QUIC connection, HTTP/3 alone; and HTTP/3 alone whose server asks for a client's certificate, has expired, has the
name of another host, drops a connection that is idle for 4 s; and two paths to the fifth port: one takes 50,000 bytes
a second from the client, and one loses each fifth datagram. A response of HTTP/1.1 is the text `tcp`.
"""

import asyncio
import json
import pathlib
import ssl
import sys
from urllib.parse import parse_qsl, urlsplit

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3.connection import H3_ALPN, ErrorCode, FrameType, H3Connection, encode_frame
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
        self.keys, self.duplex, self.left = {}, set(), set()

    def quic_event_received(self, event):
        global connections
        if isinstance(event, ProtocolNegotiated):
            connections += 1
            self.http, self.number = H3Connection(self._quic), connections
        if isinstance(event, (StopSendingReceived, StreamReset)) and event.stream_id in self.keys:
            self.left.add(event.stream_id)
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
            # As a machine that has lost its power, after it has acknowledged the request.
            asyncio.get_running_loop().call_later(0.1, self.vanish)
            return
        if place.path == "/leave":
            self._quic.close(error_code=ErrorCode.H3_NO_ERROR)
            return
        if place.path == "/reset":
            self.head(stream, 200)
            self.http.send_data(stream, b"abc", False)
            asyncio.get_running_loop().call_later(0.2, self.reset, stream, ErrorCode.H3_INTERNAL_ERROR)
            return
        if place.path == "/script":
            return self.follow(stream, json.loads(query["steps"]))
        if place.path == "/redirect":
            self.head(stream, int(query["status"]), [(b"location", query["to"].encode())])
            self.http.send_data(stream, b"", True)
            return
        self.head(stream, int(query.get("status", 200)), [(b"x-field", b"head")])
        if place.path == "/bytes":
            asyncio.ensure_future(self.send_bytes(stream, int(query["count"])))
            return
        text = {"method": fields[b":method"].decode(), "body": len(body), "connection": self.number,
                "host": fields[b":authority"].decode(), "stopped": stopped, "count": counts.get(key, 0),
                "client": self.client()}
        self.http.send_data(stream, json.dumps(text).encode(), place.path != "/trailers")
        if place.path == "/trailers":
            self.http.send_headers(stream, [(b"x-checksum", b"abc"), (b"x-field", b"trailer")], True)

    def head(self, stream, status, fields=()):
        self.http.send_headers(stream, [(b":status", str(status).encode()), *fields])

    async def send_bytes(self, stream, count):
        """Lets other requests go on in between."""
        for begin in range(0, max(count, 1), PORTION):
            if stream in self.left:
                return
            self.http.send_data(stream, b"x" * min(PORTION, count - begin), begin + PORTION >= count)
            self.transmit()
            await asyncio.sleep(0)

    def follow(self, stream, steps):
        """Sends frames as a test describes them, also those that no server may send."""
        for kind, value in steps:
            if kind == "fields":
                fields = [(name.encode(), text.encode()) for name, text in value]
                frame = encode_frame(FrameType.HEADERS, self.http._encode_headers(stream, fields))
            elif kind == "kilobytes":
                fields = [(f"x-{number}".encode(), b"a" * 1000) for number in range(value)]
                frame = encode_frame(FrameType.HEADERS, self.http._encode_headers(stream, fields))
            elif kind == "data":
                frame = encode_frame(FrameType.DATA, value.encode())
            elif kind == "bytes":
                frame = bytes.fromhex(value)
            elif kind == "end":
                frame = b""
            else:
                # After what was sent; QUIC would drop it together with the stream, or the connection.
                end = self.reset if kind == "reset" else self.end
                asyncio.get_running_loop().call_later(0.2, end, stream, value)
                continue
            self._quic.send_stream_data(stream, frame, kind == "end")

    def vanish(self):
        self._quic.datagrams_to_send = lambda now: []

    def reset(self, stream, code):
        self._quic.reset_stream(stream, code)
        self.transmit()

    def end(self, _, code):
        self._quic.close(error_code=code)
        self.transmit()

    def client(self):
        certificate = self._quic.tls._peer_certificate
        return certificate.subject.rfc4514_string() if certificate else ""


class Asking(Peer):
    """Asks for a certificate, which aioquic makes possible for its own tests, and verifies none."""

    def datagram_received(self, data, address):
        if not hasattr(self._quic, "tls"):
            begin = self._quic._initialize

            def initialize(number):
                begin(number)
                self._quic.tls._request_client_certificate = True

            self._quic._initialize = initialize
        super().datagram_received(data, address)


class Path(asyncio.DatagramProtocol):
    """A path between a client and a server, which is slow, or loses each fifth datagram; one more for each client."""

    def __init__(self, server, rate=None, loses=False):
        self.server, self.rate, self.loses = server, rate, loses
        self.back, self.free, self.count = {}, 0, 0

    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, client):
        asyncio.ensure_future(self.forward(data, client))

    async def forward(self, data, client):
        loop = asyncio.get_running_loop()
        if client not in self.back:
            made = loop.create_future()
            self.back[client] = made
            transport, _ = await loop.create_datagram_endpoint(
                lambda: Way(self, client), remote_addr=("127.0.0.1", self.server))
            made.set_result(transport)
        server = await asyncio.shield(self.back[client])
        if self.drops():
            return
        now = loop.time()
        self.free = max(self.free, now) + (len(data) / self.rate if self.rate else 0)
        # A router has room for half a second.
        if self.free - now < 0.5:
            loop.call_at(self.free, server.sendto, data)

    def drops(self):
        self.count += 1
        return self.loses and self.count % 5 == 0


class Way(asyncio.DatagramProtocol):
    def __init__(self, path, client):
        self.path, self.client = path, client

    def datagram_received(self, data, _):
        if not self.path.drops():
            self.path.transport.sendto(data, self.client)


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


def identity(fixtures, name):
    return fixtures / f"{name}.pem", fixtures / f"{name}.key"


def quic(fixtures, name, idle):
    configuration = QuicConfiguration(alpn_protocols=H3_ALPN, is_client=False, max_datagram_frame_size=65536,
                                      idle_timeout=idle)
    configuration.load_cert_chain(*identity(fixtures, name))
    return configuration


async def main():
    fixtures = pathlib.Path(sys.argv[1])
    loop = asyncio.get_running_loop()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*identity(fixtures, "localhost"))
    # For each port the certificate, the protocol over QUIC and its time for idle connections, and whether there is
    # HTTP/1.1 too.
    kinds = [("localhost", Peer, 60, True), ("localhost", None, 60, True),
             ("localhost", asyncio.DatagramProtocol, 60, True), ("localhost", Refusing, 60, True),
             ("localhost", Peer, 60, False), ("localhost", Asking, 60, False), ("expired", Peer, 60, False),
             ("wrong-host", Peer, 60, False), ("localhost", Peer, 4, False)]
    ports, kept = [], []
    for name, protocol, idle, has_tcp in kinds:
        server = await asyncio.start_server(over_tcp, "127.0.0.1", 0, ssl=context)
        ports.append(server.sockets[0].getsockname()[1])
        at = ("127.0.0.1", ports[-1])
        if protocol is asyncio.DatagramProtocol:
            kept.append(await loop.create_datagram_endpoint(protocol, local_addr=at))
        elif protocol:
            kept.append(await serve(*at, configuration=quic(fixtures, name, idle), create_protocol=protocol))
        if has_tcp:
            kept.append(server)
        else:
            server.close()
    for path in [Path(ports[4], rate=50_000), Path(ports[4], loses=True)]:
        transport, _ = await loop.create_datagram_endpoint(lambda: path, local_addr=("127.0.0.1", 0))
        kept.append(transport)
        ports.append(transport.get_extra_info("sockname")[1])
    serving.listening(*ports)
    await asyncio.Future()


serving.end_with_input()
asyncio.run(main())
