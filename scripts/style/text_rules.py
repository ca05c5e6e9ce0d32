"""Rules that look at lines: of the code, of the comments, or of the whole file."""

import re

from style.findings import finding
from style.source import FUNCTIONS

MAX_COLUMNS = 120
# The width of code in the rendered documentation.
MAX_SNIPPET_COLUMNS = 84
MAX_LINES = 400
LINES_WITHOUT_REASON = 300
LINES_FOR_MARKS = 150

# Rule, where it holds (None: everywhere), what may not be in the code, and what to say about it.
FORBIDDEN = [
    ("force", None, r"\btry!", "try! traps; handle the error"),
    ("force", None, r"\bas!", "as! traps; use as?"),
    ("unsafe-isolation", None, r"\bnonisolated\(unsafe\)", "nonisolated(unsafe) is not used"),
    ("unsafe-isolation", None, r"@preconcurrency\b", "@preconcurrency is not used"),
    ("unchecked-sendable", None, r"@unchecked\s+Sendable\b", "only the lock type is @unchecked Sendable"),
    ("access", None, r"\bpublic\s+extension\b", "public stands on members, not on extensions"),
    ("access", None, r"\bopen\s+(?:(?:final|override|static|class)\s+)*(?:class|func|var|subscript)\b",
     "nothing is open"),
    ("access", None, r"@_spi\b", "@_spi is not used"),
    ("inlinable", None, r"@(?:inlinable|usableFromInline|inline\(__always\)|_transparent)",
     "inlining across modules needs a benchmark that shows why"),
    ("trap", "Sources", r"\b(?:preconditionFailure|precondition|assertionFailure|assert)\(",
     "no trap that data can reach: make it an error or a type"),
    ("sleep", "Sources", r"\bThread\.sleep\b|(?<!func )(?<![.\w])(?:u|nano)?sleep\(",
     "time comes from the injected TimeSource"),
    ("sleep", "Tests", r"\bThread\.sleep\b|\bTask\.sleep\b|(?<!func )(?<![.\w])(?:u|nano)?sleep\(",
     "tests don't sleep: use a gate or the test clock"),
    ("tests", "Tests", r"\bimport\s+XCTest\b", "tests are written with Swift Testing"),
    ("tests", "Tests", r"@Test\b.*\bfunc\s+test[A-Z_]", "the name of a test is a sentence without 'test'"),
]

ALLOWED_IMPORTS = {
    "Foundation", "FoundationNetworking", "NetworkUtilities", "Dispatch", "Glibc", "Darwin", "Musl", "Android", "CCurl",
    "CStack", "JSONDecoding", "Compression",
    "Combine", "os", "OSLog", "UniformTypeIdentifiers", "CryptoKit", "Security",
}
IMPORT = re.compile(
    r"^\s*(?:@\w+\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)"
)

# API that is newer than iOS 15 and macOS 12.
TOO_NEW = [
    r"\bDuration\b", r"\b(?:any|some)\s+Clock\b", r"[:<&]\s*Clock\b", r"\bContinuousClock\b", r"\bSuspendingClock\b",
    r"\bMutex\b", r"\bAtomic\s*<", r"\bOSAllocatedUnfairLock\b", r"\bRegex\b", r"\bURL\(filePath:",
    r"\.(?:path|host|query|fragment|user|password)\((?:percentEncoded:[^)]*)?\)",
    r"\.append(?:ing)?\(\s*(?:path|component|components|queryItems):", r"\bencodingInvalidCharacters:",
    r"\bTask\.sleep\(\s*(?:for|until):", r"\bTask\.immediate\b", r"\bany\s+[\w.]+\s*<", r"\bfirstRange\(of:",
    r"\bwith(?:Throwing)?DiscardingTaskGroup\b",
    # They need a library that the app has to bring along before macOS 26; `RawSpan` is compiled into its users.
    r"\b(?:Mutable(?:Raw)?|Output(?:Raw)?|UTF8)Span\b|(?<!\w)Span\s*<|\bInlineArray\b",
]
TOO_NEW = re.compile("|".join(TOO_NEW))
NOT_APPLE = re.compile(r"\bos\(Linux\)|\bcanImport\((?:FoundationNetworking|Glibc|Musl|Android)\)")
APPLE = re.compile(r"\bcanImport\((?:Darwin|os|OSLog|Combine)\)|\bos\((?:macOS|iOS)\)")
AVAILABILITY = re.compile(r"#(?:un)?available\(|@available\(\s*(?:iOS|macOS|tvOS|watchOS|visionOS)\b")

TASK = re.compile(
    r"(?<!-> )(?<!: )\bTask(?:\s*<[^{]*>)?\s*(?:\([^{}]*\))?\s*\{|\bTask\.(?:detached|immediate|init)\b"
    r"|\bTask\(operation:"
)
# The house's words: what may not be in a comment or in prose, and what to write instead.
WORDS = [
    (r"answer(?:s|ed|ing)?", "response, respond"),
    (r"what comes back", "response"),
    (r"way of (?:a|the) call|takes the same way", "path, steps"),
    (r"go(?:es)? before", "takes precedence over"),
    (r"under way|meanwhile", "in flight, while …"),
    (r"dear(?:er|est)?", "expensive"),
    (r"of (?:a |the )?(?:user's|users'|user|one's|your) own", "custom, caller-provided, separate"),
    (r"(?:that|which|it) (?:is|are) none", "is missing, isn't a valid …"),
    (r"(?:is|are|be) no (?:token|number|length|form|URL|date|name)", "isn't a valid …"),
    (r"as ever", "as usual"),
    (r"out of order", "in the wrong order"),
    (r"whoever|(?-i:[Nn]obody)", "the noun"),
    (r"catalogues?", "documentation"),
]
WORDS = [(re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), instead) for pattern, instead in WORDS]
EMOJI = re.compile("[\u2600-\u27bf\u2b50\u2b55\ufe0f\U0001f000-\U0001faff]")
LEFTOVER = re.compile(
    r"^(?:(?:let|var)\s+\w+\s*(?::\s*[\w.<>\[\]]+\s*)?=\s*\S"
    r"|(?:(?:public|private|package|internal|static|final|override|mutating)\s+)*"
    r"(?:func|struct|class|enum|actor|protocol|extension|init)\b[^.]*\{$"
    r"|(?:if|guard|for|while|switch|do|else|defer)\b.*\{$"
    r"|import\s+\w+$|return\s+[\w.]+\(.*\)$|(?:try\s+)?(?:await\s+)?\w+\.\w+\([^ ]*\)$|(?:self|super)\.\w+|[})\]]+$)"
)


def check(source):
    yield from size(source)
    yield from forbidden(source)
    yield from comments(source)
    if source.area == "Sources":
        yield from sources_only(source)


def snippet_lines(source):
    """The numbered lines of a tutorial, or of the snippets in documentation comments of the libraries."""
    if source.area == "Tutorial":
        yield from enumerate(source.lines, 1)
    is_inside = False
    for number, line in enumerate(source.lines if source.area == "Sources" else [], 1):
        comment = re.match(r"\s*/// ?(.*)", line)
        is_fence = comment is not None and comment[1].startswith("```")
        if is_inside and comment and not is_fence:
            yield number, comment[1]
        is_inside = comment is not None and is_inside != is_fence


def size(source):
    for number, line in snippet_lines(source):
        if len(line) > MAX_SNIPPET_COLUMNS:
            message = f"{len(line)} columns, at most {MAX_SNIPPET_COLUMNS} in the documentation"
            yield finding(source, number, "snippet-columns", message)
    for number, line in enumerate(source.lines, 1):
        # The message of an attribute is one literal, which cannot be broken.
        is_message = re.match(r'\s*"', line) and source.lines[number - 2].rstrip().endswith("message:")
        if len(line) > MAX_COLUMNS and not is_message:
            yield finding(source, number, "columns", f"{len(line)} columns, at most {MAX_COLUMNS}")
    count = len(source.lines)
    if count > MAX_LINES:
        yield finding(source, count, "too-long", f"{count} lines, over {MAX_LINES}: split the file")
    elif count > LINES_WITHOUT_REASON:
        message = f"{count} lines, over {LINES_WITHOUT_REASON}: needs a reason in scripts/check-style"
        yield finding(source, count, "length", message)


def forbidden(source):
    for rule, area, pattern, message in FORBIDDEN:
        if area in (None, source.area):
            for match in re.finditer(pattern, source.code):
                yield finding(source, source.line_of(match.start()), rule, message)


def comments(source):
    first = source.lines[0] if source.lines else ""
    if re.match(r"/\*|//\s*$", first) or first.startswith("//") and source.path.rpartition("/")[2] in first:
        yield finding(source, 1, "header", "a file does not begin with its name or a licence")
    for comment in source.comments:
        text = comment.text
        if re.search(r"\b(?:TODO|FIXME|XXX)\b", text):
            yield finding(source, comment.line, "leftover", "what is left to do stands in an issue")
        if re.search(r"\bCreated by\b|\bCopyright\b|©", text):
            yield finding(source, comment.line, "header", "no names and dates: git knows them")
        if source.area != "Sources" and EMOJI.search(text):
            yield finding(source, comment.line, "emoji", "no emoji")
        for message in words(text):
            yield finding(source, comment.line, "words", message)
        if re.match(r"//+\s*MARK:", text) and len(source.lines) <= LINES_FOR_MARKS:
            yield finding(source, comment.line, "mark", f"MARK in a file of up to {LINES_FOR_MARKS} lines")
        if comment.alone and re.match(r"//(?!/)", text) and LEFTOVER.match(text[2:].strip()):
            yield finding(source, comment.line, "leftover", "code in a comment: delete it")


def words(line):
    """What the line says in words that the house does not use, and what to write instead."""
    for pattern, instead in WORDS:
        for match in pattern.finditer(re.sub(r"`[^`]*`", "", line)):
            yield f"'{match[0]}': write '{instead}'"


def sentences(source):
    """The texts and names in the code that users read, each with its line: literals of several words, public names."""
    for line, text in source.literals:
        for offset, part in enumerate(text.split("\n")):
            if " " in part.strip():
                yield line + offset, part
    for each in source.declarations:
        if "public" in each.modifiers:
            labels = re.findall(r"[(,]\s*(\w+)(?:\s+\w+)?\s*:", each.header) if each.kind in FUNCTIONS else []
            for name in (each.name, *labels):
                yield each.line, in_words(name)
    for line, name in source.cases:
        yield line, in_words(name)


def in_words(name):
    """The words of a name in camel case: `answerLate` is `answer late`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()


def prose(lines):
    """The numbers and the texts of the lines of a Markdown text that are no code."""
    return (each for is_code, *each in split_at_fences(lines) if not is_code)


def snippets(lines):
    """The numbers and the texts of the lines of a Markdown text that are code between fences."""
    return (each for is_code, *each in split_at_fences(lines) if is_code)


def split_at_fences(lines):
    """Whether each line is code, its number and its text; the fences themselves are left out."""
    is_code = False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        else:
            yield is_code, number, line


def lines_for_other_platforms(source):
    """The lines that no Apple platform compiles, by the conditions that are used for that."""
    found, branches = set(), []
    for number, line in enumerate(source.code_lines, 1):
        directive, _, condition = line.strip().partition(" ")
        if directive == "#if":
            branches.append([condition])
        elif directive == "#elseif" and branches:
            branches[-1].append(condition)
        elif directive == "#else" and branches:
            branches[-1].append("")
        elif directive == "#endif" and branches:
            branches.pop()
        if any(excludes_apple(conditions) for conditions in branches):
            found.add(number)
    return found


def excludes_apple(conditions):
    """Whether the last branch of an `#if` is only for other platforms, given its conditions up to there."""
    *before, last = conditions
    if last.startswith("!"):
        return bool(APPLE.match(last[1:]))
    return bool(NOT_APPLE.match(last) and "||" not in last) or any(APPLE.match(each) for each in before)


def sources_only(source):
    for line, text in sentences(source):
        for message in words(text):
            yield finding(source, line, "words", message)
    elsewhere = lines_for_other_platforms(source)
    for number, line in enumerate(source.code_lines, 1):
        match = IMPORT.match(line)
        if match and match[1] not in ALLOWED_IMPORTS:
            yield finding(source, number, "import", f"'{match[1]}' is not imported here")
        above = source.code_lines[max(0, number - 4):number]
        match = TOO_NEW.search(line)
        if match and number not in elsewhere and not any(AVAILABILITY.search(other) for other in above):
            yield finding(source, number, "too-new", f"'{match[0].strip()}' is newer than iOS 15 and macOS 12")
    for number, line in enumerate(source.lines, 1):
        if EMOJI.search(line):
            yield finding(source, number, "emoji", "no emoji")
    for match in TASK.finditer(source.code):
        number = source.line_of(match.start())
        near = [comment.text for comment in source.comments if number - 4 <= comment.line <= number]
        if not any("cancel" in text.lower() for text in near):
            yield finding(source, number, "task", "a task needs a comment that says who cancels it")
