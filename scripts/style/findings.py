"""What the rules report."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    rule: str
    message: str
    is_warning: bool = False

    def __str__(self):
        return f"{self.path}:{self.line}: {'warning: ' if self.is_warning else ''}{self.message} [{self.rule}]"


def finding(source, line, rule, message, is_warning=False):
    return Finding(source.path, line, rule, message, is_warning)
