"""A server behind a link on which packets vanish: a network namespace with nginx, and this program as the only way to it.

    link.py FOLDER    the folder for the certificates, of which root.pem is to be trusted

Prints the port, on the loopback, at which `/vanish` drops all packets of the flows that were seen so far, `/down` all
packets, and `/up` none but those of the vanished flows; the response is the server's address. Needs root, and TUN.
Nothing is left behind: namespace and devices end with the processes.
"""

import ctypes
import fcntl
import http.server
import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path

import serving

NEW_NETWORK = 0x40000000
NUMBER = os.getpid() % 250
NEAR, FAR = f"10.231.{NUMBER}.1", f"10.231.{NUMBER}.2"

folder = Path(sys.argv[1])


def run(*command):
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)


def device(name, own, peer):
    """A network device whose packets are read from, and written to, a descriptor."""
    tun = os.open("/dev/net/tun", os.O_RDWR)
    # TUNSETIFF with IFF_TUN and IFF_NO_PI.
    fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH22x", name.encode(), 0x1001))
    run("ip", "address", "add", own, "peer", peer, "dev", name)
    run("ip", "link", "set", name, "up")
    return tun


def make_certificates():
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
        "-subj", "/CN=The link of the tests", "-addext", f"subjectAltName=IP:{FAR}",
        "-keyout", folder / "link.key", "-out", folder / "root.pem")


def serve():
    nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin") or serving.fail("nginx is not installed")
    (folder / "link.conf").write_text(f"""
        daemon off; pid {folder}/link.pid; error_log stderr warn; user root;
        events {{ worker_connections 1024; }}
        http {{
            access_log off; default_type text/plain;
            client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
            uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
            ssl_certificate {folder}/root.pem; ssl_certificate_key {folder}/link.key;
            server {{ listen {FAR}:443 ssl http2; listen {FAR}:8443 ssl; location / {{ return 200 1; }} }}
        }}""")
    return subprocess.Popen([nginx, "-p", folder, "-c", folder / "link.conf"], stdin=subprocess.DEVNULL,
                            stdout=sys.stderr)


def far_side(channel):
    """Runs the server in a namespace of its own, and passes the descriptor of its device on."""
    if ctypes.CDLL(None, use_errno=True).unshare(NEW_NETWORK) != 0:
        serving.fail("this process may not make a network namespace")
    tun = device("far", FAR, NEAR)
    process = serve()
    socket.send_fds(channel, [b"x"], [tun])
    process.wait()
    os._exit(1)


def flow(packet):
    """The two ends of a TCP connection."""
    if packet[0] >> 4 != 4 or packet[9] != 6:
        return None
    ports = 4 * (packet[0] & 15)
    return frozenset([packet[12:16] + packet[ports:ports + 2], packet[16:20] + packet[ports + 2:ports + 4]])


class Link:
    def __init__(self, ends):
        self.ends = ends
        self.seen, self.vanished, self.is_down = set(), set(), False

    def carry(self):
        while True:
            for end in select.select(self.ends, [], [])[0]:
                packet = os.read(end, 65536)
                key = flow(packet)
                if key is None or self.is_down or key in self.vanished:
                    continue
                self.seen.add(key)
                os.write(self.ends[1 - self.ends.index(end)], packet)


serving.end_with_input()
make_certificates()
near, far = socket.socketpair()
if os.fork() == 0:
    far_side(far)
_, descriptors, _, _ = socket.recv_fds(near, 1, 1)
if not descriptors:
    serving.fail("the other side of the link did not start")
link = Link([device(f"near{NUMBER}", NEAR, FAR), descriptors[0]])


class Control(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/vanish":
            link.vanished |= link.seen
        link.is_down = self.path == "/down"
        self.send_response(200)
        self.end_headers()
        self.wfile.write(FAR.encode())

    def log_message(self, *_):
        pass


control = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Control)
threading.Thread(target=control.serve_forever, daemon=True).start()
serving.listening(control.server_port)
link.carry()
