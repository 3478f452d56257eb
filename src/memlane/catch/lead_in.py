"""Words that only announce what follows: "almost forgot this:", "additional context:". Pattern text, no rule."""

_MORE = r"(?:(?:some|more|additional|extra|further|important|missing) )?"
_FORGOTTEN = r"(?:this|that|one thing|to (?:say|add|mention)(?: (?:this|that))?)"
LEAD_IN = (
    rf"(?:(?:oh,? )?(?:i )?(?:almost |nearly )?forgot(?: {_FORGOTTEN})?"
    rf"|{_MORE}(?:context|info(?:rmation)?|background|details?|clarifications?|remarks?)(?: (?:here|for you))?"
    r"|(?:quick|side|small|short|last|final) (?:note|remark|question|correction|point|thing)"
    r"|to clarify|edit|p\.?s\.?|nvm)\s*[:–—]+\s*"
)
