"""Runs nginx with the ports that nginx.conf names, and prints them in the order of PORTS.

    nginx.py FOLDER FIXTURES    the folder with the files to serve, and that of the certificates
"""

import getpass
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import serving

PORTS = ["plain", "other", "tls", "mutual", "old", "expired", "wrong", "unsigned", "incomplete", "closing", "secureClosing"]

serving.end_with_input()
folder, fixtures = map(Path, sys.argv[1:])
nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin") or serving.fail("nginx is not installed")
sockets = {name: socket.create_server(("127.0.0.1", 0), backlog=511) for name in PORTS}
for each in sockets.values():
    # nginx expects that of sockets that it takes over.
    each.setblocking(False)
ports = {name: each.getsockname()[1] for name, each in sockets.items()}


def replaced(match):
    return str(ports.get(match[1]) or {"folder": folder, "fixtures": fixtures, "user": getpass.getuser()}[match[1]])


# A redirect for each status and place: /redirect/307/other leads to /echo of the other port.
template = (Path(__file__).parent / "nginx.conf").read_text()
redirects = ""
for status in (301, 302, 303, 307, 308):
    for name, port in ports.items():
        scheme, host = ("http", "127.0.0.1") if name in ("plain", "other", "closing") else ("https", "localhost")
        for method in ("echo", "sink", "set-cookie", "private", "file.bin", "files/moved", "redirect/302/plain/echo"):
            redirects += (f"location = /redirect/{status}/{name}/{method} "
                          f"{{ return {status} {scheme}://{host}:{port}/{method}; }}\n")
configuration = folder / "nginx.conf"
configuration.write_text(re.sub(r"@(\w+)@", replaced, template))
(folder / "redirects.conf").write_text(redirects)
(folder / "file.txt").write_text("hello")
(folder / "file.bin").write_bytes(b"".join(hashlib.sha256(bytes([each % 251])).digest() for each in range(1 << 16)))
(folder / "words.json").write_text(json.dumps([f"word {each}" for each in range(20_000)]))
(folder / "users").write_text("user:{PLAIN}secret\n")

# nginx takes over the sockets, as it does when it is upgraded, so that no other process can take the ports.
descriptors = [each.fileno() for each in sockets.values()]
options = {
    "args": [nginx, "-p", folder, "-c", configuration],
    "env": {**os.environ, "NGINX": "".join(f"{each};" for each in descriptors)},
    "pass_fds": descriptors,
    "stdin": subprocess.DEVNULL,
    "stdout": sys.stderr,
}
check = subprocess.run(**{**options, "args": [*options["args"], "-t", "-q"]})
if check.returncode:
    serving.fail(f"nginx refuses its configuration ({check.returncode})")
process = subprocess.Popen(**options)
serving.listening(*ports.values())
sys.exit(process.wait())
