"""J3: whole sentences, said on Wednesday, 17 December 2025: those that name a day get it, and all others stay."""

from __future__ import annotations

from datetime import datetime

import pytest

from memlane.claims.dates import absolute

WEDNESDAY = datetime(2025, 12, 17, 10, 0)  # noqa: DTZ001 - a day is enough

MEANT = {
    "The login page broke three days ago.": "The login page broke on 2025-12-14.",
    "Prod was down 2 weeks ago because of a disk": "Prod was down in the week of 2025-12-01 because of a disk",
    "We cut over to the new cluster a month ago": "We cut over to the new cluster in 2025-11",
    "The vendor sent the key five days ago": "The vendor sent the key on 2025-12-12",
    "The release went out on Friday": "The release went out on Friday 2025-12-12",
    "On Monday we switched to pnpm": "On Monday 2025-12-15 we switched to pnpm",
    "The certificate expired on Tuesday": "The certificate expired on Tuesday 2025-12-16",
    "The nightly job has been red since Sunday": "The nightly job has been red since Sunday 2025-12-14",
    "We will freeze the schema on Friday": "We will freeze the schema on Friday 2025-12-19",
    "Marta will hand over the pager on Monday": "Marta will hand over the pager on Monday 2025-12-22",
    "The old API will be shut down at the end of the month": "The old API will be shut down at the end of 2025-12",
    "We will keep both parsers until the end of the year": "We will keep both parsers until the end of 2025",
    "The launch was moved to next Friday": (
        "The launch was moved to Friday 2025-12-26 (or 2025-12-19: it was not said which)"
    ),
    "The review was moved to next Monday": "The review was moved to Monday 2025-12-22",
    "The demo was pushed to next week": "The demo was pushed to the week of 2025-12-22",
    "The audit was postponed to next month": "The audit was postponed to 2026-01",
    "Support for Node 18 ended last month": "Support for Node 18 ended in 2025-11",
    "The build broke and yesterday we fixed it": "The build broke and on 2025-12-16 we fixed it",
    "The index was rebuilt last night": "The index was rebuilt on 2025-12-16 in the evening",
    "Staging is frozen until next Monday": "Staging is frozen until Monday 2025-12-22",
    "Tomorrow the domain moves to the new registrar": "On 2025-12-18 the domain moves to the new registrar",
    "The office was closed from May": "The office was closed from May 2025",
    "Das Deployment ist gestern abgebrochen": "Das Deployment ist am 2025-12-16 abgebrochen",
    "Der Server lief gestern Abend nicht": "Der Server lief am 2025-12-16 am Abend nicht",
    "Wir haben vor drei Tagen auf pnpm umgestellt": "Wir haben am 2025-12-14 auf pnpm umgestellt",
    "Der Index wurde vor zwei Wochen neu gebaut": "Der Index wurde in der Woche vom 2025-12-01 neu gebaut",
    "Letzte Woche wurde der Parser ersetzt": "In der Woche vom 2025-12-08 wurde der Parser ersetzt",
    "Das Budget wurde letzten Monat gekürzt": "Das Budget wurde im Monat 2025-11 gekürzt",
    "Der Release wurde auf übermorgen verschoben": "Der Release wurde auf den 2025-12-19 verschoben",
    "Das Release wurde am Freitag abgesagt": "Das Release wurde am Freitag 2025-12-12 abgesagt",
    "Die alte API wird Ende des Monats abgeschaltet": "Die alte API wird Ende 2025-12 abgeschaltet",
    "Wir werden am Freitag umziehen": "Wir werden am Freitag 2025-12-19 umziehen",
    "Der Umzug wurde auf nächste Woche verschoben": "Der Umzug wurde auf die Woche vom 2025-12-22 verschoben",
    "Seit Montag ist der Build rot": "Seit Montag 2025-12-15 ist der Build rot",
    "The deploy stopped on Monday morning": "The deploy stopped on Monday 2025-12-15 in the morning",
    "The pager rang last Saturday night, nobody answered": (
        "The pager rang on Saturday 2025-12-13 at night, nobody answered"
    ),
    "We agreed yesterday: no force pushes": "We agreed on 2025-12-16: no force pushes",
    "As of last month we no longer support IE": "As of 2025-11 we no longer support IE",
    "The person asked yesterday to use tabs": "The person asked on 2025-12-16 to use tabs",
    "昨日、ビルドが壊れました。": "2025-12-16、ビルドが壊れました。",
    "先週サーバーを移行した": "2025-12-08の週にサーバーを移行した",
    "3日前に鍵を交換しました": "2025-12-14に鍵を交換しました",
    "先週の金曜日にリリースした": "2025-12-12にリリースした",
    "昨日のリリースで検索が遅くなった": "2025-12-16のリリースで検索が遅くなった",
    "来週から新しいサーバーを使う予定": "2025-12-22の週から新しいサーバーを使う予定",
}  # fmt: skip

LEFT = (
    "The pool was closed from May to August 2023",
    "It was down from Monday to Friday",
    "Sales rose between March and June 2022",
    "The office was closed in July and August 2021",
    "Tickets were sold from 3 March to 5 April 2019",
    "The column shows what was ordered yesterday",
    "The dashboard displays orders placed last week",
    "The widget lists everything that changed this week",
    "Orders placed yesterday are exported at six",
    "The digest contains what was merged last week",
    "The job emails what was sold yesterday",
    "Exports should contain what was booked last month",
    "The filter must return runs that ended today",
    "The endpoint returns users who signed up last month",
    "Never deploy what was merged yesterday",
    "If the build broke yesterday, run it again",
    "When a customer paid last month, skip the reminder",
    "Every report compares this week with last week",
    "We deploy on Friday",
    "The stand-up is on Monday",
    "We decided to deploy on Friday",
    "Reports are due by Friday",
    "Invoices approved on Friday are paid on Monday",
    "Never merge on Friday",
    "They asked to be paid on Monday",
    "From now on releases will go out on Friday",
    "Expenses must be filed by the end of the month",
    "Invoices are sent at the end of the month",
    "At the end of the year we archive old projects",
    "Delete logs from more than three days ago",
    "Backups older than 30 days ago are removed",
    "The release train leaves on Thursday",
    "Imports proceed on Monday",
    "He said “we fixed it yesterday” and left",
    "The banner was called »bis morgen«",
    "Der Button heißt „gestern erledigt“",
    "ボタンには「昨日壊れた」と書いてあった",
    "Der Bericht zeigt, was gestern bestellt wurde",
    "Heute nutzen wir pnpm",
    "Wenn der Build gestern rot war, nochmal starten",
    "Rechnungen werden immer am Freitag verschickt",
    "Am Morgen lief der Job nicht",
    "Das Team trifft sich am Freitag",
    "Wir haben beschlossen, dass wir am Freitag nicht deployen",
    "期限の3日前に通知しました",
    "昨日の売上を表示する",
    "今日は毎回確認する",
    "明日香さんに聞いた",
    "必ず先週の分を確認した",
    "昨日的构建坏了",
    "May we see it tomorrow's way",
    "The job ran with --since yesterday and failed",
    "It was read from logs/yesterday/today.txt",
    "The cache key was last-week-total",
)


@pytest.mark.parametrize("said", MEANT)
def test_the_day_that_was_meant_is_written_out(said: str) -> None:
    assert absolute(said, WEDNESDAY) == MEANT[said]


@pytest.mark.parametrize("text", LEFT)
def test_what_names_no_one_day_stays(text: str) -> None:
    assert absolute(text, WEDNESDAY) == text


@pytest.mark.parametrize("said", MEANT)
def test_twice_is_once_and_a_day_later_changes_nothing_more(said: str) -> None:
    assert absolute(MEANT[said], WEDNESDAY) == MEANT[said]


def test_said_on_a_friday_on_friday_may_be_today() -> None:
    said = "The release went out on Friday"
    assert absolute(said, datetime(2025, 12, 19)) == said  # noqa: DTZ001
