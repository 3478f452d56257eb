"""How people teach in German."""

from __future__ import annotations

from memlane.catch.teachings.rules import TeachingRules

_FUTURE = (
    r"(?:ab (?:jetzt|sofort|heute|nun|morgen)|in zukunft|zukünftig|künftig|für die zukunft|von (?:jetzt|nun|heute) an"
    r"|fürs nächste mal|für (?:das|die) nächsten? (?:mal|male|sitzungen?)|beim nächsten mal|(?:nächstes"
    r"|jedes) mal|grundsätzlich"
    r"|generell|standardmäßig(?! \w+t (?:der|die|das|es)\b)|das nächste mal|für (?:alle )?(?:weiteren?"
    r"|kommenden?|nächsten?) \w+|bei(?: allen)? künftigen \w+"
    r"|für künftige \w+|dauerhaft|ein für alle ?mal|für alle zukunft|für später|weiterhin)"
)
_HOUSE = r"(?:repos?(?:itory)?|projekt\w*|codebase|codebasis|team|firma|code|monorepo|app|paket)"

RULES = TeachingRules(
    language="de",
    padding=(
        r"(?:ok(?:ay)?|also|so|gut|nun|na ja|naja|hm+|moment|sorry|hey|hi|hallo|ach|ah|und|aber|ja|jo|nein"
        r"|nee|ne|doch|klar|super|toll"
        r"|perfekt|danke|übrigens|btw|nebenbei|bitte|noch (?:was|etwas|eins|eine sache)"
        r"|eine sache(?: noch)?|kurz|außerdem|ansonsten"
        r"|wichtig|achtung|hinweis|und nochmal|nochmal|falsch|mal|leute|nur so|ps|wie gesagt"
        r"|im übrigen)(?:[\s,.:!;…–—-]+|$)"
    ),
    ending=r"[\s,;:]*(?:bitte|danke|ok|okay|ja|gell|:\)|;\)|:-\)|🙏|👍)?[\s.!]*",
    opener=(
        r"^(?!(?:bitte )?(?:fass|übersetz|änder|schreib (?:ein|den|die|das)|prüf|erklär"
        r"|korrigier)\w*)[^:.?]{0,60}\b(?:merken|merk|gemerkt|notizen"
        r"|notiz|protokoll|hinter die ohren|gedächtnis|claude\.md|agents\.md|vergessen|vergiss"
        r"|grundsätzlich\w*|korrektur|berichtigung|hausregel"
        r"|teamregel|grundregel|entscheid\w*|beschluss|beschlüsse|gut zu wissen|zur info\w*|fyi|wissen"
        r"|konvention\w*|vereinbarung|weißt|nochmal|faustregel|absprache)\b"
        r"[^:.?]{0,40}:\s*"
        r"|\b(?:claude|agents)\.md(?: auf)?,? dass "
        r"|^(?:fyi|zur info(?:rmation)?|nur zur info|kleine info|als info|info)[,:–—\s]+(?:dass )?"
        r"|^(?:bitte )?(?:beachten|merken|notieren|denken) sie\b[^:.?]{0,60}?(?:, dass|:)\s+|^(?:du solltest"
        r"|ihr solltet|gut zu) wissen[,:]? (?:dass )?"
        r"|"
        r"(?:^|[,;.–—-]\s*|\b(?:und|aber|also|bitte)\s)(?:bitte |und |also )*(?:merke?(?:n)? (?:dir"
        r"|sie sich)|merkt? euch|zum merken|notiere? (?:dir)?"
        r"|behalte? (?:das |dies |es )?(?:bitte )?(?:im (?:kopf|hinterkopf|gedächtnis)|dir)"
        r"|denk(?:e)? (?:bitte |immer )?(?:dran|daran)(?![^.:]*(?:\bzu \w+en|zu\w+en)\b[.! ]*$)"
        r"|vergiss (?:bitte )?nicht(?![^.:]*(?:\bzu \w+en|zu\w+en)\b[.! ]*$)"
        r"|vergiss nie|beachte|speicher(?:e)? (?:dir )?(?:das|folgendes)?|schreib (?:dir )?(?:das "
        r"|es )?(?:auf|ins? \w+)|zur erinnerung|damit du(?:'s| es)? (?:weißt|nicht vergisst))"
        r"[^:,.]{0,50}?(?:\s*[:–—]\s*|,? dass\s+|, (?!(?:am ende|die tests|noch)\b)(?=(?:wir|unsere?|der"
        r"|die|das|alle|nie|immer|kein\w*|nur|releases?)\b))"
        rf"|(?:^|[,;.–—-]\s*)(?:und |aber |also |bitte |noch (?:was"
        rf"|etwas) )*{_FUTURE}[^:,.]{{0,25}}?(?:\s*[:–—]\s*|,\s*|\s+)"
        rf"|^[^:.]{{0,60}}\b{_FUTURE}\b[^:.]{{0,30}}:\s*"
        r"|^(?:regel|konvention|entscheidung|beschluss|merksatz|grundregel|vorgabe|merke|notiz)n?\s*[:–—]\s*"
        r"|^[^:.]{0,50}\b(?:gilt|künftige|hatten wir schon|bleibt dabei|wichtig|info|für später|beschlossen"
        r"|entschieden|geeinigt|festgelegt|vereinbart|(?:zum|das) \w+ mal"
        r"|regel|abgemacht)\b[^:.]{0,30}:\s*"
    ),
    strong=(
        r"\b(?:fass|erklär|entschuldig|wiederhol|bedank)\w*\b(?: dich| mir"
        r"| bitte)*[^,?]{0,20}\bnicht\b(?!.*\b(?:hier|jetzt|diese\w*)\b)",
        r"\bunter keinen umständen\b|\bauf (?:gar )?keinen fall\b|\bohne (?:rückfrage|rücksprache|absprache)\b",
        r"^wir \w+en [^,?]{2,40}, (?:kein\w*|nicht|nie|ohne|nur) \w+|\bin (?:allen|jedem"
        r"|sämtlichen) unsere[nm]\b|\bes heißt\b[^?]*, nicht\b|\büberall\b[^?]*, nicht\b",
        r"\bdeine[nr]? (?:antworten|erklärungen|zusammenfassungen|nachrichten|commits)\b"
        r"|\bwir \w+en (?:\w+ ){0,2}nicht, (?:wir|sondern)\b",
        r"^[\w -]{3,40} (?:pflegen|verwalten|machen|schreiben|halten|benennen|taggen|versionieren) wir\b"
        r"|^vorher fragen\b",
        r"^wenn du (?:\w+ )?(?:unsicher|nicht sicher|im zweifel|nicht weiter|etwas nicht)\b|^im zweifel\b"
        r"|\bwir (?:\w+en), wir \w+en nicht\b",
        r"\bich bin (?:\w+ )?(?:anfänger\w*|neuling|neu in|kein\w*) [^?]*(?:, |\balso\b)",
        r"\bduze?n? (?:mich|wir)\b|\bduz mich\b|\bsiez\w* mich\b|\bdu (?:brauchst"
        r"|musst) mich\b[^?]*\bnicht\b[^?]*\bfragen\b"
        r"|\bfrag(?:e)? (?:bitte |vorher |immer )*(?:mich|uns|nach|vorher)\b[^?]*\b(?:bevor|ehe|vor (?:jede"
        r"|dem|der|einer))",
        r"\bmir (?:ist|wäre|sind) (?:es |\w+ )?lieber\b|\bich (?:möchte|will|brauche"
        r"|hätte gern\w*) (?:bitte )?(?:kurze|knappe|ausführliche|nur"
        r"|immer|stets|kleine|lange|keine|einfache|direkte|lieber) ",
        r"\bwir (?:gehen mit|bleiben bei|setzen (?:auf|künftig)|steigen (?:auf|um)|stellen (?:\w+ ){0,3}um"
        r"|verzichten auf|verabschieden uns von"
        r"|unterstützen [^?]{2,40} nicht (?:mehr|länger))\b|\bnicht länger (?:unterstützt|verwendet)\b|\bfliegt raus\b",
        r"^(?:bei|für|in) (?!dies|der|dem|den)[^,?]{2,40} (?:nehmen|nutzen|verwenden|benutzen|schreiben|nimmt"
        r"|setzen|gilt|machen) (?:wir|man)?",
        r"\b(?:commits?|branches|branch-namen|tests?|migrationen|prs?|mrs?|merges?|releases?|logs?"
        r"|fehlermeldungen|kommentare|secrets|configs?"
        r"|variablen|tabellen|endpunkte|endpoints|deployments?|geldbeträge|daten|zeiten|zeitstempel)\b[^?,]{0,30}"
        r"\b(?:werden|sind|gehören|liegen|kommen|heißen|laufen|beginnen|stehen|schreiben wir"
        r"|bleiben)\b[^?]{0,30}\b(?:hier|bei uns|nur|immer|nie|stets|"
        r"nicht|alle|grundsätzlich)\b(?!.*\b(?:fehl|rot|kaputt|langsam|leer)\b)",
        r"\b(?:durchgängig|ausschließlich|einheitlich|konsequent)\b|, immer[.!]*$|, nie(?:mals)?[.!]*$",
        r"\b(?:wird|werden) (?:\w+ ){0,3}nicht (?:von hand|manuell|direkt) \w+|^niemals\b|^nie \w+",
        r"\b(?:freitags|montags|am wochenende|nach \d+ uhr)\b[^?]*\b(?:nicht|kein\w*|nie)\b",
        r"\b(?:grundsätzlich|prinzipiell|generell)\b",
        r"\bmir ist (?:\w+ )?wichtig,? dass\b",
        r"\b(?:ab (?:jetzt|sofort|heute|nun)|in zukunft|künftig|zukünftig|von nun an)\b"
        r"|^(?:bitte )?(?:nutze?|verwende?|nimm|benutze?) [^,?]{2,30} (?:statt|anstatt"
        r"|anstelle von) [^,?]{2,30}$",
        r"(?:^|[,;:.!–—-]\s*|\b(?:und|aber|bitte|also)\s)(?:immer|nie(?:mals)?|nie wieder|stets)\s+(?!so\b"
        r"|noch\b|mehr als\b|wieder die\b)\w+",
        r"\b(?:wir|man) (?:\w+ ){0,4}(?:immer|nie(?:mals)?|grundsätzlich|nur noch|nicht mehr"
        r"|kein\w* \w+ mehr|ausschließlich|stets|prinzipiell)\b",
        r"\b(?:immer|nie(?:mals)?|nicht mehr|auf keinen fall|unter keinen umständen"
        r"|keinesfalls)\b[^?]{0,80}\b\w{3,}en\b\s*(?:[,.;!)]|$)",
        r"\b(?:wir|das team) (?:haben|hat) (?:\w+ ){0,6}(?:beschlossen|entschieden|geeinigt|festgelegt"
        r"|vereinbart|abgemacht)\b|\bhaben wir (?:\w+ ){0,5}(?:beschlossen|entschieden|geeinigt|festgelegt"
        r"|vereinbart)\b|\bes ist (?:entschieden|beschlossen)\b",
        r"\bwir (?:nutzen|benutzen|verwenden|nehmen|setzen|schreiben|deployen|releasen|mergen|testen|machen"
        r"|arbeiten|committen|hosten)\b(?! das\b| es\b)"
        r"[^?]{0,80}(?:, nicht |\bhier\b|\bstatt\b|\bnur\b|\bkein\w*\b|\bimmer\b|\bmit\b|\bauf\b|\bin\b|\bbei uns\b)",
        r"\bbei uns\b|\bhier (?:im|in diesem|bei uns)\b|\bunsere? (?:konvention|regel|richtlinie|standard"
        r"|policy|vorgabe)\w*\b",
        rf"\bin (?:diesem|unserem|der) {_HOUSE}\b[^?]{{0,80}}\b(?:wir|immer|nie|nur|kein\w*|alle|jede\w*"
        rf"|gilt|gehört|gehören|muss|müssen|sind|ist)\b",
        rf"\b(?:im|in diesem|in unserem|im ganzen|in der) (?:ganzen |gesamten )?{_HOUSE}\b[, ]+(?:wir"
        rf"|verwenden|nutzen|benutzen|schreiben|gilt|ist|sind|gibt|werden|heißen)",
        r"\bich (?:\w+ ){0,2}(?:bevorzuge|mag(?! (?:die|den|das|diese)\b)|hasse|liebe|möchte (?:immer|nie"
        r"|nicht|keine?|lieber"
        r"|grundsätzlich)|hätte (?:gern\w*|lieber)|will (?:nie|keine?|immer|nicht)|arbeite|nutze|benutze"
        r"|verwende|bin (?:farbenblind|neu|anfänger\w*|legasthenik\w*|auf|unter|kein))\b(?! (?:die (?:erste"
        r"|zweite)|variante|option|das\b|es\b))",
        r"\b(?:mir ist lieber|mir sind .{2,60} lieber|lieber ist mir|ich finde .{2,60} (?:furchtbar"
        r"|schrecklich|unlesbar|besser))\b",
        r"\b(?:zum|das) (?:zweiten?|dritten?|vierten?|fünften?|zehnten?|x-ten|hundertsten?|letzten?"
        r"|\d+\.) mal\b[^?]*[:,–—]|\bwie oft (?:noch|soll|muss)\b|\bhab(?:e)? (?:ich )?(?:dir |es "
        r"|das )*(?:schon|bereits) (?:\w+ ){0,3}gesagt\b|\bich sag(?:te|e)? (?:es |das |dir )*(?:schon"
        r"|nochmal|immer wieder|zum)\b",
        r"\bhör (?:bitte )?(?:endlich )?auf,? |\blass (?:bitte )?(?:endlich )?(?:das|die|den) \w+ (?:sein"
        r"|weg)\b|\bdu kannst mich duzen\b|\bnenn mich\b",
        r"\b(?:nicht|kein\w*)\b[^?]*\b(?:ohne (?:mich|vorher|rücksprache|meine?)|es sei denn"
        r"|außer (?:wenn )?ich|wieder machen|mehr machen)\b",
        r"\bjedes ?mal,? wenn\b|\bjedes mal\b|\bwenn ich .{2,40} sage,? meine ich\b|\bausnahmslos\b"
        r"|\bohne ausnahme\b|\b(?:ist|sind) (?:hier |bei uns )(?:verboten|tabu|pflicht)\b",
        r"\b(?:antworte|antworten|schreib|erklär)\w* (?:mir )?(?:bitte )?(?:immer|stets|nur|künftig|grundsätzlich)\b",
        r"\bmein\w* (?:muttersprache|zeitzone|editor|shell|name) (?:ist|sind)\b",
    ),
    medium=(
        r"^[\w-]+(?:s|en|er|e|n)? (?:brauchen|liegen|kommen aus|laufen (?:auf|in|über)|stehen in|heißen"
        r"|beginnen mit|enden auf|gehören)\b",
        r"^[\w -]{3,40} (?:bitte )?auf (?:englisch|deutsch)\b",
        r"\bnicht in [\w/.]+[.!]?$|, sondern\b|, nicht (?:in|mit|auf|per|über) ",
        r"\bnie(?:mals)?\b|\bimmer\b",
        r"\b(?:gehört|gehören|kommt|kommen|liegt|liegen|gehen|geht|leben|stehen) (?:\w+ ){0,3}(?:in|unter"
        r"|nach|über|ins|auf|raus|nur)\b",
        r"^(?:alle|jede[rsnm]?|kein\w*|nur|neue) .*\b(?:muss|müssen|sind|ist|werden|wird|brauchen|braucht"
        r"|sollen|bekommen|bekommt|gehen|kommen)\b",
        r"\b(?:darf|dürfen|soll|sollen) (?:\w+ ){0,4}(?:nicht|nur|nie|kein\w*)\b|\b(?:ist|sind) (?:verboten"
        r"|tabu|pflicht|eingefroren|schreibgeschützt)\b",
        r"^(?:bitte )?(?:nimm|nutze?|benutze?|verwende?|schreib\w*) .{2,60}(?:, nicht | statt | anstatt | anstelle )",
        r"^kein\w* [\w -]{3,40}(?:[.,;!]|$)|\bnur[.!]?$|\b(?:statt|nicht mit|nicht per)\b",
        rf"\b(?:in diesem|in unserem|im) {_HOUSE}\b|\bhier\b[^?]*\b(?:wir|man|nur|kein\w*|sind|ist|heißen)\b",
        r"\bwird nicht mehr unterstützt\b|\b(?:werden|wird) nicht (?:von hand|direkt|manuell)\b"
        r"|\bwerden (?:aus|von|als|mit|in|per|über) .{2,60}(?:generiert"
        r"|gespeichert|gebaut|deployt|verwaltet|gepflegt)\b",
        r"\b(?:muss|müssen)\b",
    ),
    weak=(
        r", nicht | statt ",
        r"\b(?:muss|müssen|soll|sollen|sollte|darf)\b",
        r"\b(?:unsere?|wir|man)\b",
        r"\bweil\b|\bsonst\b|\bdamit\b",
        r"\bnur\b|\bkein\w*\b|\bwerden\b|\bgehör\w+\b|\bsind\b",
    ),
    carries=(
        r"\bwie oft (?:noch|soll|muss)\b|\b(?:zum|das) (?:\w+ten?|\d+\.|x-ten) mal\b"
        r"|\bschon (?:\w+ ){0,2}gesagt\b|\bso machen wir das (?:hier )?nicht\b"
        r"|^(?:bitte )?(?:merk\w* dir|notier\w*|denk dran|zur erinnerung)(?: (?:bitte|das|folgendes|mal"
        r"|für .*))*[.!:]*$"
        r"|\b(?:ein paar|zwei|drei|einige|paar) (?:sachen|dinge|regeln|punkte|hinweise|konventionen)\b"
        r"|^(?:noch (?:was|etwas) )?für die zukunft[.!:]*$"
    ),
    corrects=(
        r"nein\b|nee\b|ne\b|falsch\b|nicht (?:so|da|dort|schon wieder)\b|stop+\b|schon wieder\b|wieder\b"
        r"|das (?:ist|war) falsch\b|so nicht\b|jetzt hast du schon wieder\b"
    ),
    points_back=(
        r"^(?:bitte |und |also )*(?:mach|halt|behalt)\w* (?:das|es) (?:\w+ ){0,3}(?:so|immer|künftig"
        r"|in zukunft|ab jetzt|überall)\b"
        r"|^(?:immer|grundsätzlich|dauerhaft|für immer|ohne ausnahme|ausnahmslos)[.!]*$|^merk (?:dir )?(?:das|es)\b|"
        r"^(?:(?:bitte|und|also) )*(?:merk\w* (?:dir|sie sich) (?:das|dies|es)|behalte? das"
        r"|notier\w* (?:dir )?das|speicher\w* (?:dir )?das|schreib\w* (?:dir )?das (?:auf|ins? ))(?!.*:)"
        r"|^das gilt (?:\w+ )?(?:immer|generell|für alle\w*|überall|grundsätzlich|auch|ab|künftig"
        r"|in zukunft)|^das ist (?:eine?|unsere?|die) (?:\w+ )?regel\b"
    ),
    heading=(
        r"\b(?:merk\w*|regeln?|konventionen|gelten|gilt|beachten|in zukunft|künftig|ab jetzt|ab sofort|zukunft"
        r"|vorlieben|grundsätzlich|entscheidungen|beschlossen|wissen solltest|richtlinien|standards|notier\w*"
        r"|immer|nie)\b"
    ),
    once=(
        r"\b(?:in|bei|für) diese[rmsn]? (?:\w+ )?(?:funktion|datei|methode|klasse|modul|komponente|test|skript"
        r"|script|query|schleife|zeile"
        r"|abschnitt|absatz|view|seite|formular|notebook)\b|\b(?:nutze?|verwende?|nimm|benutze?|setz\w*|pack"
        r"|mach\w*|schreib\w*) (?:\w+ )?(?:hier|da)\b"
        r"|\bdie \w+ noch zu \w+|\bbevor du gleich\b|\bbis heute abend\b|\b(?:dieses ?mal|diesmal"
        r"|nur (?:dieses mal|diesmal|einmal|heute|jetzt)|ausnahmsweise|fürs erste"
        r"|vorerst|vorläufig|erst ?mal|erstmal|im moment|momentan"
        r"|für (?:jetzt|heute|den moment|diesen? \w+|diese \w+)|(?:bei|in) dies(?:er|em) (?:änderung|pr|mr"
        r"|commit|branch|ticket|task|aufgabe|session|sitzung|refactoring|fall|datei|umbau|chat)"
        r"|heute(?! (?:an|beschlossen))|gerade|bis (?:morgen|ich|wir|der|die|das|zum|dann|nächste)"
        r"|wenn du fertig(?! bist,? \w+ (?:immer|jedes mal|stets))|sobald du|am ende noch|danach (?:kannst"
        r"|wieder)|nur bei|noch nicht|jetzt noch"
        r"|hier (?:mal|kurz))\b"
    ),
    narrows=r"(?:aber )?nur\b|danach\b|ausnahmsweise\b",
    foreign=(
        r"^(?:das|es|dies) sollte\b|"
        r"\b(?:diese[rsnm]?|die|der) (?:funktion|klasse|methode|datei|variable|tabelle|spalte"
        r"|komponente) (?!(?:muss|darf|soll))|\bviel zeit\b|\bnoch nie\b|"
        r"^du kannst (?!mich\b)|^der nutzer |"
        r"\b(?:feier\w*|einladung|mittagessen|party)\b|^(?:der|die|das|ein|eine"
        r"|jede[rs]?) [\w-]+(?: [\w-]+)? soll(?:te)? (?:\w+ ){0,3}(?:immer|nie|stets|niemals)?\b(?!.*\b(?:wir"
        r"|bei uns|hier)\b)"
        r"|\bschlägt immer\b|\b(?:immer|nie) (?:\w+ ){0,3}(?:fehl|ab|hängen|rot|leer)\b|\bsagte?n?\b"
        r"|\bmein\w* (?:kolleg\w+|chef\w*|boss)\b"
        r"|\bwir haben (?:ein problem|einen bug|einen fehler)\b|\b(?:trotzdem|aber) (?:\w+ ){0,4}(?:schlecht"
        r"|langsam|nicht|kaputt)\b"
        r"|\bseit (?:dem|gestern|heute|letzte)\b|, schau mal\b|\bich (?:hatte|habe) mir gemerkt\b|\b(?:treffen"
        r"|meeting|termin) (?:\w+ ){0,2}verschieben\b|"
        r"^ich (?:glaube|denke|vermute|schätze)\b|, (?:bau|fix|änder|korrigier|mach)\w* (?:das|es|bitte)\b"
        r"|\b(?:im|in der|laut) (?:ticket|doku|readme|wiki|spec)\w*\b|"
        r"^(?:der|die|das|dieser?|dieses|mein\w*) [\w-]+ (?!ist\b|gehört\b|kommt\b|liegt\b"
        r"|geht\b)\w+t (?:\w+ ){0,3}(?:immer|nie)\b|"
        r"(?<!\bich )(?<!\bwir )\b(?:sagt|sagte|meint|meinte|schreibt|schrieb|behauptet|empfiehlt|empfahl"
        r"|findet|glaubt|will|möchte|verlangt|fordert)\b(?! (?:ich|wir)\b)"
        r"|\b(?:hat|haben) (?:mir |uns )?(?:\w+ ){0,4}(?:gesagt|gemeint|geschrieben|erzählt"
        r"|empfohlen)\b(?<!dir gesagt)(?<!schon gesagt)|\blaut (?:der|dem|doku|readme|\w+)\b|\bangeblich\b"
        r"|\bsteht(?:,| dass| in)\b"
        r"|\b(?:früher|damals|einst|seinerzeit|im alten job|letzte[nr]? (?:firma|job|projekt)|(?:seit "
        r"|im jahr )?(?:19|20)\d\d (?:haben|hat|wurde))\b|\bhatten?\b|\b(?:habe|hab"
        r"|hast) (?:\w+ ){0,3}(?:immer|nie)\b|\bwaren?\b"
        r"|^(?:\w+,? )?(?:falls|wenn (?!du\b|ihr\b|ich\b|man\b)|angenommen|gesetzt|was wäre|würde|hätten"
        r"|vielleicht|eventuell|ob"
        r"|sollten wir|stell dir vor)\b|\bvielleicht\b|\birgendwann\b|\bich frage mich\b|\bnicht sicher\b"
        r"|^(?:der|die|das|dieser?|dieses|es|er|sie|mein|meine)\b(?! (?:\w+ ){0,6}(?:muss|müssen|darf"
        r"|dürfen|soll|sollen|gehör\w+|werden\b.*\bgeneriert))[^,]*\b(?:läuft|liefert|gibt|macht|bleibt"
        r"|funktioniert|geht|kommt|wirft|lädt|hängt|endet|startet|zeigt|verliert|bricht|antwortet|reagiert"
        r"|öffnet|schließt|verbindet|wird) (?:\w+ ){0,3}(?:nie|immer|niemals)\b"
    ),
    question=(
        r"(?:soll(?:en|te|ten|st)?|kann|kannst|können|könnte|könntest|ist|sind|hat|hast|haben|muss|müssen|darf"
        r"|dürfen|warum|wieso|weshalb|was|wie|wann|wo|welche\w*|wer|wessen|weißt|weisst|erinnerst|macht|gibt"
        r"|würde|würdest|willst|wollen|bevorzugst|magst)\s+(?:wir|du|ich|man|es|das|die|der|sie|er|ihr"
        r"|eigentlich|mir|dir|ist|sind|war|hat|haben|kann|soll|sollte|muss|lieber|noch)\b"
    ),
    polite=(
        r"(?:kannst|könntest|würdest|magst) du (?:\w+ ){0,3}(?:immer|nie|künftig|in zukunft|ab jetzt|dir merken"
        r"|aufhören|grundsätzlich)\b"
    ),
    order=(
        r"(?:(?:bitte|kannst du|könntest du|dann|jetzt|mal|und) )*(?:leg (?:den|die|das|ein)|pack (?:den|die"
        r"|das)|nenn(?! mich)\w*|änder\w*|ersetz\w*"
        r"|bau\w*|füg\w*"
        r"|schreib(?:e)? (?:\w+ )?(?:ein\w*|den|die|das)|erstell\w*|implementier\w*|übersetze?|benenn\w*"
        r"|korrigier\w*"
        r"|fix\w*|mach(?:e)? (?:\w+ )?(?:den|die|das|ein\w*)|prüf\w*|zeig\w*|erklär\w* (?:mir )?(?:den|die"
        r"|das|wie|was)|fass(?! bitte nicht| nicht)\w*|verschieb\w*|entfern\w*|lösch\w*|setz\w* (?:den|die"
        r"|das)|pass\w* .*an\b"
        r"|refaktor\w*|refactor\w*|schau\w*|such\w*|find\w*|formulier\w*|teste?\b|committe?\b|pushe?\b)\b"
    ),
    person=(
        r"\b(?:ich|mir|mich|mein\w*)\b|\bantwort\w*\b|\berklär\w*|\bzusammenfassung\w*|\bemojis?\b"
        r"|\bduzen\b|\bsiezen\b|\bton\b|\bentschuldig\w*|\bauf deutsch\b|\bfloskel\w*"
    ),
    choice=(
        r"\b(?:lieber|bevorzuge|mag|besser|nehme|nehmen)\b[^.?]{0,40}\b(?:option|variante|version|ansatz"
        r"|vorschlag|erste[nrs]?|zweite[nrs]?"
        r"|letztere[nrs]?|[ab]\b[.!,]*$)\b|, (?:mach das|leg los|nimm die)\b"
    ),
    hands_over=(
        r"(?:bitte |also |dann |und )*(?:bau|implementier|fix|behebe?|reparier|find|debug|schau)\w* (?:das|es"
        r"|mal|den fehler|heraus|raus)\b"
        r"|wie(?:so| kommt)\b|woran liegt\b|warum\b|finde? (?:den|heraus)\b"
    ),
    trouble=(
        r"\b(?:kaputt|fehlgeschlagen\w*|langsam|leer|rot|fehlt|fehlen|falsch|doppelt|abgestürzt|hängt|fehler"
        r"|bug|seit)\b"
        r"|[,;] (?:also |und |bitte )*(?:schau|deaktivier|aktivier|setz|nimm|mach|änder|leg|bau|schreib|füg"
        r"|lösch|prüf|fix|zeig|starte|räum)\w*\b"
    ),
    several=(
        r"\b(?:zwei|drei|vier|\d|paar|einige|folgende) (?:kurze |wichtige |kleine )?(?:dinge|sachen|punkte"
        r"|regeln|hinweise|fakten|infos)\b"
    ),
    between=r";\s+|,?\s+und (?=\w)|,\s+(?=(?:der|die|das|wir|ich|unsere?|und)\b)",
    decision=(
        r"\b(?:beschlossen|entschieden|entscheidung|geeinigt|festgelegt|vereinbart|abgemacht"
        r"|nicht mehr unterstützt|beschluss)\b"
    ),
    correction=r"\b(?:\w+ten mal|schon (?:\w+ )?gesagt|wie oft|schon wieder|hör auf|falsch)\b",
    cuts=(r"\b(?:und|aber|weil|denn)\s+",),
    forget=(
        r"(?:vergiss|ignorier\w*|streich\w*),? (?:bitte,? )?(?:alles,? )?(?:was|das,? was) (?:ich"
        r"|wir) (?:dir )?(?:vorhin |gestern |mal |eben )?(?:über|zu|zum|zur|wegen"
        r"|bezüglich) (?P<about>[^.,;!?\n]{2,80}?)(?: gesagt| erzählt| beschlossen| meinte)"
        r"|(?:vergiss|streich\w*|ignorier\w*) (?:bitte )?(?:die|meine|unsere) (?:regel|vorliebe"
        r"|entscheidung|notiz) (?:über|zu|zum|zur|mit|bezüglich) (?P<about2>[^.,;!?\n]{2,120})"
    ),
)
