"""Runs the compiler's frontend for an Apple platform, with stand-ins for the SDK."""

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from . import standard_library

HERE = Path(__file__).resolve().parent
# Each after those that it imports.
STAND_INS = [
    "ObjectiveC", "Darwin", "Dispatch", "CoreFoundation", "os", "Security", "Foundation", "Combine", "Compression",
    "CryptoKit", "UniformTypeIdentifiers",
]
WITH_C_HEADERS = {"ObjectiveC", "Darwin"}
# What a file has that may mean something else on another platform.
CONDITION = re.compile(r"#if\b|#elseif\b|[#@]available\b")
# What is there on iOS and not on macOS.
ON_IOS_ONLY = re.compile(r"@available\(macOS, unavailable|os\(iOS\)|!os\(macOS\)|canImport\(UIKit\)")
FINDING = re.compile(r"^(?P<where>\S+:\d+:\d+|<unknown>:0): (error|warning): ")


class Frontend:
    def __init__(self, build, platform, manifest, checked):
        """Checks for a platform, which is one of those that are checked."""
        info = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))
        self.library = Path(info["paths"]["runtimeResourcePath"])
        self.compiler = info["compilerVersion"]
        self.host = info["target"]["unversionedTriple"]
        architecture = self.host.split("-")[0]
        self.architecture = {"aarch64": "arm64"}.get(architecture, architecture)
        self.platform = platform
        self.manifest = manifest
        self.build = build / platform.name
        self.resources = self.build / "resources"
        self.modules = self.build / "modules"
        sources = [*(HERE / "stand-ins").rglob("*.swift"), *manifest.files]
        # Whether what passes on another of the checked platforms passes here.
        self.is_covered = platform.part in [each.name for each in checked] and not any(
            ON_IOS_ONLY.search(path.read_text()) for path in sources
        )
        # Names of targets that others cannot be checked against.
        self.broken = set()

    def triple(self, version):
        return self.platform.triple(self.architecture, version)

    @property
    def oldest_triple(self):
        return self.triple(self.manifest.oldest_system(self.platform))

    def prepare(self):
        """Makes the standard library's interfaces and the stand-ins, unless they are there."""
        self._renew(self.build, [Path(standard_library.__file__)], self.compiler, self._make_resources)
        sources = [*(HERE / "stand-ins").rglob("*.swift"), *(HERE / "include").iterdir()]
        self._renew(self.modules, sources, self.oldest_triple, self._make_stand_ins)
        self._make_c_modules()

    def _renew(self, folder, sources, also, make):
        digest = hashlib.sha256(also.encode())
        for source in sorted(sources):
            digest.update(source.read_bytes())
        stamp = folder / "made-from"
        if stamp.exists() and stamp.read_text() == digest.hexdigest():
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        make()
        stamp.write_text(digest.hexdigest())

    def _make_resources(self):
        (self.build / "sdk").mkdir()
        standard_library.make(self.library, self.host, self.resources, self.platform, self.architecture)

    def _make_stand_ins(self):
        for name in STAND_INS:
            folder = HERE / "stand-ins" / name
            files = sorted(folder.glob("*.swift")) if folder.is_dir() else [folder.with_suffix(".swift")]
            more = ["-import-underlying-module"] if name in WITH_C_HEADERS else []
            result = self.run(
                self.oldest_triple, "-emit-module", "-parse-as-library", "-suppress-warnings", "-module-name", name,
                "-experimental-skip-all-function-bodies", "-o", self.modules / f"{name}.swiftmodule", *more, *files,
            )
            if result.returncode:
                raise SystemExit(f"the stand-in for {name} does not compile:\n{result.stdout}")

    def _make_c_modules(self):
        lines = [
            f'module {each.name} {{ header "{each.folder}/include/{each.name}.h" export * }}\n'
            for each in self.manifest.c_targets()
        ]
        (self.modules / "module.modulemap").write_text("".join(lines))

    def run(self, triple, *arguments):
        command = [
            "swiftc", "-frontend", "-swift-version", self.manifest.language_mode, "-target", triple,
            "-resource-dir", self.resources, "-sdk", self.build / "sdk", "-module-cache-path", self.build / "cache",
            "-enable-objc-interop", "-disable-objc-attr-requires-foundation-module", "-I", self.modules,
            "-plugin-path", self.library / "host/plugins",
            "-Xcc", "-nostdinc", "-Xcc", f"-isystem{HERE}/include", "-Xcc", f"-isystem{self.library}/clang/include",
        ]
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
        return subprocess.run(
            [*command, *arguments], cwd=self.manifest.root, env=environment, text=True, errors="replace",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )

    def findings(self, triple, module, features, arguments, files):
        """What the compiler says about some files, one line each."""
        upcoming = [word for name in features for word in ("-enable-upcoming-feature", name)]
        output = [] if "-typecheck" in arguments else ["-o", os.devnull]
        result = self.run(
            triple, "-parse-as-library", "-enable-testing", "-module-name", module,
            *upcoming, *arguments, *output, *files,
        )
        found = sorted({line for line in result.stdout.splitlines() if FINDING.match(line)})
        if result.returncode and not found:
            found = [f"the compiler ended with {result.returncode}:\n{result.stdout[-4000:]}"]
        return found

    def primary_files(self, target):
        """The files whose functions are checked; the others of the module are read for their declarations."""
        if not (target.is_test and self.is_covered):
            return target.files
        return [path for path in target.files if CONDITION.search(path.read_text())]

    def check(self, target):
        """Prints what the compiler finds in a target, and returns how much that is."""
        missing = [name for name in target.needs(self.platform) if name in self.broken]
        if missing:
            self.broken.add(target.name)
            print(f"{self.platform.title} {target.name}: not checked, since {missing[0]} has errors", flush=True)
            return 0
        arguments = ["-package-name", self.manifest.package_name] if target.sees_package else []
        if target.is_test:
            version = self.manifest.oldest_system_for_tests(self.platform)
            arguments += ["-typecheck"]
        else:
            # As far as the intermediate language: races and missing initialisations are only found on the way there.
            version = self.manifest.oldest_system(self.platform)
            arguments += ["-emit-sil", "-emit-module-path", self.modules / f"{target.name}.swiftmodule"]
        primary = self.primary_files(target)
        title = f"{self.platform.title} {version} {target.name}"
        if not primary:
            print(f"{title}: without a condition", flush=True)
            return 0
        files = []
        for path in target.files:
            files += ["-primary-file"] if path in primary and len(primary) < len(target.files) else []
            files += [path.relative_to(self.manifest.root)]
        found = self.findings(self.triple(version), target.name, target.features, arguments, files)
        if any(": error: " in line for line in found):
            self.broken.add(target.name)
        print("\n".join([f"{title}: {len(found)} errors and warnings", *found]), flush=True)
        return len(found)
