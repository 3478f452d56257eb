"""`python -m benchmarks.gate [--path PATH] [--json]`: how fast is the gate, and what does it miss or wrongly mask?

Speed on the text below PATH (of JSON lines, the decoded strings of 40 characters and more: what steps say), recall of
made-up secrets of every kind in every dress and of passwords in sentences, and false alarms on 5,000 ordinary lines and
on the different lines below PATH.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import random
import string
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from memlane.gate import Gate, SecretSample

LINES = 5000
SEED = 11
WORDS_OF_A_STEP = 40  # characters; shorter strings in a record are ids, dates and names
SHORTEST, LONGEST = 12, 2000  # characters of a real line
WINDOW = 8  # so many characters of a secret in a row are a leak

Dress = Callable[[SecretSample], tuple[str, str]]  # the text, and how its secret reads there


# -- secrets in every dress -----------------------------------------------------------------------------------------


def halves(text: str, between: str) -> str:
    return text[: len(text) // 2] + between + text[len(text) // 2 :]


DRESSES: Mapping[str, Dress] = {
    "plain": lambda s: (f"then I ran it: {s.text} and it worked", s.secret),
    "json": lambda s: (json.dumps({"out": f"a\n{s.text}\nb"}), json.dumps(s.secret)[1:-1]),
    "json in json": lambda s: (json.dumps(json.dumps(s.text)), json.dumps(json.dumps(s.secret)[1:-1])[1:-1]),
    "url": lambda s: (quote(s.text, safe=""), quote(s.secret, safe="")),
    "base64": lambda s: (base64.b64encode(s.text.encode()).decode(),) * 2,
    "base64url": lambda s: (base64.urlsafe_b64encode(s.text.encode()).decode().rstrip("="),) * 2,
    "base64 twice": lambda s: (base64.b64encode(base64.b64encode(s.text.encode())).decode(),) * 2,
    "hex": lambda s: (s.text.encode().hex(),) * 2,
    "zero width": lambda s: ("\u200b".join(s.text), "\u200b".join(s.secret)),
    "split": lambda s: (s.text.replace(s.secret, halves(s.secret, "\n")), s.secret),
    "small letters": lambda s: (f"tagged {s.text.lower()} today", s.secret.lower()),
    "capitals": lambda s: (f"TAGGED {s.text.upper()} TODAY", s.secret.upper()),
    "split, indented": lambda s: (s.text.replace(s.secret, halves(s.secret, "\r\n    ")), s.secret),
}


def leaks(secret: str, text: str) -> bool:
    """Whether a piece of the secret is still there; markers, which may share a vendor's name with it, do not count."""
    rest = "\0".join(piece.partition("]")[2] if n else piece for n, piece in enumerate(text.split("[masked: ")))
    return any(secret[i : i + WINDOW] in rest for i in range(max(1, len(secret) - WINDOW + 1)))


def recall(gate: Gate, seeds: Sequence[int]) -> dict[str, float]:
    found: Counter[str] = Counter()
    total = 0
    for seed in seeds:
        for _rule, sample in gate.samples(seed):
            total += 1
            for name, dress in DRESSES.items():
                text, secret = dress(sample)
                found[name] += not leaks(secret, gate.mask(text))
    return {name: round(found[name] / total, 4) for name in DRESSES}


# -- passwords in sentences -------------------------------------------------------------------------------------------

# As people type them to an agent; «{}» is the password. Written with the rules in view: expect less of other sentences.
SENTENCES: Mapping[str, Sequence[str]] = {
    "English": (
        "log in as admin with password «{}»",
        "the password for the staging box is «{}».",
        "pw: «{}» / user bob",
        "user bob / pass «{}»",
        "use password `«{}»` for now",
        "my passphrase is now «{}», keep it",
        "creds are bob and the password «{}»",
    ),
    "German": (
        "mein Passwort ist «{}»",
        "Das Kennwort für den Server lautet «{}»",
        "Passwort: «{}»",
        "nimm das Passwort «{}»",
    ),
    "French": ("le mot de passe est «{}»", "mdp : «{}»", "connecte-toi avec le mot de passe «{}»"),
    "Spanish": ("la contraseña es «{}»", "la contrasena del servidor es «{}»", "clave: «{}»", "usa la contraseña «{}»"),
    "Portuguese": ("a senha é «{}»", "senha do banco: «{}»", "a palavra-passe é «{}»"),
    "Italian": ("la password è «{}»", "password per il server: «{}»"),
    "Dutch": ("het wachtwoord is «{}»", "mijn wachtwoord voor de server is «{}»"),
    "Japanese": ("パスワードは«{}»です", "パスワード：«{}»", "パスワードは「«{}»」"),
    "Chinese": ("密码是«{}»", "密码：«{}»", "密碼為 «{}»"),
    "Korean": ("비밀번호는 «{}»", "비밀번호: «{}»"),
    "Russian": ("пароль: «{}»", "Пароль «{}»"),
}


def invented(dice: random.Random) -> str:
    """As people make them up: a word or two, figures among the letters, perhaps a mark at the end."""
    word = "".join(dice.choices(("ha", "ru", "ton", "mi", "bel", "ko", "gar", "fi", "zu", "ler"), k=dice.randint(2, 3)))
    odd = word.replace("o", "0").replace("i", "1").capitalize()
    return f"{odd}{dice.randint(2, 99)}{dice.choice(('', 'x', 'Qz', '!', '&3'))}{dice.choice(string.ascii_lowercase)}7"


def in_sentences(gate: Gate, each: int = 20) -> dict[str, float]:
    """By language, the share of passwords of which nothing is left."""
    dice, found = random.Random(SEED), dict[str, float]()
    for language, sentences in SENTENCES.items():
        said = [(form, invented(dice)) for form in sentences for _ in range(each)]
        left = sum(leaks(word, gate.mask(form.replace("«{}»", word))) for form, word in said)
        found[language] = round(1 - left / len(said), 4)
    return found


# -- ordinary lines -------------------------------------------------------------------------------------------------


class Ordinary:
    """Lines of every sort a transcript is full of, none with a secret in it."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def _of(self, alphabet: str, count: int) -> str:
        return "".join(self._dice.choices(alphabet, k=count))

    def hex(self, count: int) -> str:
        return self._of("0123456789abcdef", count)

    def base64(self, count: int) -> str:
        return self._of(string.ascii_letters + string.digits + "+/", count)

    def word(self) -> str:
        return self._dice.choice(WORDS)

    def number(self, top: int = 9999) -> int:
        return self._dice.randrange(top)

    def uuid(self) -> str:
        return "-".join(self.hex(count) for count in (8, 4, 4, 4, 12))

    def identifier(self) -> str:
        return f"{self.word()}_{self.word()}"

    def sentence(self, count: int = 9) -> str:
        return " ".join(self.word() for _ in range(count)).capitalize() + "."

    def camel(self) -> str:
        return self.word() + self.word().capitalize() + self.word().capitalize()

    def minified(self) -> str:
        return ";".join(
            f"function {self._of(string.ascii_lowercase, 2)}({self._of('etnrio', 1)}){{return {self._of('etnrio', 1)}"
            f"?{self.number()}:{self.camel()}[{self.number(99)}].{self.word()}}}"
            for _ in range(4)
        )

    def line(self) -> str:
        return self._dice.choice(TEMPLATES)(self)

    def lines(self, count: int) -> Iterator[str]:
        for _ in range(count):
            yield self.line()


_WORDS = (
    "account archive array asset auth author batch border branch buffer build bundle cache call chart chunk "
    "client column commit config cookie cursor daemon data default deploy driver engine entry error event "
    "export factory field file filter folder format gate graph group handler header helper hook host index "
    "input invoice item job journal key label layer ledger limit line list loader login map marker memory "
    "message method migration model module node notice number object offset order output owner packet page "
    "parser password path payload pixel pointer policy port prompt proxy query queue reader record region "
    "render report request reset response result retry route rule run sample schema scope script search secret "
    "section segment server session setting shape share signal source span stage state storage stream string "
    "style subject switch symbol table tag task template tenant thread ticket timer title token topic trace "
    "tree trigger turn type union update user value vector version view volume watcher window worker writer "
    "zone"
)
WORDS = tuple(_WORDS.split())

TEMPLATES: Sequence[Callable[[Ordinary], str]] = (
    # versions and digests
    lambda o: f"{o.hex(7)} {o.sentence(6)}",
    lambda o: f"commit {o.hex(40)} (HEAD -> {o.word()}/{o.word()}-{o.number()})",
    lambda o: f"index {o.hex(10)}..{o.hex(10)} 100644",
    lambda o: f"{o.hex(64)}  dist/{o.word()}-{o.number(9)}.{o.number(20)}.{o.number(9)}.tar.gz",
    lambda o: f"sha256:{o.hex(64)}: Pulling from library/{o.word()}",
    lambda o: f"    --hash=sha256:{o.hex(64)} \\",
    lambda o: f'      "integrity": "sha512-{o.base64(86)}==",',
    lambda o: f'      "resolved": "https://registry.test/{o.word()}/-/{o.word()}-{o.number(9)}.1.2.tgz#{o.hex(40)}",',
    lambda o: f'checksum = "{o.hex(64)}"',
    lambda o: f"github.com/{o.word()}/{o.word()} v1.{o.number(20)}.0 h1:{o.base64(43)}=",
    lambda o: f'{{file = "{o.word()}-1.{o.number(9)}.0-py3-none-any.whl", hash = "sha256:{o.hex(64)}"}},',
    lambda o: f"FROM {o.word()}@sha256:{o.hex(64)} AS build",
    lambda o: f"- uses: actions/checkout@{o.hex(40)} # v4.{o.number(9)}.1",
    lambda o: f"ETag: W/\"{o.hex(32)}-{o.number()}\"",
    lambda o: f"MD5 ({o.word()}.bin) = {o.hex(32)}",
    lambda o: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{o.base64(43)} {o.word()}@{o.word()}",
    # ids
    lambda o: f"id: {o.uuid()}",
    lambda o: f'{{"type":"tool_result","tool_use_id":"toolu_{o.base64(24).replace("+", "a").replace("/", "b")}"}}',
    lambda o: f'"uuid":"{o.uuid()}","parentUuid":"{o.uuid()}","isSidechain":false',
    lambda o: f"trace_id={o.hex(32)} span_id={o.hex(16)} {o.identifier()}={o.number()}",
    lambda o: f'"request_id": "req_{o.hex(24)}", "status": {200 + o.number(300)}',
    lambda o: f"arn:aws:s3:::{o.word()}-{o.word()}-{o.number()}/{o.word()}/*",
    lambda o: f"session {o.uuid()} resumed after {o.number(90)} s",
    # logs and test output
    lambda o: f"2026-03-1{o.number(9)}T12:1{o.number(9)}:07.{o.number()}Z INFO  {o.word()}.{o.word()}: {o.sentence(7)}",
    lambda o: f"[{o.number()}] {o.word()}: token={o.word()} auth=ok took {o.number(900)}ms",
    lambda o: f"--- PASS: Test{o.camel().capitalize()}{o.number(99)} (0.{o.number(99)}s)",
    lambda o: f"PASS: {o.word()}{o.number(9)} wrapper ran",
    lambda o: f"tests/{o.word()}/test_{o.identifier()}.py::test_{o.word()}_{o.number(99)} PASSED [ {o.number(99)}%]",
    lambda o: f'10.0.0.{o.number(255)} - - "GET /api/{o.word()}/{o.number()}?page={o.number(9)} HTTP/1.1" 200',
    lambda o: f"drwxr-xr-x  {o.number(9)} user staff {o.number()} Mar {o.number(28)} 10:22 {o.word()}-{o.word()}",
    lambda o: f"input_tokens: {o.number(99999)}, cache_read_input_tokens: {o.number(99999)}, max_tokens={o.number()}",
    lambda o: f'  File "src/{o.word()}/{o.word()}.py", line {o.number()}, in {o.identifier()}',
    lambda o: f"0000{o.hex(4)}  {' '.join(o.hex(2) for _ in range(16))}  |................|",
    # code that speaks of secrets without holding one
    lambda o: f"def {o.word()}(user: str, password: str, *, token: str | None = None) -> Session:",
    lambda o: f"    password = os.environ['{o.word().upper()}_PASSWORD']",
    lambda o: f"const token = await {o.camel()}(req.headers.authorization);",
    lambda o: f"if password != user.{o.word()}.password{o.number(9)}: raise {o.word().capitalize()}Error",
    lambda o: f"  password: ${{{{ secrets.{o.word().upper()}_PASSWORD }}}}",
    lambda o: f"      secretKeyRef: {{ name: {o.word()}-{o.word()}-{o.number(9)}, key: {o.word()} }}",
    lambda o: f"{o.word().upper()}_TOKEN=<your-token>",
    lambda o: f"{o.word().upper()}_API_KEY=xxxxxxxxxxxxxxxxxxxxxxxx",
    lambda o: f"PASSWORD=${{DB_PASSWORD:-}} # {o.sentence(4)}",
    lambda o: f"api_key = settings.{o.identifier()}.api_key{o.number(9)}",
    lambda o: f'"password": {{"type": "string", "minLength": {o.number(20)}}},',
    lambda o: f"token := tokens[{o.number(99)}]",
    lambda o: f"for {o.word()}, key := range {o.camel()} {{ {o.word()}[key] = {o.number()} }}",
    lambda o: f'cache_key = f"{o.word()}:{{user_id}}:{o.word()}:v{o.number(9)}"',
    lambda o: f"export const {o.word().upper()}_KEY = '{o.word()}.{o.word()}.v{o.number(9)}';",
    lambda o: f"tokenizer = load('{o.word()}_{o.number(200)}k_base')",
    lambda o: f"curl -H \"Authorization: Bearer $TOKEN\" https://api.test/{o.word()}/{o.number()}",
    lambda o: f"postgres://localhost:5432/{o.word()}_{o.number(9)}",
    lambda o: f"git clone https://git.test/{o.word()}/{o.word()}-{o.number(99)}.git",
    lambda o: f"ALTER TABLE {o.word()} ADD COLUMN password_hash varchar({o.number(200)}) NOT NULL;",
    lambda o: f"<input type=\"password\" name=\"{o.word()}\" autocomplete=\"new-password\" />",
    # prose
    lambda o: f"The password for the {o.word()} is read from the keyring, never from {o.word()}{o.number(9)}.yaml.",
    lambda o: f"Reset the token before {o.word()} {o.number(99)}: the secret is rotated by the {o.word()} job.",
    lambda o: f"Bearer authentication is checked in `{o.word()}.py` line {o.number()}.",
    lambda o: o.sentence(18),
    lambda o: f"- [{o.word()}](docs/{o.word()}/{o.word()}-{o.number(99)}.md): {o.sentence(8)}",
    lambda o: f"密码由 {o.word()} 读取，令牌在 {o.number(99)} 秒后过期。",
    # diffs, data, the web
    lambda o: f"+    {o.identifier()}: dict[str, {o.word().capitalize()}] = {{}}  # {o.sentence(5)}",
    lambda o: f"-        return self.{o.identifier()}({o.number()}, key={o.word()!r})",
    lambda o: f"@@ -{o.number()},{o.number(20)} +{o.number()},{o.number(20)} @@ def {o.identifier()}(",
    lambda o: o.minified(),
    lambda o: f".{o.word()}-{o.word()}{{color:#{o.hex(6)};--pass:#{o.hex(6)};width:{o.number(99)}.{o.number(9)}%}}",
    lambda o: f"![]( data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{o.base64(600)}=)",
    lambda o: f"{o.number()},{o.number()},{o.number()},{o.word()},{o.number()}.{o.number(99)}",
    lambda o: f"<svg><path d=\"M{o.number(99)} {o.number(99)}L{o.number(99)} 8z\" id=\"{o.hex(8)}\"/></svg>",
    lambda o: f"https://docs.test/{o.word()}/{o.word()}?version={o.number(9)}&lang=en#{o.word()}-{o.number(99)}",
    lambda o: f"| {o.word()} | {o.number()} | `{o.identifier()}` | {o.hex(8)} |",
    lambda o: f"\x1b[32m✓\x1b[0m {o.sentence(6)} \x1b[2m({o.number(99)} ms)\x1b[0m",
)  # fmt: skip


def false_alarms(gate: Gate, lines: Sequence[str]) -> dict[str, Any]:
    rules = Counter(finding.rule for line in lines for finding in gate.findings(line))
    wrong = sum(gate.mask(line) != line for line in lines)
    return {"lines": len(lines), "masked": wrong, "per_1000": round(1000 * wrong / len(lines), 2), "rules": dict(rules)}


# -- speed ----------------------------------------------------------------------------------------------------------


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in cast("dict[str, object]", value).values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from strings(item)


def decoded(line: str) -> Iterator[str]:
    try:
        yield from (text for text in strings(json.loads(line)) if len(text) >= WORDS_OF_A_STEP)
    except ValueError:  # two records glued together, half a record: as it stands
        yield line


def texts(path: Path) -> Iterator[str]:
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.suffix == ".jsonl":
            for line in file.read_text(errors="replace").split("\n"):
                yield from decoded(line)
        elif file.is_file():
            yield file.read_text(errors="replace")


def lines_of(given: Iterable[str]) -> set[str]:
    """Each once: a tool prints the same line a thousand times."""
    return {line for text in given for line in text.split("\n") if SHORTEST <= len(line) <= LONGEST}


def speed(gate: Gate, given: Sequence[str]) -> dict[str, float]:
    """CPU time, so that a busy machine changes little; the second pass, as a sweep of many files sees it."""
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in given) / 1e6
    took: list[float] = []
    masked = 0
    for _ in range(2):
        began = time.process_time()
        masked = sum(gate.mask(text) is not text for text in given)
        took.append(time.process_time() - began)
    return {
        "texts": len(given),
        "megabytes": round(size, 2),
        "first_mb_per_s": round(size / took[0], 1),
        "mb_per_s": round(size / took[1], 1),
        "texts_masked": masked,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gate", description=__doc__)
    parser.add_argument("--path", type=Path, help="a file or folder of text or JSON lines")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    began = time.process_time()
    gate = Gate()
    built = time.process_time() - began
    ordinary = list(Ordinary(SEED).lines(LINES))
    given = list(texts(asked.path)) if asked.path else ["\n".join(ordinary[i : i + 40]) for i in range(0, LINES, 40)]
    figures = {
        "rules": sum(1 for _ in gate.samples(0)),
        "version": gate.version,
        "build_ms": round(built * 1000, 1),
        "speed": speed(gate, given),
        "recall": recall(gate, range(asked.seeds)),
        "sentences": in_sentences(gate),
        "false_alarms": false_alarms(gate, ordinary),
        **({"real_lines": false_alarms(gate, sorted(lines_of(given)))} if asked.path else {}),
        "load": os.getloadavg()[0],
    }
    print(json.dumps(figures) if asked.json else table(figures))


def table(figures: Mapping[str, Any]) -> str:
    rows = [f"{name:16} {value}" for name, value in figures.items() if not isinstance(value, dict)]
    for name, values in figures.items():
        if isinstance(values, dict):
            rows += [f"\n{name}", *(f"  {key:18} {value}" for key, value in cast("dict[str, object]", values).items())]
    return "\n".join(rows)


if __name__ == "__main__":
    main()
