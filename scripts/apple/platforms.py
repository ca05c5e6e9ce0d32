"""The platforms that can be checked, with what is the same for every package."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Platform:
    # As the manifest spells it.
    name: str
    title: str
    # The folder of the standard library's modules, which is the SDK's name too.
    sdk: str
    # How a target triple names the system.
    system: str
    is_simulator: bool
    # The oldest system that Xcode 26's Testing runs on: SwiftPM and Xcode raise test targets to it.
    oldest_for_tests: str
    # The name of a platform that has nothing that this one lacks, at the oldest systems for tests.
    part: str = ""

    def triple(self, architecture, version):
        return f"{architecture}-apple-{self.system}{version}" + ("-simulator" if self.is_simulator else "")


PLATFORMS = {
    each.name: each
    for each in [
        Platform("macos", "macOS", "macosx", "macosx", False, "14.0", part="ios"),
        Platform("ios", "iOS", "iphonesimulator", "ios", True, "15.0"),
        Platform("tvos", "tvOS", "appletvsimulator", "tvos", True, "15.0"),
        Platform("watchos", "watchOS", "watchsimulator", "watchos", True, "8.0"),
    ]
}
USUAL = ["macos", "ios"]
