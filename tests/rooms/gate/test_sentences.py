"""A password said in a sentence, in any of the languages people work in; and sentences that only speak of one."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from benchmarks.gate import SENTENCES, invented, leaks
from memlane.gate import Gate

SPOKEN_OF = (
    "the password is stored in the keyring, never in db2",
    "the password was reset twice",
    "password is hashed with bcrypt, cost 12",
    "password must be at least 8 characters",
    "the password is sha256-hashed before it is sent",
    "password reset link v2 is broken",
    "password validation2 uses argon2",
    "passwort ist md5 gehasht",
    "das Passwort ist falsch",
    "le mot de passe est obligatoire",
    "la contraseña es obligatoria",
    "la clave es user_id2",
    "a senha é obrigatória",
    "het wachtwoord is verplicht",
    "パスワードは必須です",
    "パスワードは8文字以上",
    "密码是必填的",
    "密码由 vault2 读取",
    "pass: 12 tests, 3 skipped",
    "user admin passes test_2fa_login",
    "the pw field is called user.pw2",
    "set the password with --password-file /run/secrets/db1",
    "password: ${DB_PASSWORD}",
    "password is <your-password>",
)


@pytest.mark.fault("H1")
@pytest.mark.parametrize("language", SENTENCES)
def test_nothing_is_left_of_a_password_in_a_sentence(gate: Gate, language: str) -> None:
    dice = random.Random(7)
    for form in SENTENCES[language]:
        for _ in range(5):
            word = invented(dice)
            masked = gate.mask(form.replace("«{}»", word))
            assert not leaks(word, masked), masked
            assert masked.startswith(form.partition("«")[0].rstrip("`「 "))


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("log in as admin with password hunter2xyz9Q", "hunter2xyz9Q"),
        ("pw: Tr0ub4dor&3 / user bob", "Tr0ub4dor&3"),
        ("mein Passwort ist Geh3imXy77", "Geh3imXy77"),
        ("the password is hunter2", "hunter2"),
    ],
)
def test_the_sentences_that_strangers_found(gate: Gate, said: str, word: str) -> None:
    assert word[:6] not in gate.mask(said)


@pytest.mark.fault("H4")
@pytest.mark.parametrize("text", SPOKEN_OF)
def test_who_speaks_of_passwords_is_not_masked(gate: Gate, text: str) -> None:
    assert gate.mask(text) == text


@pytest.mark.parametrize("case", [str.lower, str.upper])
def test_a_token_in_other_letters_is_still_one(gate: Gate, case: Callable[[str], str]) -> None:
    """A tag, a slug or a heading changes them; what is left of the token is still most of it."""
    for rule in (
        "github-token",
        "aws-access-key",
        "openai-key",
        "google-api-key",
        "stripe-key",
        "gitlab-token",
        "npm-token",
    ):
        sample = dict(gate.samples(3))[rule]
        assert not leaks(case(sample.secret), gate.mask(case(sample.text))), rule
