"""Which folder may use which: a folder uses the folders that stand before it in the list, and none behind it."""

import re

from style.findings import Finding
from style.source import TYPES

# The lowest first. A folder inside of a listed one that is not listed itself belongs to it.
LAYERS = {
    "NetworkUtilities": [
        "Descriptions", "Concurrency", "ASCII", "Escaping", "Dates", "HTTP", "Headers", "Forms", "Query", "Paths",
        "Bodies", "Multipart", "Builder",
    ],
    "NetworkClient": [
        "Transport/Concurrency", "Transport/Credentials", "Transport", "Transports/Curl", "Transports/URLSession",
        "Text", "Cookies", "Cache", "Core/Decoding", "Core", "Transports", "Interceptors", "Features/Routes",
        "Features/GraphQL", "Features/Callbacks", "Features/Events", "Features/WebSocket",
        "Features/Pages",
    ],
}
# The modules in C, and the only folders that may import each: `Transport` for the content codings.
C_MODULES = {"CCurl": ("Transports/Curl", "Transport")}
IMPORT = re.compile(r"^\s*(?:@\w+ )?(?:\w+ )?import (\w+)", re.MULTILINE)
# These two know nothing of each other, whatever their order.
APART = ("Core", "Transports")
WORD = re.compile(r"\b[A-Z]\w+\b")
MEMBER = re.compile(r"\b([A-Z]\w+)\.([A-Z]\w+)\b")
LAYER_KINDS = TYPES | {"typealias"}


def check(sources):
    """Looks at all Swift files of `Sources` together."""
    for module, layers in LAYERS.items():
        rooms = [(room(source.path, module, layers), source) for source in sources if in_module(source, module)]
        for folder, source in rooms:
            if folder is None and not source.path.endswith("/Exports.swift"):
                message = f"this folder has no place in the layers of {module} (scripts/style/layer_rules.py)"
                yield Finding(source.path, 1, "layer", message)
            for match in IMPORT.finditer(source.code):
                homes = C_MODULES.get(match[1], (folder,))
                if folder not in homes:
                    message = f"{folder} may not import {match[1]}: {' and '.join(homes)} may (scripts/style/layer_rules.py)"
                    yield Finding(source.path, source.line_of(match.start(1)), "layer", message)
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
        for name in declared(source, module):
            owners.setdefault(name, set()).add(folder)
    # `Module.X` may be another name of a type `X` outside of the namespace, and stands where that type does then.
    for name in list(owners):
        owners[name] = owners.get(name.removeprefix(f"{module}."), owners[name])
    for folder, source in rooms:
        for name, start in used(source, module):
            homes = owners.get(name, set())
            for owner in homes if folder not in homes else ():
                are_apart = {owner.split("/")[0], folder.split("/")[0]} == set(APART) and folder != "Transports"
                if are_apart or layers.index(owner) > layers.index(folder):
                    reason = "is kept apart" if are_apart else "stands above"
                    message = f"'{name}' {reason}: {folder} may not use {owner} (scripts/style/layer_rules.py)"
                    yield Finding(source.path, source.line_of(start), "layer", message)


def declared(source, module):
    """The types that a file declares for others; `Module.X` for a type inside of the one named like the module.

    That name is a namespace: every folder may extend it, and a type in it belongs to the folder of its file.
    """
    spaces = namespaces(source, module)
    for each in source.declarations:
        if each.kind not in LAYER_KINDS or {"private", "fileprivate"} & set(each.modifiers):
            continue
        if each.depth == 0 and each.name != module:
            yield each.name
        elif each.depth == 1 and inside(each.start, spaces):
            yield f"{module}.{each.name}"


def used(source, module):
    """The names of types in a file, each with its place."""
    nested = {each.name for each in source.declarations if each.depth > 0 and each.kind in LAYER_KINDS}
    spaces = namespaces(source, module)
    for match in WORD.finditer(source.code):
        name, start = match[0], match.start()
        # A nested type of the same name, as in `Other.Name`, is not the one that is meant.
        if name in nested or source.code[:start].endswith("."):
            continue
        yield name, start
        if inside(start, spaces):
            yield f"{module}.{name}", start
    for match in MEMBER.finditer(source.code):
        if match[1] == module and not source.code[:match.start()].endswith("."):
            yield match[0], match.start()


def namespaces(source, module):
    """The bodies of the type named like the module, and of its extensions."""
    return [each.body for each in source.declarations if each.name == module and each.body]


def inside(start, bodies):
    return any(first < start < last for first, last in bodies)
