"""Makes the standard library of an Apple platform from that of Linux.

The toolchain's textual interfaces for Linux carry the `@available` lines of every Apple platform: all but the runtime
of Objective-C is there. With another target in their third line they build as Apple's.
"""

import re
import shutil

MODULES = [
    "Swift", "_Concurrency", "_StringProcessing", "_RegexParser", "_Builtin_float", "SwiftOnoneSupport", "Testing",
]

# What the compiler looks for in Swift where Objective-C is.
OBJECTIVE_C = """
@frozen public struct AutoreleasingUnsafeMutablePointer<Pointee> : Swift._Pointer {
  public let _rawValue: Builtin.RawPointer
  @_transparent public init(_ _rawValue: Builtin.RawPointer) { self._rawValue = _rawValue }
  public var pointee: Pointee { get nonmutating set }
}
public func _bridgeAnyObjectToAny(_ possiblyNullObject: Swift.AnyObject?) -> Any
public func _getErrorEmbeddedNSError<T>(_ x: T) -> Swift.AnyObject? where T : Swift.Error
"""

# Newer than anything in the interfaces.
NEWEST = "26.0"
FAILURE = "@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)"


def rewritten(interface, triple):
    lines = interface.split("\n")
    lines[2] = re.sub(r"-target \S+", f"-target {triple}", lines[2])
    lines = [re.sub(r"@backDeployed\([^)]*\)", "", line, count=1) for line in lines]
    # A witness may not be more available than what it implements, and the protocol's Failure is of iOS 18.
    for index, line in enumerate(lines[1:]):
        if re.search(r"@_implements.*Failure", line):
            lines[index] = re.sub(r"^(\s*)@available.*", rf"\1{FAILURE}", lines[index])
    return "\n".join(lines)


def make(library, host, resources, platform, architecture):
    modules = resources / platform.sdk
    modules.mkdir(parents=True)
    for name in ["apinotes", "clang", "host"]:
        (resources / name).symlink_to(library / name)
    shutil.copytree(library / "shims", resources / "shims")
    newest = platform.triple(architecture, NEWEST)
    file_name = platform.triple(architecture, "").replace("macosx", "macos") + ".swiftinterface"
    for name in MODULES:
        text = (library / "linux" / f"{name}.swiftmodule" / f"{host}.swiftinterface").read_text()
        text = rewritten(text, newest) + (OBJECTIVE_C if name == "Swift" else "")
        (modules / f"{name}.swiftmodule").mkdir()
        (modules / f"{name}.swiftmodule" / file_name).write_text(text)
