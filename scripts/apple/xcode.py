"""Builds the package with Xcode, whose SDKs are better than any stand-in."""

import shutil
import subprocess


def build_with_xcode(root, build, manifest, platforms):
    if not shutil.which("xcodebuild"):
        print("check-apple needs Xcode on a Mac: there the stand-ins would only hide the SDK that is installed")
        return 1
    for platform in platforms:
        destination = f"generic/platform={platform.title}" + (" Simulator" if platform.is_simulator else "")
        print(f"{platform.title}: xcodebuild build-for-testing", flush=True)
        status = subprocess.call(
            ["xcodebuild", "build-for-testing", "-quiet", "-scheme", manifest.scheme, "-destination", destination,
             "-derivedDataPath", build / "xcode", "SWIFT_TREAT_WARNINGS_AS_ERRORS=YES"],
            cwd=root,
        )
        if status:
            return status
    return 0
