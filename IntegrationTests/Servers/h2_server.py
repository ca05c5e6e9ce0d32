"""HTTP/2 with the package h2: trailers, interim responses, refused streams and GOAWAY frames, as a test asks for them.

    h2_server.py FIXTURES    the folder with the certificates
"""

import asyncio
import json
import ssl
import sys
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import h2.config
import h2.connection
import h2.events
import h2.settings
from h2.errors import ErrorCodes
from hyperframe.frame import GoAwayFrame

import serving

# The requests of each key, as they were read from the connections.
seen = {}
# The streams of each key that wait, each with its connection and its record; a client may have several connections.
held = {}
connections = 0


class Peer(asyncio.Protocol):
    def connection_made(self, transport):
        global connections
        connections += 1
        self.number = connections
        self.transport = transport
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.h2.local_settings[h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS] = 1000
        self.h2.initiate_connection()
        self.requests, self.duplex, self.is_leaving = {}, set(), False
        self.flush()

    def flush(self):
        self.transport.write(self.h2.data_to_send())

    def data_received(self, data):
        try:
            for event in self.h2.receive_data(data):
                self.handle(event)
        except h2.exceptions.ProtocolError as error:
            print("protocol error:", error, file=sys.stderr)
        self.flush()

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            fields = dict(event.headers)
            if fields[":path"] == "/duplex":
                # Responds at once, and sends back each portion when it comes.
                self.h2.send_headers(event.stream_id, [(":status", "200")])
                self.duplex.add(event.stream_id)
            else:
                self.requests[event.stream_id] = (fields, bytearray())
        elif isinstance(event, h2.events.DataReceived):
            if event.stream_id in self.duplex:
                self.h2.send_data(event.stream_id, event.data)
            elif event.stream_id in self.requests:
                self.requests[event.stream_id][1].extend(event.data)
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded) and event.stream_id in self.duplex:
            self.h2.end_stream(event.stream_id)
        elif isinstance(event, h2.events.StreamEnded) and event.stream_id in self.requests:
            self.respond(event.stream_id, *self.requests.pop(event.stream_id))

    def respond(self, stream, fields, body):
        place = urlsplit(fields[":path"])
        query = dict(parse_qsl(place.query))
        key = query.get("key", "")
        if place.path == "/seen":
            return self.send(stream, json.dumps(seen.get(key, [])))
        known = seen.setdefault(key, [])
        record = {"method": fields[":method"], "id": query.get("id", ""), "body": body.decode("latin-1"),
                  "connection": self.number, "isProcessed": False}
        known.append(record)
        if self.is_leaving:
            return None
        if place.path == "/refuse" and len(known) <= int(query["times"]):
            return self.h2.reset_stream(stream, ErrorCodes.REFUSED_STREAM)
        if place.path == "/reset" and len(known) <= int(query["times"]):
            record["isProcessed"] = True
            return self.h2.reset_stream(stream, ErrorCodes.INTERNAL_ERROR)
        if place.path == "/leave" and not any(each["isProcessed"] for each in known):
            waiting = held.setdefault(key, [])
            waiting.append((self, stream, record))
            if len(waiting) == int(query["count"]):
                kept = waiting[:int(query["kept"])]
                for peer in {peer for peer, _, _ in waiting}:
                    peer.leave([each[1:] for each in kept if each[0] is peer], ErrorCodes(int(query.get("code", 0))))
            return None
        record["isProcessed"] = True
        if place.path == "/hints":
            self.h2.send_headers(stream, [(":status", "103"), ("link", "</a.css>; rel=preload")])
        self.send(stream, body.decode("latin-1") or place.path, place.path == "/trailers")

    def leave(self, processed, code):
        """Responds to the first streams, and says that the later ones were not processed (RFC 9113 §6.8)."""
        last = processed[-1][0] if processed else 0
        self.flush()
        self.transport.write(GoAwayFrame(last_stream_id=last, error_code=code).serialize())
        self.is_leaving = True
        for stream, record in processed:
            record["isProcessed"] = True
            self.send(stream, "processed")
        self.flush()
        self.transport.close()

    def send(self, stream, text, has_trailers=False):
        self.h2.send_headers(stream, [(":status", "200"), ("content-type", "text/plain"), ("x-kind", "field")])
        self.h2.send_data(stream, text.encode("latin-1"), end_stream=not has_trailers)
        if has_trailers:
            self.h2.send_headers(stream, [("x-checksum", "abc"), ("x-kind", "trailer")], end_stream=True)


async def main():
    fixtures = Path(sys.argv[1])
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(fixtures / "localhost.pem", fixtures / "localhost.key")
    context.set_alpn_protocols(["h2"])
    server = await asyncio.get_running_loop().create_server(Peer, "127.0.0.1", 0, ssl=context)
    serving.listening(server.sockets[0].getsockname()[1])
    await server.serve_forever()


serving.end_with_input()
asyncio.run(main())
