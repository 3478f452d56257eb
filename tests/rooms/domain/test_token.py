from __future__ import annotations

import string

from memlane.domain.token import MACHINE, SHIPPER, hash_of, kind_of, new_code, new_token, plain_code
from memlane.gate import Gate


def test_a_token_says_its_kind_and_no_two_are_alike() -> None:
    tokens = {new_token(kind) for kind in (MACHINE, SHIPPER) for _ in range(50)}
    assert len(tokens) == 100
    assert {kind_of(token) for token in tokens} == {MACHINE, SHIPPER}
    assert len({hash_of(token) for token in tokens}) == 100


def test_one_wrong_letter_makes_it_no_token() -> None:
    token = new_token()
    letters = string.ascii_letters + string.digits
    typos = [token[:n] + one + token[n + 1 :] for n in range(6, len(token)) for one in letters if one != token[n]]
    assert [typo for typo in typos if kind_of(typo)] == []
    assert kind_of(token[:-1]) == kind_of(token + "x") == kind_of("") == ""


def test_the_gate_knows_a_token() -> None:
    token = new_token()
    assert Gate().mask(f"curl -H 'Authorization: Bearer {token}'").count(token) == 0
    assert "lane-token" in Gate().mask(f"the token is {token}.")


def test_a_code_is_the_same_however_it_is_typed() -> None:
    code = new_code()
    assert plain_code(code) == plain_code(f"  {code.upper()} ") == plain_code(code.replace("-", "")) == code
