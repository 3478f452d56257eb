"""The house rules that a tool can check. A rule nobody runs is a wish."""
