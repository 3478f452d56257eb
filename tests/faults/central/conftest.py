"""A Central with a real PDS and a real OIDC provider, for all tests of sign-ins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.config import load
from tests.acceptance.central import Central, serving
from tests.clients.identity.servers import Pds, Provider, oidc, pds
from tests.clients.object_store import free_ports

PEOPLE = {
    "mara": ["platform", "readers"],
    "noor": ["platform"],
    "kim": ["platform"],
    "ivo": ["platform"],  # who is let in nowhere
    "eve": ["elsewhere"],
    "operator": ["platform"],
}


@pytest.fixture(scope="session")
def a_pds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pds]:
    with pds(tmp_path_factory.mktemp("pds")) as running:
        yield running


@pytest.fixture(scope="session")
def provider() -> Iterator[Provider]:
    with oidc(PEOPLE) as running:
        yield running


@pytest.fixture(scope="session")
def at_central(a_pds: Pds, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Central]:
    """One that takes AT Protocol sign-ins; `url` is the name that its audience has."""
    (port,) = free_ports(1)
    settings = {"LANE_IDENTITY_PLC": a_pds.plc, "LANE_IDENTITY_AUDIENCE": f"did:web:localhost%3A{port}"}
    with serving(tmp_path_factory.mktemp("central"), port=port, variables=settings) as one:
        yield Central(one.person, one.server, f"http://localhost:{port}")


@pytest.fixture(scope="session")
def oidc_central(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Central]:
    """One that admits everyone in `platform`, and keeps its groups."""
    settings = {
        "LANE_IDENTITY_OIDC_ISSUER": provider.issuer,
        "LANE_IDENTITY_OIDC_CLIENT": "lane",
        "LANE_IDENTITY_OIDC_ADMIT": "everyone",
        "LANE_IDENTITY_OIDC_GROUP": "platform",
        "LANE_IDENTITY_OIDC_MIRROR": "readers,platform",
    }
    with serving(tmp_path_factory.mktemp("central"), variables=settings) as one:
        yield one


@pytest.fixture
def at_home(tmp_path: Path) -> Iterator[Lane]:
    """A machine in this process, with nothing captured."""
    with Lane(load({"HOME": str(tmp_path), "LANE_USER": "someone", "LANE_MACHINE": "laptop"})) as lane:
        lane.home.begin()
        yield lane
