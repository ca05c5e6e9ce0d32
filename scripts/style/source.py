"""What the rules see of a Swift file: its code without comments and strings, its comments, and its declarations."""

import re
from dataclasses import dataclass
from functools import cached_property

ATTRIBUTE = r"@[\w.]+(?:\((?:[^()]|\([^()]*\))*\))?"
MODIFIER = (
    r"(?:public|package|internal|private|fileprivate|open|static|final|class|mutating|nonmutating|override|required"
    r"|convenience|indirect|nonisolated|lazy|weak|unowned|prefix|postfix|infix|consuming|borrowing|dynamic|async)"
    r"(?:\(\w+\))?"
)
DECLARATION = re.compile(
    rf"^[ \t]*(?P<attributes>(?:{ATTRIBUTE}\s+)*)(?P<modifiers>(?:{MODIFIER}\s+)*)"
    r"(?P<kind>struct|class|enum|actor|protocol|extension|typealias|func|init|deinit|subscript|var|let)\b[?!]?"
    r"[ \t]*(?P<name>[\w.`]+|[^\s\w(<\"{]+)?",
    re.MULTILINE,
)
# A case of an enum in a list of cases, not the labels and types in its parentheses.
CASE_NAME = re.compile(r"(?:^|,)\s*`?(\w+)`?(?=\s*(?:[,(=]|$))")
TYPES = {"struct", "class", "enum", "actor", "protocol"}
FUNCTIONS = {"func", "init", "deinit", "subscript"}


@dataclass
class Comment:
    """One line of a comment; `text` begins with its mark."""

    line: int
    text: str
    alone: bool


@dataclass
class Declaration:
    """A declaration; `header` goes from its modifiers to its body, `body` spans its braces."""

    kind: str
    name: str
    attributes: str
    modifiers: list
    header: str
    start: int
    line: int
    last_line: int
    depth: int
    body: tuple


class Source:
    def __init__(self, path, text):
        self.path = path
        self.text = text
        # The code of a tutorial is the reader's: programs that use the library as any other module.
        folder = path.split("/")[0].replace("IntegrationTests", "Tests")
        self.area = "Tutorial" if ".docc/" in path else folder
        self.lines = text.split("\n")
        if self.lines[-1] == "":
            self.lines.pop()
        self.code, spans, literals = mask(text)
        self.code_lines = self.code.split("\n")
        # The parts of string literals between interpolations, each with the line on which it begins.
        self.literals = [(self.line_of(start), text[start:end]) for start, end in literals]
        self.comments = list(self._comments(spans))

    def line_of(self, offset):
        return self.text.count("\n", 0, offset) + 1

    def _comments(self, spans):
        for start, end in spans:
            line = self.line_of(start)
            before = self.text[self.text.rfind("\n", 0, start) + 1:start]
            for index, text in enumerate(self.text[start:end].split("\n")):
                yield Comment(line + index, text.strip(), not before.strip())

    @cached_property
    def depths(self):
        """The number of open braces at each offset; the branches of an `#if` begin alike."""
        depths, depth, branches, offset = [], 0, [], 0
        for line in self.code.split("\n"):
            directive = line.strip().split(" ")[0]
            if directive == "#if":
                branches.append(depth)
            elif directive in ("#else", "#elseif") and branches:
                depth = branches[-1]
            elif directive == "#endif" and branches:
                branches.pop()
            for character in line + "\n":
                depths.append(depth)
                depth += {"{": 1, "}": -1}.get(character, 0)
        return depths

    @cached_property
    def cases(self):
        """The names of the cases of public enums, each with its line."""
        found = []
        for each in self.declarations:
            if each.kind == "enum" and "public" in each.modifiers and each.body:
                start, end = each.body
                matches = re.finditer(r"^\s*(?:indirect\s+)?case\s+(.+)", self.code[start:end], re.MULTILINE)
                inside = [(match, start + match.start(1)) for match in matches]
                lists = [(match[1], at) for match, at in inside if self.depths[at] == each.depth + 1]
                found += [(self.line_of(at), name) for names, at in lists for name in CASE_NAME.findall(names)]
        return found

    @cached_property
    def declarations(self):
        found = []
        for match in DECLARATION.finditer(self.code):
            start = match.start("modifiers")
            opening = self._body_start(match.end(), match["kind"])
            closing = self._body_end(opening) if opening is not None else None
            end = opening if opening is not None else self._header_end(match.end())
            found.append(Declaration(
                kind=match["kind"],
                name=(match["name"] or "").strip("`"),
                attributes=self.text[match.start("attributes"):match.end("attributes")],
                modifiers=match["modifiers"].split(),
                header=self.code[start:end],
                start=start,
                line=self.line_of(start),
                last_line=self.line_of(closing if closing is not None else end),
                depth=self.depths[start],
                body=(opening, closing) if closing is not None else None,
            ))
        return found

    def _body_start(self, offset, kind):
        """Where the `{` of a declaration is, if it has one: nothing but the rest of its header may stand before it."""
        brackets = 0
        for index in range(offset, len(self.code)):
            character = self.code[index]
            if character in "([":
                brackets += 1
            elif character in ")]":
                brackets -= 1
                if brackets < 0:
                    return None
            elif brackets == 0 and character == "{":
                return index
            elif brackets == 0 and (character in "};" or (character == "=" and self._is_assignment(index))):
                return None
            elif brackets == 0 and character == "\n" and not self._goes_on(offset, index, kind):
                return None
        return None

    def _is_assignment(self, index):
        return self.code[index - 1] not in "=<>!" and self.code[index + 1:index + 2] != "="

    def _goes_on(self, offset, index, kind):
        if kind in TYPES or kind == "extension":
            return True
        before, after = self.code[offset:index].rstrip(), self.code[index:].lstrip()
        if re.search(r"(->|[,&:=]|\bwhere|\bthrows|\basync)$", before):
            return True
        return bool(re.match(r"\{|->|where\b|async\b|throws\b|rethrows\b|&|,|:", after))

    def _header_end(self, offset):
        end = self.code.find("\n", offset)
        return len(self.code) if end < 0 else end

    def _body_end(self, opening):
        for index in range(opening + 1, len(self.code)):
            if self.code[index] == "}" and self.depths[index] == self.depths[opening] + 1:
                return index
        return None


def mask(text):
    """Blanks comments and what is between quotes, all lengths and lines kept; code inside `\\(…)` stays.

    Returns that text, the spans of the comments, and the spans of the literals' parts.
    """
    out, comments, literals = list(text), [], []

    def blank(start, end):
        for index in range(start, end):
            if out[index] != "\n":
                out[index] = " "

    def scan_code(index, in_interpolation):
        parentheses = 0
        while index < len(text):
            if text.startswith("//", index):
                end = text.find("\n", index)
                end = len(text) if end < 0 else end
            elif text.startswith("/*", index):
                end = block_end(index)
            elif match := re.compile(r'(#*)("""|")').match(text, index):
                index = scan_string(index, match[1], match[2])
                continue
            else:
                if in_interpolation:
                    parentheses += {"(": 1, ")": -1}.get(text[index], 0)
                    if parentheses < 0:
                        return index
                index += 1
                continue
            comments.append((index, end))
            blank(index, end)
            index = end
        return index

    def block_end(index):
        depth = 0
        for match in re.compile(r"/\*|\*/").finditer(text, index):
            depth += 1 if match[0] == "/*" else -1
            if depth == 0:
                return match.end()
        return len(text)

    def literal(start, end):
        blank(start, end)
        literals.append((start, end))

    def scan_string(index, pounds, quotes):
        start = index = index + len(pounds) + len(quotes)
        while index < len(text):
            if text.startswith("\\" + pounds + "(", index):
                literal(start, index)
                start = index = scan_code(index + len(pounds) + 2, True)
            elif text.startswith("\\" + pounds, index):
                index += len(pounds) + 2
            elif text.startswith(quotes + pounds, index):
                literal(start, index)
                return index + len(quotes) + len(pounds)
            elif quotes == '"' and text[index] == "\n":
                break
            else:
                index += 1
        literal(start, min(index, len(text)))
        return index

    scan_code(0, False)
    return "".join(out), comments, literals
