"""Runs tinyproxy on a free port, with a folder for its configuration, to which the further arguments are added as lines.

    tinyproxy.py FOLDER 'BasicAuth user secret'
"""

import getpass
import os
import shutil
import socket
import subprocess
import sys

import serving


def start(port, folder):
    """Returns the process when it accepts connections, or None if another process has taken the port."""
    configuration = os.path.join(folder, "tinyproxy.conf")
    lines = [f"Port {port}", "Listen 127.0.0.1", "Timeout 60", "MaxClients 100", "LogLevel Info", *sys.argv[2:]]
    if os.getuid() == 0:
        lines.append(f"User {getpass.getuser()}")
    with open(configuration, "w") as file:
        file.write("\n".join(lines) + "\n")
    process = subprocess.Popen([tinyproxy, "-d", "-c", configuration], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in process.stdout:
        print(line, end="", file=sys.stderr)
        if "Accepting connections" in line or "Starting main loop" in line:
            return process
    process.wait()
    return None


serving.end_with_input()
tinyproxy = shutil.which("tinyproxy", path=os.environ["PATH"] + ":/usr/sbin") or serving.fail("tinyproxy is missing")
for _ in range(5):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = start(port, sys.argv[1])
    if process:
        break
else:
    serving.fail("tinyproxy does not start")
serving.listening(port)
for line in process.stdout:
    print(line, end="", file=sys.stderr, flush=True)
