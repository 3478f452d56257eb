"""The Activities that a hook can see, as a table: how people name each, and what shows it. Knows no Memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Activity:
    """`when`: how people name it. `command`: what shows it in a command, before it is done if that can be seen. `path`:
    the same in the path of a file. A hook knows no patterns: `marks` and `pieces` are what it looks for instead."""

    name: str
    when: str
    command: str = ""
    marks: str = ""  # with commas: all words of one of them stand in each command of this kind
    path: str = ""
    pieces: str = ""  # with commas: one of them stands in each path of this kind, in small letters
    verb: str = ""  # in a rule: "never commit …", "… before you push"

    @cached_property
    def named(self) -> re.Pattern[str]:
        return re.compile(self.when, re.IGNORECASE)

    @cached_property
    def in_command(self) -> re.Pattern[str]:
        return re.compile(self.command or r"(?!)", re.IGNORECASE)

    @cached_property
    def in_path(self) -> re.Pattern[str]:
        return re.compile(self.path or r"(?!)", re.IGNORECASE)

    @cached_property
    def ruled(self) -> re.Pattern[str]:
        never = rf"^(?:please )?(?:never|always|do not|don['’]t|only) (?:git )?(?:{self.verb})\b"
        before = rf"\bbefore (?:you |each |every |any |a )?(?:{self.verb})(?:t?ing|s)?\b"
        return re.compile(f"{never}|{before}" if self.verb else r"(?!)", re.IGNORECASE)

    @property
    def signs(self) -> list[str]:
        """For hooks: of a command behind `$`, of a path behind `/`."""
        split = ((kind, given.split(", ")) for kind, given in (("$", self.marks), ("/", self.pieces)) if given)
        return [f"{kind} {one}" for kind, several in split for one in several]


_ANY = r"(?:an?|any|each|every|the)"
_DO = r"(?:writ|edit|chang|add|mak|creat|touch|fix|updat|refactor|generat|review|modify|remov|renam)ing"
_DOING = rf"\b{_DO}(?: or {_DO})*(?: (?:an?|any|the|new|our|its|existing|some|more))*"
_GIT = r"\bgit(?: +-[cC] +\S+| +--?[\w-]+(?:=\S+)?)* +"

# Of several that one command or path shows, the first is the nearest.
ACTIVITIES: Sequence[Activity] = (
    Activity(
        "commit",
        rf"\b(?:committing|staging (?:files|changes|or)|commit messages?|before commits?"
        rf"|(?:before|at|on|for|with) {_ANY} (?:\w+ )?commits?"
        r"|(?:writing|making|creating) (?:a |the |any )?(?:git )?commits?)\b"
        r"|\bbeim commit|\bvor (?:dem|jedem|einem) commit|\bcommitten\b|\bavant (?:de|un|chaque) commit"
        r"|\bal hacer (?:un )?commit|\bantes de(?: cada)? (?:un )?commit|\bao commitar"
        r"|コミット(?:する|の)?(?:前|時|とき)|提交(?:前|时|代码)",
        command=rf"{_GIT}(?:add|diff|status|commit|stage)\b",
        marks="git add, git diff, git status, git commit, git stage",
        verb="commit",
    ),
    Activity(
        "push",
        rf"\b(?:pushing|before push|before {_ANY} push)\b|\bvor (?:dem|jedem) push|\bbeim push(?:en)?\b",
        command=rf"{_GIT}(?:commit|push)\b",
        marks="git commit, git push",
        verb="push",
    ),
    Activity(
        "pull request",
        r"\b(?:open|creat|writ|prepar|submitt|rais)ing (?:(?:an?|any|the|new|every|each) )*(?:draft )?"
        r"(?:prs?|pull requests?|merge requests?)\b|\b(?:pr|pull request|merge request) (?:description|body|title)s?\b"
        rf"|\bbefore {_ANY} (?:prs?|pull requests?)\b",
        command=rf"{_GIT}push\b|\bgh +pr\b|\bglab +mr\b",
        marks="git push, gh pr, glab mr",
    ),
    Activity(
        "merge",
        r"\b(?:merging|rebasing|resolving (?:merge )?conflicts)\b",
        command=rf"{_GIT}(?:fetch|pull|merge|rebase|cherry-pick)\b",
        marks="git fetch, git pull, git merge, git rebase, git cherry-pick",
    ),
    Activity(
        "release",
        r"\b(?:releasing|(?:making|cutting|preparing|tagging|publishing) (?:(?:an?|any|the|new|every) )*(?:\w+ )?"
        rf"(?:release|version|package|crate|gem)s?|before {_ANY} release|publishing to (?:npm|pypi)"
        r"|bumping (?:the|a) version)\b|\bvor (?:dem|jedem|einem) release"
        r"|发布(?:前|时|版本)|リリース(?:する)?(?:前|時|とき)",
        command=rf"{_GIT}tag\b|\b(?:npm|pnpm|yarn|bun) +(?:version|publish|pack)\b"
        r"|\b(?:cargo|poetry|uv) +publish\b|\btwine\b|\bgh +release\b|\bgoreleaser\b|\bchangeset\b",
        marks="git tag, npm version, npm publish, npm pack, yarn version, yarn publish, yarn pack, bun publish, "
        "cargo publish, poetry publish, uv publish, twine, gh release, goreleaser, changeset",
    ),
    Activity(
        "deploy",
        rf"\b(?:(?:re)?deploying|(?:before|for|at) {_ANY} deploy(?:ment)?s?|scheduling a deploy(?:ment)?"
        r"|rolling out|rolling back|going live)\b|\bvor (?:dem|jedem) deploy|\bbeim deployen"
        r"|部署(?:前|时)?|デプロイ(?:する)?(?:前|時|とき)",
        command=r"\bdeploy\w*\b|\b(?:kubectl|helm|terraform|tofu|ansible(?:-playbook)?|pulumi|flyctl|vercel|netlify"
        r"|wrangler|serverless|cdk)\b|\bdocker +(?:push|compose +up)\b|\bmake +ship\b",
        marks="deploy, kubectl, helm, terraform, tofu, ansible, pulumi, flyctl, vercel, netlify, wrangler, serverless, "
        "cdk, docker push, docker compose up, make ship",
        verb="deploy",
    ),
    Activity(
        "run tests",
        r"\brunning (?:(?:any|the|our|all) )*(?:\w+ )?(?:tests?|test suite)\b|\btests? (?:laufen lassen|ausführen)\b",
        command=r"\b(?:pytest|jest|vitest|tox|nox|rspec|phpunit|ctest)\b|\b(?:npm|pnpm|yarn|bun|go|cargo|make|mix"
        r"|dotnet|gradlew?|mvn|mise|just)(?: +run)? +tests?\b",
        marks="test, jest, tox, nox, rspec, phpunit",
    ),
    Activity(
        "migration",
        rf"{_DOING} (?:\w+ )?(?:database |schema |db |sql )?migrations?\b"
        r"|\bapplying (?:an?|the) (?:\w+ )?migrations?\b",
        command=r"\b(?:alembic|makemigrations|flyway|liquibase|prisma +migrate|generate +migration|knex +migrate)\b",
        marks="alembic, makemigrations, flyway, liquibase, prisma migrate, generate migration, knex migrate",
        path=r"(?:^|/)(?:migrations?|migrate)/",
        pieces="migration, migrate/",
    ),
    Activity(
        "dependencies",
        r"\b(?:installing|adding|upgrading|bumping|updating|changing|importing|reaching for|tempted to add)"
        r"(?: or (?:installing|linking|updating|upgrading))?(?: (?:an?|any|the|new|our))*"
        r" (?:\w+ )?(?:dependenc(?:y|ies)|packages?|librar(?:y|ies))\b",
        path=r"(?:^|/)(?:package\.json|pyproject\.toml|requirements[\w.-]*\.txt|cargo\.toml|go\.mod|gemfile|pom\.xml"
        r"|build\.gradle(?:\.kts)?|composer\.json|pubspec\.yaml)$",
        pieces="package.json, pyproject.toml, requirements, cargo.toml, go.mod, gemfile, pom.xml, build.gradle, "
        "composer.json, pubspec.yaml",
    ),
    Activity(
        "tests",
        rf"{_DOING} (?:unit |integration |e2e |end-to-end )?tests?\b",
        path=r"(?:^|/)(?:tests?|specs?|__tests__)/|(?:^|/)(?:test_[^/]+|[^/]+[._-](?:test|spec)s?\.\w+)$",
        pieces="test, spec",
    ),
    Activity(
        "workflows",
        rf"{_DOING} (?:github actions? |ci |gitlab )?(?:workflows?|pipelines?)\b|{_DOING} (?:github actions?|ci)\b",
        path=r"(?:^|/)\.github/(?:workflows|actions)/|(?:^|/)\.gitlab-ci\.yml$|(?:^|/)\.circleci/",
        pieces=".github/, .gitlab-ci.yml, .circleci/",
    ),
    Activity(
        "changelog",
        rf"{_DOING} (?:change ?logs?|release notes?)\b",
        path=r"(?:^|/)(?:changelog|changes|release[_-]?notes)[^/]*\.(?:md|rst|txt)$",
        pieces="changelog, changes, release",
    ),
    Activity(
        "documents",
        rf"{_DOING} (?:docs?|documents?|documentation|guides?|readmes?)\b",
        path=r"(?:^|/)docs?/.*\.(?:md|mdx|rst|adoc)$|(?:^|/)readme\.\w+$",
        pieces="doc/, docs/, readme",
    ),
    Activity(
        "styles",
        rf"{_DOING} (?:css|styles?|style ?sheets?|styling)\b",
        path=r"\.(?:css|scss|sass|less)$",
        pieces=".css, .scss, .sass, .less",
    ),
    Activity(
        "edit",
        r"\b(?:editing|before editing|about to edit|changing)(?: (?:an?|any|the|each|every))? (?:source )?files?\b",
        path=r".",
        pieces="/",
    ),
)
