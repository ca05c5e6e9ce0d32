"""What all servers have in common: they print `listening PORT`, and end with their standard input."""

import os
import signal
import sys
import threading


def end_with_input():
    """Ends this process and its children as soon as the other end of the standard input is closed."""
    os.setpgid(0, 0)

    def wait():
        while os.read(0, 4096):
            pass
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=wait, daemon=True).start()


def listening(*ports):
    print("listening", *ports, flush=True)


def fail(text):
    """Ends the process with a text for the log of the test."""
    sys.exit(text)
