"""How people teach in French."""

from __future__ import annotations

from memlane.catch.teachings.rules import TeachingRules

_FUTURE = (
    r"(?:dorénavant|désormais|à partir (?:de maintenant|d'aujourd'hui|de là)|à l'avenir|dès (?:maintenant"
    r"|à présent)|pour (?:la suite|l'avenir|les prochaines (?:fois|sessions)|la prochaine fois|plus tard"
    r"|toujours)"
    r"|la prochaine fois|(?:en )?règle générale|par défaut(?!,? (?:le|la|les|il|elle|ça)\b|,? l')|pour (?:les"
    r"|tous les|toutes les) (?:prochaine?s?|futur\w*) \w+|en général|d'une manière générale"
    r"|de manière générale|une (?:bonne )?fois pour toutes|par principe|par convention)"
)
_HOUSE = (
    r"(?:repos?|produit|application|service|dépôt|projet\w*|code|codebase|base de code|équipe|boîte|monorepo|appli\w*)"
)

RULES = TeachingRules(
    language="fr",
    padding=(
        r"(?:ok|bon|bah|ben|alors|donc|eh bien|hm+|attends?|désolé|salut|ah|oh|et|mais|oui|ouais|non|super"
        r"|parfait|nickel|merci|cool|génial|au passage|d'ailleurs|par contre|sinon|aussi|stp|svp"
        r"|s'il te plaît|s'il vous plaît"
        r"|(?:encore |juste )?une (?:petite )?chose|autre chose|petite précision|petit rappel|attention"
        r"|important|en fait|bref|du coup|ps|pas là|pas ça)(?:[\s,.:!;…–—-]+|$)"
    ),
    ending=r"[\s,;:]*(?:stp|svp|s'il te plaît|s'il vous plaît|merci|ok|d'accord|:\)|;\)|🙏|👍)?[\s.!]*",
    opener=(
        r"^(?!(?:traduis|résume|corrige|écris|vérifie|explique|reformule))[^:.?]{0,60}\b(?:mémoire|retenir"
        r"|retiens|retenez|oublier|oublie|oubliez|claude\.md"
        r"|agents\.md|règles?|consignes?|conventions?|noter|notes?|info|infos|rappel|correction|savoir|saches"
        r"|sache|tête|précision|principe|acté|validé"
        r"|décision|d'accord|convenu|prochaines fois|la suite)\b[^:.?]{0,40}\s?:\s*"
        r"|\b(?:claude|agents)\.md (?:que |qu')"
        r"|^(?:veuillez|merci de|il faut|tu dois|vous devez|prière de)\b[^:.?]{0,30}\b(?:noter|savoir|saches"
        r"|sachiez|retenir|tenir compte|garder (?:à l'esprit|en tête))"
        r"\b[^:.?]{0,30}?(?:\bque |\bqu'|:\s)|\bdu fait (?:que |qu')"
        r"|^(?:pour (?:ton |votre )?info(?:rmation)?|fyi|à titre d'info(?:rmation)?|sache"
        r"|bon à savoir)[,:–—]?\s+(?:que |qu')?"
        r"|"
        r"(?:^|[,;.–—-]\s*|\b(?:et|mais|donc|alors)\s)(?:stp |svp |et |s'il te plaît,? )*(?:retiens|retenez"
        r"|mémorise|souviens-toi|souvenez-vous|rappelle-toi|note(?:z)?(?: bien)?"
        r"|garde(?:z)? (?:bien )?(?:à l'esprit|en tête|ça en tête|en mémoire)|n'oublie(?:z)? (?:pas|jamais)"
        r"|sache(?:z)?|pour (?:info|rappel|mémoire|ta gouverne)|à (?:retenir|savoir|noter)|prends? note"
        r"|enregistre)[^:,.]{0,50}?(?:\s*[:–—]\s*|\s+(?:que\s|qu')|, (?=(?:on|nous|nos|les?|la|toujours"
        r"|jamais|ne)\b))"
        rf"|(?:^|[,;.–—-]\s*)(?:et |mais |donc |par contre,? |aussi "
        rf"|stp )*{_FUTURE}[^:,.]{{0,25}}?(?:\s*[:–—]\s*|,\s*|\s+)"
        rf"|^[^:.]{{0,60}}\b{_FUTURE}\b[^:.]{{0,30}}:\s*"
        r"|^(?:règle|convention|décision|rappel|consigne|note)s?\s*[:–—]\s*"
        r"|^[^:.]{0,50}\b(?:acté|décidé|tranché|validé|convenu|fois|règle|rappel)\b[^:.]{0,40}:\s*"
    ),
    strong=(
        r"\bne (?:résume|explique|répète)\w* pas\b|\bne t'excuse pas\b",
        r"\ben aucun cas\b|\bsous aucun prétexte\b|\bsans me (?:demander|prévenir)\b",
        r"^on (?!a\b|est\b)\w+ [^,?]{2,40}, (?:pas|sans|jamais|aucun\w*) (?!sûr|encore)\w+|\bdans (?:tous nos"
        r"|toutes nos|chacun de nos)\b",
        r"\btes (?:réponses|explications|résumés|messages|commits)\b|\bon ne \w+ pas, on \w+",
        r"\bsont (?:géré|maintenu|stocké|généré|écrit|traduit)e?s? (?:dans|par|avec|sur|via|en)\b[^?]*\bdonc\b",
        r"^(?:notre|nos) [\w ]{2,30} toujours \w+",
        r"^si tu (?:n'es pas sûre?|as un doute|ne sais pas|hésites)\b|^en cas de doute\b|\bje (?:débute"
        r"|suis débutante?|ne connais pas|suis nouveau)\b[^?]*\b(?:donc|explique)\b",
        r"\b(?:tutoie|vouvoie|appelle)(?:z)?-moi\b|\bdemande(?:z)?-moi (?:toujours |d'abord )?(?:avant|si)\b"
        r"|\b(?:pas besoin|inutile) de me demander\b"
        r"|\bdemande (?:toujours )?(?:à \w+ )?avant (?:de|d')\b",
        r"\bje (?:veux|voudrais|souhaite|préférerais) (?:toujours |uniquement |seulement )?(?:des|que tu"
        r"|de petit\w*|du) (?!\w+ ici\b)\w+|\bj'aime(?:rais)? pas\b"
        r"|\bj'aime (?:bien )?(?:quand|les|que)\b",
        r"\bn'est plus (?:supporté|pris en charge|utilisé|maintenu)\w*|\bne sont plus (?:supporté"
        r"|pris en charge|utilisé|maintenu)\w*"
        r"|\bon (?:reste|part|passe|bascule|garde|abandonne) (?:sur|avec|à|en|sous)?\b(?! (?:ça|cette|ce)\b)",
        r"\bon ne \w+ (?:rien|pas|plus|jamais)\b|\b(?:le|tous les) (?:vendredi|lundi"
        r"|week-end)s?\b[^?]*\b(?:pas|rien|jamais)\b|\b(?:pas|rien|jamais)\b[^?]*\ble vendredi\b",
        r"^quand je (?:pose|demande|dis|parle|colle|donne|t'envoie|signale)\b[^,?]*, ",
        r"\b(?:dans|sur) (?:ce|notre|cette) " + _HOUSE + r"\b[^?]*\b(?:sont|est|toujours|jamais|on|doit|doivent|se)\b",
        r"\b(?:sont|est|doit|doivent|se \w+) toujours\b(?!.*\b(?:cassée?s?|rouges?|vides?|null|lente?s?|bloquée?s?)\b)",
        r"\bc'est \w+ et pas \w+|\bon dit\b.*\bpas\b|, (?:toujours|jamais)[.! ]*$|\bpartout, y compris\b",
        r"\b(?:les|nos|toutes les|tous les) [\w' -]{3,40} (?:sont|vont|passent|partent|suivent|restent"
        r"|commencent|se \w+ent) (?:toujours |tous |toutes )?"
        r"(?:en|dans|par|sur|de|avec|squash\w*|préfixé\w*|nommé\w*|écrit\w*|stocké\w*|sous)\b(?!.*\b(?:erreur"
        r"|panne|échec|rouge|double|retard)\b)",
        r"\b(?:on est|nous sommes|on a) (?:déjà |désormais )?(?:passée?s?|migré|basculé)\b",
        r"\b(?:dorénavant|désormais|à l'avenir|à partir de maintenant)\b",
        r"\bne\s+\w+(?:[ -]\w+)?\s+(?:plus )?jamais\b|\bn'\w+(?: \w+)? (?:plus )?jamais\b|(?:^"
        r"|[,;:.–—-]\s*)(?:jamais|toujours)\s+(?!eu\b|vu\b|été\b|pas\b|le même\b)\w+|\bplus jamais\b",
        r"\b(?:on|nous) (?:ne |n')?(?:\w+ ){1,3}(?:toujours|jamais|plus|que|uniquement|systématiquement"
        r"|exclusivement)\b|\bon (?:n'|ne )\w+ (?:pas|plus|jamais|que)\b",
        r"\b(?:on a|nous avons|l'équipe a) (?:\w+ ){0,3}(?:décidé|choisi|convenu|acté|tranché|validé"
        r"|abandonné|opté)\b|\bc'est (?:acté|décidé|tranché|validé|la règle|une règle)\b|\bon (?:abandonne"
        r"|arrête|passe à|passe sous|migre|laisse tomber|part sur|reste sur|garde)\b",
        r"\bon (?:utilise|écrit|déploie|nomme|met|fait|passe|travaille|livre|merge|teste|range|préfixe"
        r"|versionne|suit)\b[^?]{0,80}(?:, pas |\bici\b|\bplutôt que\b|\bau lieu\b|\bseulement\b"
        r"|\buniquement\b|\bavec\b|\bdans\b|\ben\b|\bpar\b|\bpas\b)",
        r"\bje (?:\w+ ){0,2}(?:préfère|préférerais|déteste|adore|veux (?:toujours|jamais)|ne veux (?:pas"
        r"|plus|jamais)|n'aime pas|ne supporte pas|suis (?:daltonien\w*|débutant\w*|sous|nouveau|nouvelle"
        r"|dyslexique)|travaille|bosse|utilise)\b(?! (?:la (?:première|deuxième|seconde)|l'option"
        r"|le (?:premier|second|deuxième)|ça\b))|\bj'(?:aime|adore|utilise|aimerais (?:toujours"
        r"|que tu))\b(?! (?:bien l'idée|ça\b|cette|bien cette))",
        r"\b(?:ça fait|c'est|voilà) (?:la |déjà |bien )*(?:deux|trois|quatre|cinq|dix|deuxième|troisième"
        r"|quatrième|\w+ième|\d+\w*) fois que (?:je|j')|\bcombien de fois\b|\bje (?:te )?l'ai (?:déjà"
        r"|bien) dit\b|\bje (?:le |te le )?répète\b|\bcomme je (?:l'ai|te l'ai)? ?(?:déjà )?dit\b"
        r"|\bje t'ai déjà dit\b",
        r"\b(?:chez nous|ici,? on|dans (?:ce|notre|tout le|le|cette|notre) "
        + _HOUSE
        + r")\b[^?]*\b(?:on|nous|toujours|jamais|va|vont|tous|toutes|pas|se|sont|est|doit|doivent|aucun\w*)\b"
        r"|\bchez nous\b",
        r"\b(?:notre|nos) (?:convention|règle|politique|standard|usage)s?\b|\bsans exception\b"
        r"|\bà chaque fois\b|\bsystématiquement\b|\b(?:est|sont) (?:interdit|proscrit|obligatoire"
        r"|banni)\w*\b",
        r"\barrête(?:z)? (?:donc |enfin )?(?:de|d'|avec)\b|\bcesse de\b|\bévite(?:z)? (?:de|d'|les?"
        r"|toujours)\b[^?]*\b(?:toujours|jamais|je trouve|je déteste)\b|\btu peux me tutoyer\b"
        r"|\bappelle-moi\b|\btutoie-moi\b",
        r"\b(?:pas|plus|jamais|rien)\b[^?]*\b(?:sans (?:me|mon|ma|que je)|sauf si je|à moins que je)\b"
        r"|\bquand je dis\b.*\bje (?:veux dire|parle)\b",
        r"\bréponds?-moi (?:toujours|en \w+)|\b(?:réponds|explique|écris)(?:-moi)? toujours\b"
        r"|\bassure-toi (?:de )?toujours\b|\bil (?:ne )?faut (?:toujours|jamais)\b|\btu dois (?:toujours"
        r"|jamais)\b",
    ),
    medium=(
        r"^n'(?:utilise|ajoute|écris|emploie|invente|installe)s?z? (?:pas|jamais|plus) (?:d'|de |les? "
        r"|ça )?(?!.*\b(?:ici|encore|ce|cette)\b)",
        r"^(?:ne|n') ?(?:mets|fais|commente|touche|crée|modifie)\w* (?:pas|plus|jamais) (?:de "
        r"|d')\w+(?!.*\b(?:ici|encore|ce|cette)\b)",
        r"\bdoit être (?!.*\b(?:ce soir|demain)\b)\w+|\bdoivent \w+",
        r"\bse (?:génèrent|régénèrent|lancent|déploient|trouvent|rangent|nomment) (?:avec|dans|via|par|sous)\b",
        r"^(?:le|la|l'|notre) ?[\w' -]{2,40} (?:est|s'appelle|se trouve) (?!(?:cass|lent|vide|roug|en panne"
        r"|null|toujours|en erreur|faux|fauss))[^,?]{2,40}, (?:et )?pas\b",
        r"\b(?:intouchables?|tabou|sacrés?)\b|^toute \w+|\bpersonne ne\b|^toute nouvelle\b",
        r"\b(?:va|vont|vit|vivent|se trouvent?|passent?|restent?|se mettent?"
        r"|se range\w*) (?:\w+ ){0,2}(?:dans|sous|par|en|via)\b",
        r"^(?:tous|toutes|tout|chaque|aucun\w*|pas de|seuls?|seules?|les nouveaux"
        r"|les nouvelles) .*\b(?:doit|doivent|est|sont|passent?|faut|vont|va|ont|suivent|utilisent)\b",
        r"\b(?:doit|doivent) (?:\w+ ){0,2}(?:toujours|jamais|être|passer)\b|\bne (?:doit|doivent|peut"
        r"|peuvent)\b|\bil faut\b|\binterdit\w*\b|\bobligatoire\w*\b|\bgel[ée]s?\b",
        r"^(?:utilise|prends|mets|écris|lance|installe)\w*\b.{2,60}(?:, pas | au lieu d| plutôt qu)"
        r"|\bet pas\b|, pas \w+",
        r"^(?:pas|jamais|aucun\w*|zéro|rien) (?:de |d')?[\w' -]{3,40}(?:[.,;!]|$)|\buniquement\b"
        r"|\bseulement[.!]?$|\brien d'autre\b",
        rf"\bdans (?:ce|notre|tout le|cette) {_HOUSE}\b|\bici\b[^?]*\b(?:on|les|tout|jamais|toujours)\b",
        r"\b(?:toujours|jamais)\b",
        r"\bsont (?:générés?|écrasés?|écrits?|stockés?|déployés?|gérés?) (?:par|depuis|dans|au|en|avec)\b"
        r"|\bsuivent la convention\b|\bà éviter\b",
    ),
    weak=(
        r", pas | au lieu de ",
        r"\b(?:doit|doivent|faut)\b",
        r"\b(?:notre|nos|on)\b",
        r"\bparce que\b|\bcar\b|\bsinon\b|\bpour que\b",
        r"\bne\b.*\bque\b|\bsont\b|\bva\b|\bvont\b",
    ),
    carries=(
        r"\bcombien de fois\b|\bfois que je\b|\bje (?:te )?l'ai déjà dit\b|\bce n'est pas comme ça qu'on\b"
        r"|\bc'est pas comme ça qu'on\b|^(?:retiens|note|souviens-toi|rappelle-toi)(?: (?:bien|ça|ceci|stp"
        r"|svp|pour .*))*[.!: ]*$"
        r"|\b(?:quelques|deux|trois|plusieurs) (?:petites? )?(?:choses|règles|trucs|points|conventions"
        r"|consignes)\b|^pour (?:la suite|l'avenir|la prochaine fois)[.!: ]*$|^c'est (?:acté|décidé)\b"
    ),
    corrects=r"non\b|pas (?:là|comme ça|ça)\b|faux\b|encore\b|stop\b|c'est (?:faux|pas (?:ça|bon))\b|mauvais\w*\b",
    points_back=(
        r"^(?:toujours|à chaque fois|partout|sans exception|définitivement|pour toujours"
        r"|systématiquement)[.! ]*$|^c'est la règle\b"
        r"|^(?:stp |svp )?(?:fais|garde|continue)(?:-le)? (?:ça |comme ça |ainsi )[^:?]*\b(?:toujours|partout"
        r"|désormais|à chaque|à l'avenir)\b|"
        r"^(?:(?:stp|svp|et|s'il te plaît),? )*(?:retiens|retiens-le|note|garde|mémorise|souviens-toi"
        r"|rappelle-toi)(?:-le| le| ça| cela| de ça| bien ça)[^:]*$"
        r"|^(?:ça|cela|c'est) (?:vaut|valable|s'applique) (?:pour|partout|toujours|aussi)\b|^c'est (?:une"
        r"|la|notre) règle\b"
    ),
    heading=(
        r"\b(?:retiens|retenir|règles?|conventions?|à savoir|noter|note|dorénavant|désormais|pour la suite"
        r"|à l'avenir|préférences|décisions?|décidé|rappels?|consignes|standards|toujours|jamais|en tête"
        r"|valables?)\b"
    ),
    once=(
        r"\bdans (?:cette|ce) (?:fonction|fichier|méthode|classe|module|composant|test|script|requête|boucle"
        r"|ligne|section|paragraphe|vue|page"
        r"|notebook)\b|\b(?:utilise|mets|prends|écris|remplace)\b[^,?]{0,30}\bici\b|\b(?:à )?la ligne \d+"
        r"|\bligne \d+|\bavant (?:ce soir|demain|lundi)\b|\b(?:(?:pour )?cette fois(?:-ci)?"
        r"|juste (?:cette fois|une fois|pour|aujourd'hui|là)"
        r"|pour (?:l'instant|le moment|aujourd'hui|cette? (?:pr|tâche|modif\w*|fois|session|branche|commit"
        r"|ticket|refacto\w*|migration|étape|conversation)|ce (?:commit|ticket|fichier|refactoring|coup"
        r"|changement))"
        r"|dans (?:cette (?:session|pr|branche|conversation)|ce (?:ticket|commit))|aujourd'hui(?! on a)"
        r"|exceptionnellement|temporairement|tout de suite|(?<!réponds )d'abord|jusqu'à (?:ce|demain|lundi|la|nouvel"
        r"|que)|quand (?!.*\btoujours\b)(?:tu as|t'as|t'auras|tu auras|c'est) (?:fini|terminé)|une fois (?:que"
        r"|fini|terminé)"
        r"|avant de (?:finir|terminer)|ce (?:soir|matin)(?! on)|en ce moment|pas encore)\b"
    ),
    narrows=r"(?:mais )?(?:seulement|juste|uniquement)\b|après\b",
    foreign=(
        r"^ça ne devrait\b|"
        r"\b(?:cette|ce|cet|ces) (?:fonction|fichier|classe|méthode|variable|table|colonne|composant|test"
        r"|bouton|erreur)s?\b|\bde temps\b|\bje n'ai jamais\b|^(?:les|le|la|ces|cette) [\w ]{2,20} (?:ne "
        r"|n')\w+ (?:jamais|plus)\b(?!.*\b(?:doit|doivent)\b)|"
        r"^tu peux toujours\b|^l'utilisateur |"
        r"\b(?:fêter|invitation|déjeuner|soirée)\b|^(?:la|le|l'|cette|ce|chaque) ?[\w-]+ (?:doit|devrait"
        r"|devra) (?:toujours |jamais )?(?:renvoyer|retourner|afficher|se souvenir|garder|ouvrir|fermer"
        r"|mémoriser"
        r"|enregistrer|rester|pouvoir)\b|\b(?:ma|mon|mes) (?:collègues?|chef\w*|boss|prof\w*)\b"
        r"|\béchoue(?:nt)? toujours\b|\btoujours (?:en )?(?:échec|rouge|cassé)"
        r"|\bon a un (?:souci|problème|bug)\b|\bmais (?:le|la|les|ça|il|elle)\b[^?]*\b(?:mauvais\w*|lent\w*"
        r"|échoue\w*|marche pas|plante)\b"
        r"|\bl'an dernier\b|\bl'année dernière\b|\bon avait\b|\bmdr\b|\bdisait\b|^garde toujours\b"
        r"|\bn'expire jamais\b|\bne (?:marche|fonctionne|finit|répond|part) jamais\b|"
        r"^je (?:crois|pense|suppose)\b|, corrige(?: ça|-le| cela)\b|\b(?:le|la) (?:ticket|doc|readme|spec"
        r"|wiki) (?:dit|indique|précise)\b|"
        r"^(?:le|la|l'|ce|cet|cette|mon|ma|il|elle) ?[\w-]+ (?!est\b|doit\b|va\b|passe\b|faut\b)\w+ toujours\b|"
        r"(?<!\bje )(?<!\bj'ai )(?<!l'ai )\b(?:dit|disent|disait|écrit|pense|pensent|prétend|recommande"
        r"|conseille|affirme|veut|veulent|demande|a dit|ont dit|trouve que)\b(?: (?:que|qu'|de|d'|toujours"
        r"|jamais|il))"
        r"|\bd'après\b|\bselon\b|\bapparemment\b|\bil paraît\b|\b(?:avant(?=,? (?:on|je|nous|c'était)\b)"
        r"|autrefois|à l'époque|dans mon ancien\w*|mon ancienne|en (?:19|20)\d\d)\b,? (?:on|je|nous|c'était"
        r"|boulot|boîte|travail|\w+)|\b\w+(?:ait|aient|ions)\b (?:toujours|jamais)"
        r"|^(?:\w+,? )?(?:si (?:on|nous|je|tu(?! (?:n'es pas sûr|as un doute|ne sais pas|hésites))|jamais|l')"
        r"|supposons|imagine|imaginons|admettons|au cas où"
        r"|peut-être|et si)\b|\bpeut-être\b|\bje me demande\b|(?<!n'es )\bpas sûr\b|\bun jour\b"
        r"|\b(?:le|la|l'|ce|cette|il|elle|ils|mon|ma)\b ?(?:\w+ ){0,4}(?:ne |n'|ne s'"
        r"|ne se )(?:\w+) jamais\b(?!.*\b(?:on|nous|doit|doivent)\b)|\b(?:il (?!faut)|elle |ça )\w+ toujours\b"
        r"|\bcontinue toujours\b|\brenvoie toujours\b|\bretourne toujours\b"
        r"|\blibellé\b|\bbouton\b|\bon décidait\b"
    ),
    question=(
        r"(?:est-ce|faut-il|doit-on|devrait-on|peut-on|pourquoi|comment|quel\w*|qui|quand est|où"
        r"|combien (?!de fois)|tu te souviens|te souviens-tu|tu (?:préfères|sais|te rappelles)|as-tu|peux-tu"
        r"|pourrais-tu|qu'est|c'est quoi|que (?:penses|fait|se))\b"
    ),
    polite=(
        r"(?:peux-tu|pourrais-tu|tu peux|tu pourrais) (?:\w+ ){0,3}(?:toujours|jamais|arrêter|désormais"
        r"|dorénavant|retenir|éviter|ne (?:plus|jamais))\b"
    ),
    order=(
        r"(?:(?:stp|svp|peux-tu|tu peux|maintenant|ensuite|et|puis|on) )*(?:fais en sorte|appelle (?:la|le"
        r"|les|cette|ce)|ajoute|remplace|change"
        r"|modifie (?:le|la|les|l')|corrige|écris (?:un|une|le|la|les|des)|rédige|crée|implémente|traduis"
        r"|renomme|résume|déplace|supprime|génère|explique|montre|trouve|cherche|refactorise|mets (?:à jour"
        r"|en place|un|le|la)|fais (?:un|une|le|la)|lance|regarde|vérifie|commit|pousse|migre|améliore"
        r"|reformule|aide-moi)\b"
    ),
    person=(
        r"\b(?:je|j'|moi|me|m'|mes|mon|ma)\b|-moi\b|\brépon\w+\b|\bexpli\w+\b|\brésum\w+\b|\bémojis?\b"
        r"|\bemojis?\b|\bton\b|\bexcus\w+\b|\ben français\b|\btutoie\w*\b|\bcommentaires qui\b"
    ),
    choice=(
        r"\b(?:préfère|prends|choisis|aime|opte)\b[^.?]{0,40}\b(?:option|version|variante|approche|première"
        r"|deuxième|seconde|premier|second|celle-ci"
        r"|celui-ci|solution)\b|, (?:vas-y|fais comme ça|on y va)\b"
    ),
    hands_over=(
        r"(?:stp |svp |alors |donc |et |du coup )*(?:corrige|répare|implémente|debug\w*|trouve|cherche|règle"
        r"|regarde)(?:-(?:le|la|moi ça))?"
        r"(?: (?:ça|cela|pourquoi|le bug|d'où))?[.! ]*$|c'est (?:ça )?(?:le|un) (?:bug|problème)\b|pourquoi\b"
    ),
    trouble=(
        r"\b(?:cassée?s?|échec|échoue\w*|lente?s?|vides?|rouges?|manque\w*|faux|fausse|en double|plante\w*"
        r"|erreurs?|bugs?|depuis|rien d'autre)\b"
        r"|[,;] (?:donc |et |stp )*(?:regarde|désactive|active|mets|fais|change|retire|écris|ajoute|supprime"
        r"|vérifie|corrige|montre|lance|nettoie)\b"
    ),
    several=(
        r"\b(?:deux|trois|quatre|\d|quelques|plusieurs) (?:petites? )?(?:choses|règles|points|trucs|infos"
        r"|consignes|notes|précisions)\b|plus jamais"
    ),
    between=(
        r"\s*;\s+|,?\s+et (?=(?:les?|la|l'|on|nous|je|nos|notre|jamais|pas|toujours)\b)|,\s+(?=(?:les?|la|on|je"
        r"|nos)\b)"
    ),
    decision=r"\b(?:décidé|acté|tranché|convenu|choisi|abandonn\w+|validé|opté|décision|ne support\w+ plus)\b",
    correction=r"\b(?:fois que je|déjà dit|combien de fois|répète|arrête|encore (?:des|du|une?)|pas comme ça)\b",
    cuts=(r"\b(?:et|mais|donc|car)\s+",),
    forget=(
        r"(?:oublie|ignore|laisse tomber|annule) (?:tout )?(?:ce que|ce qu') ?(?:je|j'|on|nous) ?(?:t'|te "
        r"|vous )?(?:ai |a |avons )?(?:dit|décidé|demandé|raconté)[^.!?\n]{0,20}? (?:sur|à propos d[eu]s?"
        r"|au sujet d[eu]s?|concernant|pour) (?P<about>[^.,;!?\n]{2,120})"
        r"|(?:oublie|ignore|annule) (?:la|ma|notre) (?:règle|préférence|décision|consigne) (?:sur"
        r"|à propos d[eu]s?|concernant|des?) (?P<about2>[^.,;!?\n]{2,120})"
    ),
)
