"""One name and who it means; what a directory is made of."""

from __future__ import annotations

import pytest

from memlane.domain import Ambiguous, Entity, Known, NameAnswer, Project, Resolution, Unknown
from memlane.entities import Directory, MentionPlace, combined, from_projects, mentions, resolve
from tests.rooms.entities.people import FIFTY

HERE = Project("indyhall.org", "/home/ann/indyhall.org")


def slugs(resolution: Resolution) -> list[str]:
    match resolution:
        case Known(entity):
            return [entity.slug]
        case Ambiguous(entities):
            return sorted(entity.slug for entity in entities)
        case Unknown():
            return []


@pytest.mark.parametrize(
    ("raw", "meant"),
    [
        ("Neal Brown", ["brown-neal"]),
        ("Neal", ["brown-neal"]),
        ("Neal Brown's", ["brown-neal"]),
        ("brown-neal", ["brown-neal"]),
        ("person:brown-neal", ["brown-neal"]),
        ("Mark", ["reyes-mark", "stone-mark"]),
        ("mark", []),
        ("Zed Quux", []),
        ("Adam K.", ["king-adam"]),
        ("Adam Teterus", ["tetterus-adam"]),
        ("Adam Smith", []),
        ("Neil", []),
        ("Siobhan", ["oneill-siobhan"]),
        ("Elnea", ["ruiz-elena"]),
        ("the website", ["indyhall-org", "stackingthebricks-com"]),
        ("the Indy Hall", ["indy-hall"]),
        ("Good Somm", ["goodsomm"]),
        ("田中", ["tanaka-taro"]),
        ("", []),
        ("'s", []),
        ("…", []),
    ],
)
def test_a_raw_name_means_one_several_or_nobody(raw: str, meant: list[str]) -> None:
    assert slugs(resolve(raw, Directory(FIFTY))) == meant


def test_the_website_of_the_project_one_is_in_is_meant() -> None:
    assert slugs(resolve("the website", Directory(FIFTY), MentionPlace(HERE))) == ["indyhall-org"]


def test_a_first_name_is_settled_by_the_whole_name_in_the_same_text() -> None:
    text = "Adam King moved to Lisbon. Adam is an hour behind."
    assert slugs(resolve("Adam", Directory(FIFTY), MentionPlace(text=text))) == ["king-adam"]


def test_a_first_name_is_nobody_where_the_text_only_says_another_whole_name() -> None:
    assert slugs(resolve("Adam", Directory(FIFTY), MentionPlace(type="person", text="Adam Smith wrote it"))) == []


def test_what_was_settled_in_this_run_is_meant_again() -> None:
    settled = MentionPlace(settled=frozenset({"person:tetterus-adam"}))
    assert slugs(resolve("Adam", Directory(FIFTY), settled)) == ["tetterus-adam"]


def test_an_answer_wins_there_or_everywhere() -> None:
    answers = [NameAnswer("Adam", "person:king-adam"), NameAnswer("adam", "person:tetterus-adam", HERE.key)]
    directory = Directory(FIFTY, answers)
    assert slugs(resolve("Adam", directory)) == ["king-adam"]
    assert slugs(resolve("Adam", directory, MentionPlace(HERE))) == ["tetterus-adam"]
    assert [slugs(n.resolution) for n in mentions("ask Adam about it", directory)] == [["king-adam"]]


def test_what_somebody_said_is_no_name_is_none() -> None:
    directory = Directory(FIFTY, [NameAnswer("Alex", "")])
    assert slugs(resolve("Alex", directory)) == []
    assert mentions("ask Alex about it", directory) == []
    assert mentions("ask Alex Hillman about it", directory)


def test_an_answer_gives_a_name_nobody_had() -> None:
    directory = Directory(
        FIFTY, [NameAnswer("the boss", "person:hillman-alex"), NameAnswer("Zed Quux", "person:brown-neal")]
    )
    assert slugs(resolve("Zed Quux", directory)) == ["brown-neal"]
    assert [n.raw for n in mentions("I met Zed Quux today", directory)] == ["Zed Quux"]


def test_merged_ones_are_one_and_a_circle_of_merges_is_nobody() -> None:
    one = Entity("person", "stone-mark", "Mark Stone", merged_into="person:reyes-mark")
    other = Entity("person", "reyes-mark", "Mark Reyes")
    assert slugs(resolve("Mark", Directory([one, other]))) == ["reyes-mark"]
    assert slugs(resolve("Mark Stone", Directory([one, other]))) == ["reyes-mark"]
    circle = Entity("person", "reyes-mark", "Mark Reyes", merged_into="person:stone-mark")
    assert slugs(resolve("Mark", Directory([one, circle]))) == []


def test_two_with_the_same_whole_name_are_never_guessed() -> None:
    twins = [Entity("person", "cole-adam", "Adam Cole"), Entity("person", "cole-adam-2", "Adam Cole")]
    assert len(slugs(resolve("Adam Cole", Directory(twins)))) == 2


def test_what_people_said_comes_over_what_folders_say_and_loses_no_name() -> None:
    page = Entity("person", "brown-neal", "Neal Brown", ("NB",), "/people/brown-neal.md", "folder")
    renamed = Entity("person", "brown-neal", "Neal Green", ("Neal Brown",))
    (made,) = combined([page], [renamed])
    assert (made.name, set(made.aliases), made.file) == ("Neal Green", {"Neal Brown", "NB"}, page.file)


def test_of_two_projects_with_the_same_last_name_the_older_keeps_the_short_slug() -> None:
    made = from_projects([Project("acme/api", "x/acme/api"), Project("other/api", "x/other/api"), Project("", "")])
    assert [entity.slug for entity in made] == ["api", "other-api"]


def test_a_file_is_looked_up_only_when_the_words_look_like_a_path() -> None:
    asked: list[str] = []

    def files(path: str) -> list[Entity]:
        asked.append(path)
        return [Entity("file", "src/mail/send.py", "src/mail/send.py", origin="run")]

    where = MentionPlace(files=files)
    assert slugs(resolve("`send.py`", Directory(FIFTY), where)) == ["src/mail/send.py"]
    assert slugs(resolve("Neal", Directory(FIFTY), where)) == ["brown-neal"]
    assert asked == ["send.py"]
