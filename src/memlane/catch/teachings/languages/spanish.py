"""How people teach in Spanish."""

from __future__ import annotations

from memlane.catch.teachings.rules import TeachingRules

_FUTURE = (
    r"(?:(?:a partir|desde) de (?:ahora|hoy|aquí)|a partir de (?:ahora|hoy|aquí|este momento)"
    r"|desde (?:ahora|hoy|ya)|de (?:ahora|hoy|aquí) (?:en adelante|en más|para adelante)|en adelante"
    r"|en (?:el )?futuro|para (?:la próxima|el futuro|las próximas|la siguiente|próximas \w+|después"
    r"|siempre)(?: vez| veces| sesiones?)?"
    r"|la próxima vez|(?:por|como) (?:regla|norma)(?: general)?|regla general|por defecto(?!,? (?:el|la|los"
    r"|las|lo)\b)|para (?:los |las |todos los )?(?:futur[oa]s|próxim[oa]s) \w+|en general"
    r"|por norma|de una vez por todas|de ahora en más)"
)
_HOUSE = (
    r"(?:repos?|repositorio|producto|aplicación|servicio|proyecto\w*|código"
    r"|codebase|equipo|empresa|monorepo|app|base de código)"
)

RULES = TeachingRules(
    language="es",
    padding=(
        r"(?:ok|okay|vale|bueno|bien|pues|entonces|eh|hm+|espera|perdón|hola|oye|ah|y|pero|sí|genial"
        r"|perfecto|gracias|ojo|por cierto|además|también|porfa|por favor|(?:solo "
        r"|nomás )?una cosa(?: más)?|otra cosa|un detalle|importante|atención|mira|en fin|así no|dale"
        r"|che|che,|eso|ps)(?:[\s,.:!;…–—-]+|$)|no(?: no)?[,.:!;…–—-]+\s*"
    ),
    ending=r"[\s,;:]*(?:porfa(?:vor)?|por favor|gracias|ok|vale|dale|:\)|;\)|🙏|👍)?[\s.!]*",
    opener=(
        r"^(?!(?:traduce|resume|corrige|escribe|revisa|explica|redacta|mejora"
        r"|cambia))[^:.?¿]{0,60}\b(?:memoria|grába\w*|graba\w*|recordar|recuerda|olvid\w+"
        r"|claude\.md|agents\.md|reglas?|normas?|convención|convenciones|nota|notas|dato|datos|info|saberlo"
        r"|corrección|sepas|saber|en cuenta|presente|apunt\w+|anot\w+"
        r"|decisión|acuerdo|principio|casa|futuras|próximas)\b[^:.?¿]{0,40}:\s*"
        r"|\b(?:memoria|claude\.md|agents\.md) que "
        r"|^(?:para (?:tu|su) información|para que (?:lo )?sepas|fyi|te comento|te aviso|que sepas"
        r"|ojo)[,:–—]?\s+(?:que )?"
        r"|\b(?:decidimos|acordamos|quedamos(?: \w+){0,3} en|hemos decidido|le ruego|me gusta más"
        r"|en lo sucesivo,)[^:.?]{0,30}?(?<!dejar)(?: que )(?=\w)"
        r"|"
        r"(?:^|[,;.–—-]\s*|\b(?:y|pero|así que|porfa|por favor)\s)(?:por favor,? |porfa,? |y )*(?:recuerda"
        r"|recuerde|recordá|acuérdate|acordate|memoriza|apunta|anota|anotá|toma nota"
        r"|ten(?:lo)? (?:en cuenta|presente)|tené en cuenta|tenga en cuenta"
        r"|no (?:te )?olvides(?! (?:de )?\w+(?:ar|er|ir)\b)"
        r"|nunca olvides|que sepas|para que (?:lo )?(?:sepas|tengas)|guarda (?:esto|en)|quédate con)"
        r"[^:,.]{0,60}?(?:\s*[:–—]\s*|\s+(?:de )?que\s+|, (?=(?:nosotros|los|las|el|la|siempre|nunca|no|en)\b))"
        rf"|(?:^|[,;.–—-]\s*)(?:y |pero |entonces |porfa |también )*{_FUTURE}[^:,.]{{0,25}}?(?:\s*[:–—]\s*|,\s*|\s+)"
        rf"|^[^:.]{{0,60}}\b{_FUTURE}\b[^:.]{{0,30}}:\s*"
        r"|^(?:regla|norma|convención|decisión|recordatorio|nota)s?\s*[:–—]\s*"
        r"|^[^:.]{0,60}\b(?:decidido|decidimos|acordamos|quedamos|veces que te|regla|norma|te lo digo"
        r"|te lo he dicho)\b[^:.]{0,30}:\s*"
    ),
    strong=(
        r"\bno (?:resumas|expliques|repitas|te disculpes)\b",
        r"\bbajo ningún concepto\b|\ben ningún caso\b|\bsin (?:preguntarme|avisarme|consultarme)\b",
        r"^\w{3,}(?:amos|emos|imos) [^,?]{2,40}, (?:sin|no|nada|nunca) \w+|\ben (?:todos nuestros"
        r"|todas nuestras|cada uno de nuestros)\b",
        r"\btus (?:respuestas|explicaciones|resúmenes|mensajes|commits)\b|\bno hacemos \w+, \w+",
        r"\bse (?:gestionan|generan|guardan|mantienen|traducen) (?:en|con|por|desde)\b[^?]*\bas[ií] que\b",
        r"^si (?:no estás segur[oa]|tienes dudas|no sabes)\b|^en caso de duda\b|^ante la duda\b"
        r"|\bsoy (?:principiante|nuev[oa])\b[^?]*\b(?:así que|explíca\w*)\b",
        r"\bpregúntame (?:siempre )?antes\b|\b(?:pregunta|consulta|avisa) (?:siempre )?antes de\b"
        r"|\bno (?:hace falta|tienes|necesitas) (?:que )?(?:me )?(?:pid|pregunt)\w+"
        r"|\bllámame \w+|\b(?:háblame|trátame) de (?:tú|usted)\b",
        r"\b(?:quiero|me gustan?|necesito) (?:siempre )?(?:las )?(?:respuestas|explicaciones|resúmenes|commits"
        r"|diffs|mensajes) (?!de (?:error|la|el)\b)\w+"
        r"|\buso \w+ (?:en|con) \w+,? así que\b|\bsoy (?:de |más de )?\w+,? (?:así que|por eso)\b",
        r"\bnos quedamos con\b|\bvamos con\b|\bseguimos con\b|\bya no (?:está|están|se) (?:soportad|usan?"
        r"|mantien|permit)\w*|\bya no (?:está|es|son) \w+"
        r"|\bnos (?:vamos|pasamos|cambiamos) (?:a|con)\b|\bse acabó\b",
        r"\b(?:los|el) (?:viernes|lunes|fin(?:es)? de semana)\b[^?]*\bno\b|\bno se (?:despliega|hace|usa|toca"
        r"|commitea|mergea|sube|edita|modifica|permite)\w*\b",
        r"\b(?:los|las|nuestros|nuestras|todos los|todas las) [\w' -]{3,40} (?:se hacen|van|se escriben"
        r"|se guardan|son|están|llevan|empiezan|se nombran|se etiquetan"
        r"|se generan|se ejecutan) (?:siempre |todos |solo )?(?:con|en|por|sin|desde|como|de|a|ULID|UTC"
        r"|squash\w*)\b(?!.*\b(?:error|fallo|rojo|roto\w*|mal|vací\w+)\b)",
        r", (?:siempre|nunca|jamás)[.! ]*$|\bqueda como regla\b|^(?:para|con|en) (?:los|las|el"
        r"|la) [\w -]{2,30} siempre \w+",
        r"^cuando (?:te )?(?:pregunto|pregunte|digo|diga|pida|pido|pegue|pego|mande)\b[^,?]*, ",
        r"\bno hace falta que me\b|\bno (?:necesitas|tienes que) preguntarme\b",
        r"\b(?:nos pasamos|cambiamos|migramos|nos cambiamos) a\b|\bhay que\b[^?]*\b(?:antes de cada|siempre"
        r"|en cada)\b",
        r"\b(?:a partir de (?:ahora|hoy)|de ahora en (?:adelante|más)|en adelante|desde hoy|de aquí en adelante)\b",
        r"(?:^|[,;:.!–—-]\s*|\b(?:y|pero|porfa|favor|que)\s)(?:siempre|nunca|jamás)\s+(?!he\b|había\b|han\b"
        r"|me ha\b|se \w+a\b|pasa\b|queda\b)(?:me |te |lo |la |le |se |los )?\w+(?:s|a|e|ame|ome|r)\b",
        r"\b(?:nunca|jamás) (?:hagas|uses|toques|pongas|metas|subas|borres|modifiques|cambies|edites"
        r"|commitees|mezcles|agregues|añadas|escribas|ejecutes|corras|asumas|digas|crees|llames|mandes"
        r"|hardcodees|instales)\b|\bno (?:\w+ )?(?:nunca|jamás)\b",
        r"\b(?:usamos|nombramos|escribimos|desplegamos|hacemos|ponemos|trabajamos|seguimos|preferimos"
        r"|mergeamos|guardamos|versionamos|testeamos|liberamos|deployamos)\b[^?]{0,80}(?:, no |\baquí\b"
        r"|\bacá\b|\ben vez\b|\ben lugar\b|\bsolo\b|\bsólo\b|\bsiempre\b|\bnunca\b|\bcon\b|\ben\b|\bpor\b)"
        r"|\bno (?:usamos|hacemos|ponemos|mezclamos|permitimos|subimos|escribimos)\b|\bya no (?:usamos"
        r"|soportamos|se usa|hacemos|damos)\b",
        r"\b(?:hemos |ya )?(?:decidimos|decidido|acordamos|acordado|quedamos en|elegimos|optamos"
        r"|descartamos|abandonamos|migramos|dejamos de)\b|\b(?:está|queda) decidido\b|\bvamos a (?:usar"
        r"|dejar|quedarnos|migrar|pasar)\b[^?]{0,60}\b(?:en vez|en lugar|definitivamente|todo)\b"
        r"|\bel equipo (?:decidió|acordó|ha decidido)\b",
        r"\b(?:prefiero|odio|detesto|me gusta(?:n|ría)? (?:que|más|cuando|las|los|\w+s\b)|no me gusta(?:n)?"
        r"|me encanta(?:n)?|no soporto|no quiero (?:que|ver|nunca|más)|quiero que siempre|soy (?:daltónic\w"
        r"|nuev\w|principiante|disléxic\w|zurd\w)|trabajo (?:en|con|desde)|uso (?:fish|zsh|vim|neovim"
        r"|windows|linux|mac\w*|emacs|powershell))\b(?! (?:la (?:primera|segunda)|el (?:primero|segundo)"
        r"|la opción|eso\b|esta\b|este\b|esa\b|esto\b))",
        r"\b(?:ya )?(?:van|es la|por) (?:\w+ )?(?:dos|tres|cuatro|cinco|diez|segunda|tercera|cuarta|quinta"
        r"|enésima|\d+\w*) ve(?:z|ces) que (?:te|lo|se)|\bcuántas veces\b|\bya te (?:lo )?(?:dije|he dicho"
        r"|había dicho)\b|\bte lo (?:repito|he dicho|vengo diciendo)\b|\bcomo (?:ya )?(?:te )?dije\b"
        r"|\bpor (?:tercera|enésima|última|segunda) vez\b",
        rf"\b(?:en|para) (?:este|nuestro|todo el|el|esta|nuestra) {_HOUSE}\b[^?]*\b(?:siempre|nunca|van|va"
        rf"|se|usamos|no|solo|sólo|todos?|todas?|debe\w*|es|son|hay)\b|\b(?:acá"
        rf"|aquí) (?:\w+ ){{0,4}}(?:usamos|se|van|va|son|es|siempre|nunca|solo|todo\w*)\b",
        r"\b(?:nuestra|nuestro) (?:convención|regla|política|estándar|norma)\b|\bsin excepci(?:ón|ones)\b"
        r"|\bcada vez que\b|\b(?:está|están) prohibid\w+\b|\bes obligatori\w+\b",
        r"\b(?:deja|dejá|para|pará) de \w+(?:ar|er|ir)\b|\bllámame\b|\btutéame\b",
        r"\bno\b[^?]*\b(?:sin (?:preguntar\w*|consultar\w*|avisar\w*|mi)|a menos que (?:yo|te)"
        r"|salvo que (?:yo|te)|nunca más)\b|\bcuando dig[ao]\b.*\b(?:me refiero|quiero decir)\b",
        r"\b(?:contéstame|respóndeme|contesta|responde|explícame|escríbeme)\b[^?]*\bsiempre\b"
        r"|\bsiempre (?:contéstame|respóndeme|contesta|responde)\b|\basegúrate de siempre\b|\b(?:hay que"
        r"|debes|tienes que) (?:siempre|nunca)\b|\b(?:debe|deben) (?:ir |estar |ser )?siempre\b",
    ),
    medium=(
        r"^no (?:uses|pongas|agregues|añadas|escribas|metas|inventes|hagas|instales|crees) (?!est[aeo]\b"
        r"|es[aeo]\b)[\w ]{2,40}(?: en (?:los|las) |s\b)(?!.*\b(?:aquí|esta|este|todavía|hoy)\b)",
        r"^(?:el|la|nuestr[oa]) [\w -]{2,40} (?:se llama|es|está|termina|usa|vive) (?!(?:rot|vac|lent|caíd|roj"
        r"|mal|nul|fall))[^,?]{2,40}(?:, no\b|$)(?!.*\b(?:roto|caído|lento|error|mal)\b)",
        r"\bnadie\b|\bno se toca\b",
        r"\b(?:van|va|vive|viven|se guarda\w*|se pone\w*|se corre\w*|se ejecuta\w*|se hace\w*|se escribe\w*"
        r"|se despliega\w*|pasan?) (?:\w+ ){0,2}(?:en|con|por|bajo|desde|a)\b",
        r"^(?:todos?|todas?|cada|ningún|ninguna|nada de|solo|sólo|cualquier) .*\b(?:debe\w*|va|van|tiene\w*"
        r"|es|son|lleva\w*|pasa\w*|usa\w*|necesita\w*)\b",
        r"\b(?:debe|deben|hay que|tiene que|tienen que)\b|\bno (?:se )?(?:debe|deben|puede|pueden"
        r"|se permite|se usa|se usan|se toca\w*|se pone\w*)\b|\bprohibid\w+\b|\bcongelad\w+\b",
        r"^(?:usa|usá|utiliza|pon|escribe|corre|instala)\b.{2,60}(?:, no | en vez de | en lugar de )"
        r"|, no \w+|\bsino\b",
        r"^(?:nada de|sin|ningún|ninguna|no más|cero) [\w -]{3,40}(?:[.,;!]|$)|\b(?:solo|sólo|solamente"
        r"|únicamente)\b",
        rf"\ben (?:este|nuestro|todo el|esta|nuestra) {_HOUSE}\b|\b(?:acá|aquí)\b",
        r"\b(?:siempre|nunca|jamás)\b",
        r"\bse gener\w+ (?:a partir|desde|con|por)\b|\bestá fijad\w+\b|\bevita\b",
    ),
    weak=(
        r", no | en vez de | en lugar de ",
        r"\b(?:debe|deben|hay que)\b",
        r"\b(?:nuestr\w+|nosotros|usamos)\b",
        r"\bporque\b|\bpara que\b|\bsi no\b",
        r"\b(?:van|va|son|se)\b",
    ),
    carries=(
        r"\bcuántas veces\b|\bveces que te\b|\bya te (?:lo )?(?:dije|he dicho)\b|\basí no (?:lo hacemos"
        r"|se hace)\b|^(?:recuerda|anota|apunta|ten en cuenta|toma nota)(?: (?:esto|lo siguiente|porfa"
        r"|por favor|para .*))*[.!: ]*$"
        r"|\b(?:unas|dos|tres|algunas|un par de) (?:cosas|reglas|notas|normas|convenciones|cositas)\b"
        r"|^para (?:la próxima|el futuro)[.!: ]*$"
    ),
    corrects=r"no\b|así no\b|mal\b|incorrecto\b|otra vez\b|de nuevo\b|eso no\b|está mal\b|basta\b",
    points_back=(
        r"^(?:siempre|para siempre|sin excepción|en todos lados|cada vez)[.! ]*$|^(?:hazlo|hacelo|mantenlo"
        r"|déjalo) así [^:?]*(?:siempre|adelante|todo|cada)\b"
        r"|^tenlo (?:en cuenta|presente)\b|"
        r"^(?:(?:y|porfa|por favor),? )*(?:recuérdalo|apúntalo|anótalo|anotalo|guárdalo|memorízalo"
        r"|tenlo (?:en cuenta|presente)|recuerda (?:esto|eso)|anota eso|guarda eso|acuérdate de eso)[^:]*$"
        r"|^(?:eso|esto) (?:vale|aplica|va|cuenta) (?:para|siempre|en todo)\b|^es (?:una|la"
        r"|nuestra) (?:regla|norma)\b"
    ),
    heading=(
        r"\b(?:recuerda|recordar|reglas?|normas?|convenciones|ten en cuenta|tené en cuenta|tengas en cuenta"
        r"|a partir de ahora|en adelante|próxima|futuro|preferencias|decisiones|decidimos|cosas que (?:valen"
        r"|debes|hay|tienes)|anota|apunta|estándares|siempre|nunca|valen para)\b"
    ),
    once=(
        r"\ben (?:esta|este|esa|ese) (?:función|archivo|fichero|método|clase|módulo|componente|test|script"
        r"|consulta|bucle|línea|sección|párrafo|vista"
        r"|página)\b|\b(?:usa|pon|utiliza|mete|escribe|deja)\b[^,?]{0,30}\b(?:aquí|acá|ahí)\b"
        r"|\bantes de (?:esta noche|mañana|hoy|el lunes)\b|\bpara después\b|\b(?:(?:solo "
        r"|sólo )?(?:por )?esta vez|por (?:ahora|hoy|el momento|esta vez|única vez)"
        r"|solo (?:hoy|ahora|una vez|en est[ea])|sólo (?:hoy|ahora|una vez|en est[ea])|(?:en"
        r"|para) est[ea] (?:pr|tarea|cambio|commit|rama|ticket|sesión|refactor\w*|caso|archivo|migración"
        r"|conversación|chat)|(?<!desde )(?<!partir de )hoy(?! (?:en adelante|decidimos|acordamos))"
        r"|de momento|momentáneamente"
        r"|temporalmente"
        r"|hasta (?:que|mañana|el|nuevo|luego)|cuando (?:termines|acabes|esté)|antes de (?:terminar|acabar"
        r"|cerrar)|al (?:final|terminar)|todavía|aún no|ahora mismo|(?<!des )(?<!dame )primero|por un rato"
        r"|excepcionalmente)\b"
    ),
    narrows=r"(?:pero )?(?:solo|sólo|nomás|únicamente)\b|después\b|luego\b",
    foreign=(
        r"^(?:esto|eso) (?:nunca|no) debería\b|"
        r"\b(?:esta|este|estas|estos) (?:función|archivo|clase|método|variable|tabla|columna|componente|test"
        r"|botón|error)\b|\bmucho tiempo\b|\b(?:nunca|jamás) (?:había|he|vi)\b|^(?:los|las|el|la) \w+ nunca \w+n\b|"
        r"^(?:siempre puedes|puedes siempre|siempre se puede)\b|^(?:el|los) usuarios? |"
        r"\b(?:celebrar|invitación|fiesta|almuerzo)\b|^(?:la|el|esta|este|cada) [\w-]+ (?:debe|debería"
        r"|tiene que) (?:siempre |nunca )?(?:devolver|retornar|mostrar|recordar|guardar|abrir|cerrar|poder"
        r"|quedar)\w*\b"
        r"|\bmi (?:compañer\w|jef\w|coleg\w)\b|\b(?:siempre|nunca) (?:me )?(?:falla|pasa lo mismo|recuerda"
        r"|se acuerda)\b|\btenemos un (?:problema|bug)\b"
        r"|\bpero (?:la|el|los|las)\b[^?]*\b(?:mal[ao]?|lent\w+|falla\w*)\b|^necesito (?:un|una|el|la) "
        r"|\b(?:hay que|tenemos que) (?:arreglar|terminar|entregar)\b|"
        r"^(?:creo|pienso|me parece|supongo)\b|, (?:arréglalo|corrígelo|cámbialo|hazlo|corrige eso)\b"
        r"|\b(?:el|la) (?:ticket|doc|readme|spec|wiki) dice\b|"
        r"\b(?:dice|dicen|dijo|dijeron|decía|escribió|opina|opinan|piensa|recomienda|recomiendan|sugiere"
        r"|afirma|insiste|quiere|quieren|pide|pidió|comentó|me contaron"
        r"|me dijeron)\b(?! (?:yo)\b)(?: (?:que|de|siempre|nunca|a|en))|\bsegún\b|\bal parecer\b"
        r"|\bsupuestamente\b"
        r"|\b(?:antes|antiguamente|en mi (?:trabajo|empresa|equipo|antigu\w+) (?:anterior|antigu\w+)"
        r"|trabajo anterior|empresa anterior|en (?:19|20)\d\d)\b(?! de\b)|\b(?!(?:gr|ac"
        r"|tr)aban?\b)\w+(?:ábamos|íamos|aba|aban)\b"
        r"|\bpasaba\b"
        r"|^(?:\w+,? )?(?:si (?!no\b|tienes dudas\b)|supongamos|imagina|imaginemos|en caso de(?! duda)|tal vez"
        r"|quizás?|a lo mejor"
        r"|y si)\b|\b(?:tal vez|quizás?|a lo mejor|algún día)\b|\bme pregunto\b|\bno estoy segur\w\b"
        r"|\bdecidi(?:éramos|eramos|ésemos|era)\b"
        r"|\b(?:el|la|este|esta|ese|esa)\b (?:\w+ ){1,5}(?:nunca|siempre) (?:se \w+|\w+a|\w+e"
        r"|me \w+)\b(?<!\bva)(?<!\bdebe)(?<!\bse usa)(?!.*\b(?:van|debe|deben|usamos|hay que)\b)"
        r"|\bdebe recordar\b|\b(?:siempre|nunca) (?:queda|devuelve|falla|termina|carga|llega|responde"
        r"|retorna|funciona|se (?:habilita|cierra|abre|actualiza|ejecuta|queda|cuelga))\b"
    ),
    question=(
        r"[¿]|(?:deberíamos|debería|hay que (?:siempre )?\w+ .*\?|por qué|qué|cómo|cuándo|dónde|cuál\w*|quién"
        r"|te acuerdas|te acordás|recuerdas|puedes|podrías|prefieres|conviene|es (?:mejor|necesario)|sabes)\b"
    ),
    polite=r"[¿]?(?:puedes|podrías|podés) (?:\w+ ){0,3}(?:siempre|nunca|dejar de|recordar que|no)\b",
    order=(
        r"(?:(?:por favor|porfa|puedes|podrías|ahora|luego|y|después),? )*(?:haz que|llama (?:al|a la)"
        r"|agrega|añade|reemplaza|cambia"
        r"|modifica (?:el|la|los|las)|corrige|escribe (?:un|una|el|la|los|las)|crea|implementa|traduce"
        r"|renombra|resume|mueve|muévelo|elimina|borra|genera|explica|muestra|busca|encuentra|refactoriza"
        r"|arregla|haz (?:un|una|el|la)|ejecuta|corre (?:el|la|los)|revisa|verifica|commitea|sube|migra"
        r"|mejora|empieza|actualiza|redacta|pon (?:el|la|un|una))\b"
    ),
    person=(
        r"\b(?:yo|me|mi|mis|conmigo|prefiero|odio|detesto|soy|trabajo|uso)\b|(?:contést|respónd|explíc|dí"
        r"|pregúnt|muéstr|llám|tuté)a?e?me\b|\brespuestas?\b|\bexplicacion\w*\b|\bresúmenes\b|\bemojis?\b"
        r"|\ben español\b|\btono\b|\bdisculp\w+\b|\b\w+(?:ame|eme|enme)\b"
    ),
    choice=(
        r"\b(?:prefiero|me gusta|elijo|me quedo con)\b[^.?]{0,40}\b(?:opción|versión|variante|primera|segunda"
        r"|primero|segundo|solución|alternativa)\b"
        r"|, (?:dale|adelante|hazlo así|quítalo|sácalo)[.! ]*$"
    ),
    hands_over=(
        r"(?:por favor,? |porfa,? |así que |pues )*(?:arréglalo|corrígelo|impleméntalo|arregla|soluciónalo"
        r"|averigua|busca|mira|encuentra|depúralo)\b"
        r"(?: (?:eso|esto|por qué|el (?:bug|error)))?[.! ]*$|por qué\b|es un bug\b"
    ),
    trouble=(
        r"\b(?:rot[oa]s?|fallan?|fallo|lent[oa]s?|vací[oa]s?|roj[oa]s?|faltan?|mal|duplicad\w+|cuelga\w*"
        r"|error(?:es)?(?! van)|bugs?|desde ayer|nada más)\b"
        r"|[,;] (?:así que |y |porfa )*(?:mira|desactiva|deshabilita|habilita|pon|quita|haz|cambia|escribe"
        r"|añade|agrega|borra|revisa|corrige|muestra|lanza"
        r"|limpia)\b|^muéstrame\b"
    ),
    several=(
        r"\b(?:dos|tres|cuatro|\d|unas|algunas|varias|par de) (?:cosas|reglas|puntos|notas|datos|normas"
        r"|detalles|cositas)\b|\bfuturas sesiones\b"
    ),
    between=(
        r";\s+|,?\s+y (?=(?:los?|las?|el|nunca|siempre|no|en|se|nuestr\w+|me|yo)\b)|,\s+(?=(?:los?|las?|el|nunca"
        r"|siempre)\b)"
    ),
    decision=r"\b(?:decid\w+|acord\w+|quedamos|elegimos|optamos|descart\w+|abandon\w+|dejamos de|ya no|decisión)\b",
    correction=r"\b(?:veces que te|ya te (?:lo )?(?:dije|he dicho)|cuántas veces|otra vez|deja de|así no|repito)\b",
    cuts=(r"\b(?:y|pero|porque|así que)\s+",),
    forget=(
        r"(?:olvida(?:te)?|ignora|descarta|olvídate)(?: de)? (?:todo )?lo que (?:te )?(?:dije|he dicho"
        r"|decidimos|dijimos|pedí|había dicho)[^.!?\n]{0,20}? (?:sobre|acerca de|de|respecto a"
        r"|con) (?P<about>[^.,;!?\n]{2,120})"
        r"|(?:olvida|ignora|descarta) (?:la|mi|nuestra) (?:regla|preferencia|decisión|nota|norma) (?:sobre"
        r"|acerca de|de) (?P<about2>[^.,;!?\n]{2,120})"
    ),
)
