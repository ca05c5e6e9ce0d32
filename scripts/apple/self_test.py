"""Proves that mistakes of each kind are found, on code that makes each, and that right code passes."""

import re
import shutil
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    name: str
    # What one of the findings must match; empty if there may be none.
    expected: str
    files: tuple


CASES = [
    Case("right code", "", ("""
        import Foundation
        #if os(Linux)
        let linux: Int = ""
        #endif
        final class Delegate: NSObject, URLSessionDataDelegate {
            func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
        }
        func wait() async throws {
            if #available(iOS 16, *) { try await Task.sleep(for: .seconds(1)) }
        }
        """,)),
    Case("API that is too new", r"is only available in iOS 26\.0 or newer", ("""
        func begin() { Task.immediate {} }
        """,)),
    Case("a language feature that is too new", r"is only available in iOS 18\.0(\.0)? or newer", ("""
        func cast(_ value: Any) -> Bool { value is any AsyncSequence<Int, any Error> }
        """,)),
    Case("API that the platform lacks", r"'Process' is unavailable in iOS", ("""
        import Foundation
        let process = Process()
        """,)),
    Case("a missing import", r"cannot find type 'URLRequest' in scope", ("""
        func send(_ request: URLRequest) {}
        """,)),
    Case("an import of another file only", r"missing import of defining module 'Foundation'", (
        "import Foundation",
        "func trimmed(_ text: String) -> String { text.replacingOccurrences(of: \"a\", with: \"\") }",
    )),
    Case("a protocol without any", r"must be written 'any URLSessionDelegate'", ("""
        import Foundation
        func take(_ delegate: URLSessionDelegate) {}
        """,)),
    Case("a selector of a protocol without any", r"must be written 'any URLSessionDelegate'", ("""
        import Foundation
        let selector = #selector(URLSessionDelegate.urlSession(_:didBecomeInvalidWithError:))
        """,)),
    Case("a delegate's method with another type", r"nearly matches optional requirement", ("""
        import Foundation
        final class Delegate: NSObject, URLSessionDataDelegate {
            func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: [UInt8]) {}
        }
        """,)),
    Case("what Objective-C cannot call", r"cannot be marked '@objc'", ("""
        import Foundation
        final class Target: NSObject {
            @objc func act(on value: Int?) {}
        }
        """,)),
    Case("a mistake where only Apple's platforms look", r"cannot convert value of type 'String'", ("""
        #if canImport(Darwin)
        let number: Int = ""
        #endif
        """,)),
    Case("a data race", r"risks causing data races", ("""
        final class Box { var number = 0 }
        func race() {
            let box = Box()
            Task { box.number += 1 }
            box.number += 1
        }
        """,)),
    Case("a warning", r"was never used", ("""
        func compute() { let number = 1 }
        """,)),
]


def run_self_test(frontend):
    """The number of mistakes that a prepared frontend does not find."""
    folder = frontend.build / "self-test"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    failures = 0
    for number, case in enumerate(CASES):
        files = [folder / f"case{number}-{index}.swift" for index in range(len(case.files))]
        for file, text in zip(files, case.files):
            file.write_text(text)
        features = frontend.manifest.targets["NetworkClient"].features
        findings = frontend.findings(frontend.oldest_triple, f"Case{number}", features, ["-emit-sil"], files)
        found = any(re.search(case.expected, line) for line in findings) if case.expected else not findings
        if not found:
            failures += 1
            print("\n".join([f"not as expected: {case.name}", *findings]))
    print(f"{len(CASES)} cases, {failures} failures")
    return failures
