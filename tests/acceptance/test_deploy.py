"""`deploy/`: what operators copy is understood by the programs it is for, as far as that can be known without them."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from memlane.config import SETTINGS
from memlane.surfaces.cli import Commands
from tests.acceptance.command_line import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
NO_FURTHER = "25"  # tenths of systemd's measure of exposure, 0 to 100


def checked(*words: str | Path) -> None:
    program = Path(sys.executable).parent / str(words[0])
    ran = subprocess.run([program if program.exists() else words[0], *words[1:]], capture_output=True, check=False)
    assert ran.returncode == 0, (ran.stdout + ran.stderr).decode()


def compose() -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def manifests() -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((DEPLOY / "kubernetes" / "central.yaml").read_text()))


def test_the_image_is_built_as_it_should_be() -> None:
    checked("hadolint", DEPLOY / "Dockerfile")


def test_compose_fits_the_published_schema_and_names_what_is_there() -> None:
    checked("check-jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")
    whole = compose()
    build = whole["services"]["serve"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).samefile(DEPLOY / "Dockerfile")
    for service in whole["services"].values():
        named = (volume.partition(":")[0] for volume in service.get("volumes", ()))
        assert {name for name in named if not name.startswith("$")} <= set(whole["volumes"])
        assert {one["source"] for one in service.get("configs", ())} <= set(whole["configs"])


def test_kubernetes_takes_the_manifests_and_no_key_is_made_up() -> None:
    checked("kubernetes-validate", "--strict", DEPLOY / "kubernetes" / "central.yaml")
    (pods,) = [one["spec"]["template"]["spec"] for one in manifests() if one["kind"] == "StatefulSet"]
    for container in pods["containers"]:
        mounted = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
        assert mounted["home"] == "/var/lib/memlane"
        assert container["securityContext"]["readOnlyRootFilesystem"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd on this computer")
def test_systemd_takes_the_units_and_finds_them_locked_up(tmp_path: Path) -> None:
    """With a program that is there in place of ours, which is not installed where the tests run."""
    here = [tmp_path / unit.name.replace("@.", "@1.") for unit in UNITS]
    for unit, copy in zip(UNITS, here, strict=True):
        copy.write_text(re.sub(r"ExecStart=\S+", "ExecStart=/bin/true", unit.read_text()))
    checked("systemd-analyze", "verify", "--man=no", *here)
    services = [copy for copy in here if copy.suffix == ".service"]
    checked("systemd-analyze", "security", "--offline=true", f"--threshold={NO_FURTHER}", *services)


def lane_lines() -> Iterator[list[str]]:
    """Every command of ours in these files, without `lane` itself."""
    for unit in UNITS:
        yield from (shlex.split(line)[1:] for line in re.findall(r"^ExecStart=(\S*/lane .*)$", unit.read_text(), re.M))
    for service in compose()["services"].values():
        if service.get("image", "").startswith("memlane") and "command" in service:
            yield service["command"]
    for one in manifests():
        if one["kind"] == "StatefulSet":
            yield from (container["args"] for container in one["spec"]["template"]["spec"]["containers"])
    (usual,) = re.findall(r"^CMD (\[.*\])$", (DEPLOY / "Dockerfile").read_text(), re.M)
    yield yaml.safe_load(usual)
    for text in (DEPLOY / "compose.yaml", DEPLOY / "kubernetes" / "central.yaml"):
        yield from (shlex.split(line) for line in re.findall(r"^#.* lane (.*)$", text.read_text(), re.M))


def test_every_command_in_them_is_one_of_ours() -> None:
    lines = list(lane_lines())
    assert {words[0] for words in lines} >= {"serve", "work", "machines"}
    for name, *words in lines:
        found = Commands().get_command(click.Context(click.Command("lane")), name)
        assert found is not None, name
        command = found
        while isinstance(command, click.Group) and words and words[0] in command.commands:
            command, words = command.commands[words[0]], words[1:]
        assert command.make_context(name, list(words)).params is not None


def test_every_variable_in_them_is_a_setting() -> None:
    known = {f"LANE_{name.upper().replace('.', '_')}" for name in SETTINGS} | {"LANE_HOME"}
    of_compose = {"LANE_NAME", "LANE_DATABASE_PASSWORD", "LANE_BACKUP"}  # what the operator fills in
    for file in [path for path in DEPLOY.rglob("*") if path.is_file()]:
        assert set(re.findall(r"\bLANE_[A-Z_]+\b", file.read_text())) <= known | of_compose, file


def test_the_backup_takes_all_that_cannot_be_computed_again() -> None:
    """The same in both places; what it leaves out is derived, or only lives while something runs."""
    (unit,) = re.findall(r"--exclude.*?(?= /var)", (DEPLOY / "systemd" / "memlane-backup.service").read_text())
    assert unit in compose()["services"]["backup"]["command"][2]
    assert set(re.findall(r"/(\w+)", unit)) == {"index", "owners", "vectors", "run", "log"}
