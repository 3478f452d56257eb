"""Neighbourhoods have names: the words that are said there and nowhere else."""

from __future__ import annotations

from memlane.surfaces.web.map_regions import regions

TRIES = ("first", "second", "third", "fourth")
PLACES = {"deploys": (0.0, 0.0), "invoices": (10.0, 0.0), "fonts": (0.0, 10.0)}
SAID = {
    "deploys": "A rollback of the deploy is announced",
    "invoices": "Invoices round the VAT",
    "fonts": "Use the big font",
}


def home() -> tuple[dict[str, str], dict[str, tuple[float, float]]]:
    titles, at = dict[str, str](), dict[str, tuple[float, float]]()
    for place, (x, y) in PLACES.items():
        for n in range(8):
            titles[f"{place}-{n}"] = f"{SAID[place]} on the {TRIES[n % 4]} try"
            at[f"{place}-{n}"] = (x + n % 3 * 0.1, y + n % 4 * 0.1)
    return titles, at


def test_each_place_is_called_by_its_own_words() -> None:
    found = {(round(hood.at[0]), round(hood.at[1])): hood.name for hood in regions(*home())}
    assert "rollback" in found[0, 0] or "deploy" in found[0, 0] or "announced" in found[0, 0]
    assert "invoices" in found[10, 0] or "vat" in found[10, 0] or "round" in found[10, 0]
    assert "font" in found[0, 10] or "big" in found[0, 10]
    assert len(found) == len(PLACES)


def test_what_is_said_everywhere_names_no_place() -> None:
    assert not any("try" in hood.name for hood in regions(*home()))


def test_names_do_not_depend_on_chance_and_few_memories_need_none() -> None:
    titles, at = home()
    assert regions(titles, at) == regions(dict(titles), dict(at))
    assert regions(dict(list(titles.items())[:5]), at) == []
