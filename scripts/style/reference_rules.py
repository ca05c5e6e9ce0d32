"""Which names a text must spell right: tests that a page names, and types that the documentation lists."""

import re

from style.findings import Finding
from style.source import TYPES

SUITE = re.compile(r"`(?P<suite>[A-Z]\w*Tests)(?:\.(?P<test>\w+))?`")
LISTED = re.compile(r"`([A-Za-z][\w/]*)`")
MODULE = re.compile(r"Sources/(\w+)/")


def check(sources, texts):
    """Looks at all Swift files together, and at the texts as pairs of path and content."""
    yield from tests(sources, texts)
    yield from topics(sources, texts)


def tests(sources, texts):
    suites = declared_suites(source for source in sources if source.area == "Tests")
    # A page may also name a target.
    suites.update({source.path.split("/")[1]: set() for source in sources if source.area == "Tests"})
    for path, text in texts:
        for number, line in enumerate(text.split("\n"), 1):
            for match in SUITE.finditer(line):
                suite, test = match["suite"], match["test"]
                if suite not in suites or test and test not in suites[suite]:
                    yield Finding(path, number, "test-name", f"there is no test {match[0]}")


def declared_suites(sources):
    """The functions of each suite, by its name."""
    suites = {}
    for source in sources:
        holders = [each for each in source.declarations if each.kind in TYPES | {"extension"} and each.body]
        for holder in (each for each in holders if each.name.endswith("Tests")):
            start, end = holder.body
            functions = suites.setdefault(holder.name, set())
            functions |= {each.name for each in source.declarations if each.kind == "func" and start < each.start < end}
    return suites


def topics(sources, texts):
    """Every public type at file scope is named by a page of its module's documentation, which orders it in a topic."""
    listed = {}
    for path, text in texts:
        match = MODULE.match(path)
        if match and ".docc/" in path:
            names = {name.split("/")[-1] for name in LISTED.findall(text.partition("\n## Topics")[2])}
            listed.setdefault(match[1], set()).update(names)
    for source in sources:
        match = MODULE.match(source.path)
        for each in source.declarations if match and match[1] in listed else []:
            is_type = each.depth == 0 and each.kind in TYPES | {"typealias"} and "public" in each.modifiers
            if is_type and each.name not in listed[match[1]]:
                message = f"'{each.name}' is in no topic of {match[1]}.docc"
                yield Finding(source.path, each.line, "topic", message)
