"""Rules that look at declarations, and at where files lie."""

import re

from style.findings import Finding, finding
from style.source import FUNCTIONS, TYPES

MAX_FUNCTION_LINES = 40
MAX_TYPE_COMMENT = 25
MAX_MEMBER_COMMENT = 12
KINDS_NOT_FEATURES = {"Extensions", "Models", "Protocols", "Helpers", "Utilities"}
EMPTY_WORDS = re.compile(r"(?:Manager|Helper|Helpers|Util|Utils|Utility|Utilities)$")


def check(source):
    yield from names(source)
    yield from functions(source)
    yield from traps(source)
    yield from signatures(source)
    yield from comment_lengths(source)


def names(source):
    top = [each for each in source.declarations if each.depth == 0]
    types = [each for each in top if each.kind in TYPES and not {"private", "fileprivate"} & set(each.modifiers)]
    for each in (each for each in source.declarations if each.kind in TYPES):
        if EMPTY_WORDS.search(each.name):
            yield finding(source, each.line, "name", f"'{each.name}' says nothing: name what it does")
    stem = source.path.split("/")[-1].removesuffix(".swift")
    allowed = file_names(source, top, types)
    fits = any(name in (stem, stem.replace("+", "")) or stem.startswith(name + "+") for name in allowed)
    # A tutorial shows several versions of one file.
    if allowed and stem != "main" and source.area != "Tutorial" and not fits:
        line = (types or top)[0].line
        yield finding(source, line, "file-name", f"the file is not named after {' or '.join(sorted(allowed))}")


def file_names(source, top, types):
    """What the part of a file's name before the `+` may be; empty if anything will do."""
    if types:
        return {types[0].name}
    extensions = [each for each in top if each.kind == "extension"]
    if extensions:
        headers = " ".join(each.header for each in extensions)
        nested = {each.name for each in source.declarations if each.depth == 1 and each.kind in TYPES}
        return set(re.findall(r"\w+", headers)) - {"extension", "where"} | nested
    return {each.name for each in top if each.kind == "typealias"}


def functions(source):
    for each in source.declarations:
        lines = each.last_line - each.line + 1
        if each.kind in FUNCTIONS and each.body and lines > MAX_FUNCTION_LINES:
            message = f"'{each.name or each.kind}' has {lines} lines, at most {MAX_FUNCTION_LINES}"
            yield finding(source, each.line, "function-length", message)


def traps(source):
    if source.area != "Sources":
        return
    for match in re.finditer(r"\bfatalError\b", source.code):
        around = [each for each in source.declarations if each.body and each.body[0] < match.start() < each.body[1]]
        members = [each for each in around if each.kind in FUNCTIONS | {"var"}]
        holders = members[-1:] + [each for each in around if members and each.kind == "extension"]
        if not any(re.search(r"@available\([^\"]*\bunavailable\b", each.attributes) for each in holders):
            message = "fatalError is only for the bodies of unavailable members"
            yield finding(source, source.line_of(match.start()), "trap", message)


def signatures(source):
    if source.area != "Sources":
        return
    for each in source.declarations:
        if "public" not in each.modifiers or each.kind in TYPES | {"extension"}:
            continue
        if re.search(r"\bAny\b", each.header):
            yield finding(source, each.line, "public-any", "no Any in a public signature")
        if returns_tuple(each):
            yield finding(source, each.line, "public-tuple", "no tuple in a public signature: make it a type")


def returns_tuple(declaration):
    if declaration.kind == "typealias":
        result = declaration.header.partition("=")[2]
    elif declaration.kind in ("var", "let"):
        result = declaration.header.partition(":")[2].partition("=")[0]
    else:
        result = declaration.header.rpartition("->")[2] if "->" in declaration.header else ""
    result = result.strip()
    depth = 0
    for index, character in enumerate(result if result.startswith("(") else ""):
        depth += {"(": 1, "[": 1, "<": 1, ")": -1, "]": -1}.get(character, 0)
        if character == ">" and result[index - 1] != "-":
            depth -= 1
        if depth == 1 and character == ",":
            rest = result[index:]
            return not re.search(r"\)\s*(?:async\b|throws\b|->)", rest)
        if depth == 0:
            return False
    return False


def comment_lengths(source):
    if source.area != "Sources":
        return
    documented = {comment.line for comment in source.comments if comment.text.startswith("///")}
    for each in source.declarations:
        line = each.line - each.attributes.count("\n") - 1
        end = line
        while line in documented:
            line -= 1
        limit = MAX_TYPE_COMMENT if each.kind in TYPES else MAX_MEMBER_COMMENT
        if end - line > limit:
            message = f"{end - line} lines of comment, at most {limit}: move the rest to an article"
            yield finding(source, line + 1, "comment-length", message, is_warning=True)


def tree(paths):
    """Looks at the paths of all files."""
    for path in sorted(paths):
        folders = path.split("/")[:-1]
        for folder in KINDS_NOT_FEATURES.intersection(folders[1:] if folders[:1] == ["Sources"] else []):
            yield Finding(path, 1, "folder", f"a folder is a feature; '{folder}' is a kind")
        match = re.fullmatch(r"Tests/(\w+)Tests/(.+)Tests\.swift", path)
        source = f"Sources/{match[1]}/{match[2]}.swift" if match else None
        tested = any(other.startswith(f"Sources/{match[1]}/") for other in paths) if match else False
        # What every transport must do mirrors none of them.
        if tested and source not in paths and "Compliance" not in folders:
            yield Finding(path, 1, "mirror", f"there is no {source} that this would test", is_warning=True)
