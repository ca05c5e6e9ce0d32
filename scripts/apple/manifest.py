"""What the manifests say: targets, what they depend on, their settings, the oldest systems."""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path


# The package of the tests that are not among those of the root.
WIRE = Path("Tests/Wire")


def as_version(text):
    return tuple(int(part) for part in text.split("."))


@dataclass(frozen=True)
class Target:
    name: str
    folder: Path
    is_test: bool
    sees_package: bool
    features: tuple
    # Names of targets, each with the platforms that it is needed on; none for all.
    dependencies: tuple

    @property
    def files(self):
        # The code in the documentation is that of a tutorial's reader.
        return sorted(path for path in self.folder.rglob("*.swift") if ".docc/" not in path.as_posix())

    def needs(self, platform):
        return [name for name, platforms in self.dependencies if not platforms or platform.name in platforms]


class Manifest:
    def __init__(self, root, build):
        def dump_of(folder):
            # A folder of its own, so that a build that goes on meanwhile holds nothing up.
            command = ["swift", "package", "--package-path", folder, "--scratch-path", build / "manifest", "dump-package"]
            return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)

        dump = dump_of(root)
        self.root = root
        self.language_mode = dump["swiftLanguageVersions"][0]
        self.package_name = re.sub(r"\W", "_", dump["name"])
        self.scheme = dump["name"] + "-Package"
        self.oldest = {each["platformName"]: each["version"] for each in dump["platforms"]}
        self.targets = {each["name"]: self._target(each, root) for each in dump["targets"]}
        # Its other targets are those of the root package, through links, and are checked as such.
        for each in dump_of(root / WIRE)["targets"]:
            if each["type"] == "test":
                self.targets[each["name"]] = self._target(each, root / WIRE)

    def _target(self, dump, package):
        is_test = dump["type"] == "test"
        usual = Path("Tests" if is_test else "Sources") / dump["name"]
        kinds = [each["kind"] for each in dump["settings"] if each["tool"] == "swift"]
        dependencies = [next(iter(each.values())) for each in dump["dependencies"]]
        return Target(
            name=dump["name"],
            folder=package / dump.get("path", usual),
            is_test=is_test,
            sees_package=dump["packageAccess"],
            features=tuple(kind["enableUpcomingFeature"]["_0"] for kind in kinds if "enableUpcomingFeature" in kind),
            # A name first, the condition last; a product of another package has that one's name in between.
            dependencies=tuple((each[0], (each[-1] or {}).get("platformNames", ())) for each in dependencies),
        )

    @property
    def files(self):
        return [path for target in self.targets.values() for path in target.files]

    def oldest_system(self, platform):
        return self.oldest[platform.name]

    def oldest_system_for_tests(self, platform):
        return max(self.oldest_system(platform), platform.oldest_for_tests, key=as_version)

    def c_targets(self):
        return [each for each in self.targets.values() if not each.files]

    def checked_targets(self, platform, names):
        """Those with Swift files, each after what it depends on."""
        unknown = [name for name in names if name not in self.targets]
        if unknown:
            raise SystemExit(f"no manifest has a target {', '.join(unknown)}")
        ordered = []

        def add(name):
            target = self.targets[name]
            for each in target.needs(platform):
                add(each)
            if target.files and target not in ordered:
                ordered.append(target)

        for name in names or self.targets:
            add(name)
        return ordered
