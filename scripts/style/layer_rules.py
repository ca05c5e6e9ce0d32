"""Which folder may use which: a folder uses the folders that stand before it in the list, and none behind it."""

import re

from style.findings import Finding
from style.source import TYPES

# In the order of DESIGN.md. A folder inside of a listed one that is not listed itself belongs to it.
LAYERS = {
    "NetworkUtilities": [
        "Concurrency", "ASCII", "Escaping", "Dates", "HTTP", "Headers", "Forms", "Query", "Paths", "Bodies",
        "Multipart", "Builder",
    ],
    "NetworkClient": [
        "Concurrency", "Credentials", "Decoding", "Transport", "Transport/Curl", "Transport/URLSession", "Cookies",
        "Redirects", "Sharing", "Logging", "Chain", "Interceptors", "Transfers", "Endpoints", "Events", "Client",
    ],
}
WORD = re.compile(r"\b[A-Z]\w+\b")
LAYER_KINDS = TYPES | {"typealias"}


def check(sources):
    """Looks at all Swift files of `Sources` together."""
    for module, layers in LAYERS.items():
        rooms = [(room(source.path, module, layers), source) for source in sources if in_module(source, module)]
        for folder, source in rooms:
            if folder is None:
                message = f"this folder has no place in the layers of {module} (scripts/style/layer_rules.py)"
                yield Finding(source.path, 1, "layer", message)
        yield from arrows([(folder, source) for folder, source in rooms if folder], module, layers)


def in_module(source, module):
    return source.area == "Sources" and source.path.startswith(f"Sources/{module}/")


def room(path, module, layers):
    """The longest listed folder that the file lies in; nil for none."""
    folder = "/".join(path.split("/")[2:-1])
    while folder and folder not in layers:
        folder = folder.rpartition("/")[0]
    return folder or None


def arrows(rooms, module, layers):
    owners = {}
    for folder, source in rooms:
        for each in source.declarations:
            is_private = {"private", "fileprivate"} & set(each.modifiers)
            # The module's own name is a namespace: every folder may extend it.
            if each.depth == 0 and each.kind in LAYER_KINDS and each.name != module and not is_private:
                owners.setdefault(each.name, set()).add(folder)
    for folder, source in rooms:
        private = {each.name for each in source.declarations if each.depth > 0 and each.kind in LAYER_KINDS}
        for match in WORD.finditer(source.code):
            name = match[0]
            homes = owners.get(name, set())
            # A nested type of the same name, as in `Other.Name`, is not the one that is meant.
            if folder in homes or name in private or source.code[:match.start()].endswith("."):
                continue
            for owner in homes:
                if layers.index(owner) > layers.index(folder):
                    message = f"'{name}' stands above: {folder} may not use {owner} (scripts/style/layer_rules.py)"
                    yield Finding(source.path, source.line_of(match.start()), "layer", message)
