"""How people teach in Portuguese."""

from __future__ import annotations

from memlane.catch.teachings.rules import TeachingRules

_FUTURE = (
    r"(?:a partir de (?:agora|hoje|já)|d(?:e|aqui) (?:agora|hoje)? ?(?:em|pra|para) (?:diante|frente)"
    r"|de (?:agora|hoje) em diante|daqui (?:pra|para) frente|daqui em diante|no futuro|(?:pra"
    r"|para) (?:a )?próximas?(?: vez(?:es)?| sessões)?(?: e todas[^:]{0,20})?|(?:pra|para) o futuro|(?:pra"
    r"|para) (?:as )?próximas \w+"
    r"|da próxima vez|na próxima(?: vez)?|(?:via de|como|por) regra(?: geral)?|regra geral"
    r"|por padrão(?!,? (?:os?|as?|ele|ela)\b)|(?:pra|para) (?:os |as |todos os )?(?:futur[oa]s"
    r"|próxim[oa]s) \w+"
    r"|em geral|de uma vez por todas|(?:pra|para) sempre)"
)
_HOUSE = (
    r"(?:repos?|repositório|produto|aplicação|serviço|projetos?|código"
    r"|codebase|time|equipe|empresa|monorepo|app|base de código)"
)

RULES = TeachingRules(
    language="pt",
    padding=(
        r"(?:ok|okay|beleza|blz|bom|bem|então|aí|hm+|espera|peraí|desculpa|oi|olá|ah|e|mas|sim|ótimo"
        r"|perfeito|valeu|obrigad\w|cara|ó|olha|por sinal|aliás|além disso|também|por favor|pfv|(?:só "
        r"|mais )*(?:uma coisa|um detalhe)(?: mais)?|outra coisa|importante|atenção|enfim|tá|show|ps"
        r"|errado|está errado|guarda aí)(?:[\s,.:!;…–—-]+|$)|não[,.:!;…–—-]+\s*"
    ),
    ending=r"[\s,;:]*(?:por favor|pfv|por gentileza|obrigad\w|valeu|ok|tá|beleza|:\)|;\)|🙏|👍)?[\s.!]*",
    opener=(
        r"^(?!(?:traduz|resum|corrig|escrev|revis|explic|redij|melhor|troca)\w*)[^:.?]{0,60}\b(?:memória"
        r"|grava\w*|lembr\w+|esque\w+|claude\.md|agents\.md|regras?|normas?"
        r"|convenção|convenções|notas?|anot\w+|info|correção|saber|sabendo|registrad[oa]|em mente|em conta"
        r"|decisão|acordo|combinad[oa]|princípio|guarda|próximas|padrão)\b"
        r"[^:.?]{0,40}:\s*"
        r"|\b(?:memória|claude\.md|agents\.md) que "
        r"|^(?:(?:pra|para) (?:a )?sua informação|só (?:pra|para) (?:você|vc) saber|fyi|te aviso|pra (?:você"
        r"|vc) ficar sabendo)[,:–—]?\s+(?:que )?"
        r"|\b(?:doravante|solicito que|decidimos|combinamos|fechamos(?: \w+){0,3}|a gente (?:decidiu|fechou"
        r"|combinou)(?: \w+){0,3})(?:, doravante)?(?:,| que) (?=\w)"
        r"|"
        r"(?:^|[,;.–—-]\s*|\b(?:e|mas|então|por favor)\s)(?:por favor,? |e |então )*(?:lembra(?:r|-se)?"
        r"|lembre(?:-se)?|memoriza|memorize|anota|anote|guarda|guarde|grava|toma nota|tome nota"
        r"|tenha em mente|tem em mente|leva em conta|leve em conta|não (?:se )?esque(?:ça|ce)|nunca esqueça"
        r"|fica sabendo|pra você saber|só pra (?:você|vc) saber|registra|fique sabendo)"
        r"[^:,.]{0,60}?(?:\s*[:–—]\s*|\s+(?:de )?que\s+|, (?=(?:a gente|nós|os|as|o|a|sempre|nunca|não|no|na)\b))"
        rf"|(?:^|[,;.–—-]\s*)(?:e |mas |então |também )*{_FUTURE}[^:,.]{{0,25}}?(?:\s*[:–—]\s*|,\s*|\s+)"
        rf"|^[^:.]{{0,60}}\b{_FUTURE}\b[^:.]{{0,40}}:\s*"
        r"|^(?:regra|norma|convenção|decisão|lembrete|nota)s?\s*[:–—]\s*"
        r"|^[^:.]{0,60}\b(?:decidido|decidimos|fechamos|combinamos|vez que (?:eu )?(?:te )?(?:falo|digo)"
        r"|vale pr[ao]|vale para|regra)\b[^:.]{0,30}:\s*"
    ),
    strong=(
        r"\bnão (?:resum[ae]|explica|explique|repita|repete|se desculpe)\b",
        r"\bde jeito nenhum\b|\bem hipótese (?:alguma|nenhuma)\b|\bsem me (?:perguntar|avisar|consultar)\b",
        r"^(?:a gente \w+|\w{3,}(?:amos|emos|imos)) [^,?]{2,40}, (?:sem|não|nada|nunca) \w+"
        r"|\bem tod[oa]s (?:os|as) (?:nossos|nossas)\b",
        r"\bsuas (?:respostas|explicações|mensagens)\b|\bseus (?:resumos|commits)\b",
        r"\bsão (?:gerenciad|gerid|mantid|gerad|guardad|traduzid)[oa]s (?:no|na|em|com"
        r"|pel)\w*\b[^?]*\b(?:então|portanto)\b",
        r"^se (?:não tiver certeza|tiver dúvida|você não (?:tiver|souber)|não souber)\b|^na dúvida\b"
        r"|^em caso de dúvida\b|\bsou (?:iniciante|nov[oa])\b[^?]*\b(?:então|explica)\b",
        r"^noss[oa]s? [\w ]{2,30} sempre \w+",
        r"\b(?:me )?(?:pergunta|pergunte|consulta|avisa|avise) (?:sempre )?(?:me )?antes\b"
        r"|\bsempre me pergunt[ea]\b|\bnão precisa (?:me )?(?:pedir|perguntar|avisar)\b"
        r"|\b(?:pode me chamar|me chame|me chama)\b|\bfala comigo\b",
        r"\b(?:quero|gosto de|prefiro) (?:sempre )?(?:as )?(?:respostas|explicações|resumos|commits|diffs"
        r"|mensagens) (?!de (?:erro|a|o)\b)\w+|\beu não (?:sei|falo|entendo)\b[^?]*\bentão\b"
        r"|\buso \w+ (?:no|em|com) \w+,? então\b",
        r"\bvamos (?:de|com|ficar com|manter)\b|\bseguimos com\b|\bnão (?:é|são|está|estão) mais (?:suportad"
        r"|usad|mantid|permitid)\w+|\b(?:novo|nova) \w+ vai ser (?:em|com)\b"
        r"|\bna retro\b[^?]*:",
        r"\b(?:sexta|sextas|segunda|fim de semana)(?:-feira)?s?\b[^?]*\bnão\b|\bnão se (?:faz|usa|mexe|commita"
        r"|mergeia|sobe|edita|altera|permite)\w*\b|\bninguém (?:usa|mexe|faz|commita|roda|sobe)\b",
        r"\b(?:os|as|nossos|nossas|todos os|todas as) [\w' -]{3,40} (?:são|ficam|vão|vêm|se fazem|correm-se"
        r"|rodam|começam|levam|devem|têm) (?:sempre |todos |todas |só )?"
        r"(?:em|com|no|na|por|sem|de|como|como|squash\w*|gerad\w+|escrit\w+|nomead\w+"
        r"|gravad\w+)\b(?!.*\b(?:erro|falha\w*|quebrad\w+|lent\w+|vazi\w+)\b)",
        r", (?:sempre|nunca|jamais)[.! ]*$|\bé padrão d[ao] (?:equipe|time|projeto|repo)\b|\bo padrão (?:do|da"
        r"|aqui|é)\b|\bobrigatóri[ao]s? em (?:qualquer|tod)\w*"
        r"|^tod[ao]s? (?:\w+ ){1,5}(?:tem|têm|precisa\w*|deve\w*|vai|vão) (?:que|de|ser|ter)?\b",
        r"^quando eu (?:perguntar|pergunto|disser|digo|pedir|peço|colar|mandar)\b[^,?]*, ",
        r"\b(?:migramos|mudamos|passamos) p(?:ro|ra|ara)\b|\btem que\b[^?]*\b(?:antes de cada|sempre"
        r"|em cada)\b|\bgostaria que você sempre\b",
        r"\b(?:a partir de (?:agora|hoje)|daqui (?:pra|para) frente|de (?:agora|hoje) em diante|daqui em diante)\b",
        r"(?:^|[,;:.!–—-]\s*|\b(?:e|mas|então|favor|que)\s)(?:sempre|nunca|jamais)\s+(?!vi\b|fui\b|foi\b"
        r"|me \w+ou\b|mais vi\b)(?:me |te |se |o |a )?\w+",
        r"\bnunca (?:faça|use|toque|rode|mexa|coloque|suba|apague|altere|commite|commita|crie|edite|escreva"
        r"|assuma|faz|usa|mexe|coloca|sobe)\b|\bnão \w+ (?:nunca|jamais)\b|\bnunca mais\b",
        r"\b(?:a gente|nós) (?:só |sempre |nunca |não |também )*(?:usa|usamos|escreve|escrevemos|faz"
        r"|fazemos|coloca|nomeia|segue|sobe|roda|testa|deploya|prefere|versiona"
        r"|trabalha)\b[^?]{0,80}(?:, não |\baqui\b|\bem vez\b|\bao invés\b|\bsó\b|\bsempre\b|\bnunca\b"
        r"|\bcom\b|\bem\b|\bno\b|\bna\b|\bpor\b)|\b(?:usamos|escrevemos|nomeamos|seguimos"
        r"|trabalhamos)\b[^?]{0,60}\b(?:aqui|só|sempre|com|não|em)\b|\bnão (?:usamos|fazemos|colocamos"
        r"|misturamos)\b|\ba gente (?:não|nunca) \w+\b|\bnão (?:se )?usa(?:mos)? mais\b|\bnão vamos mais\b",
        r"\b(?:decidimos|fechamos|combinamos|acordamos|escolhemos|optamos|abandonamos|largamos|migramos"
        r"|definimos|ficou decidido|está decidido|tá decidido|foi decidido|o time decidiu|a equipe decidiu"
        r"|a gente (?:decidiu|combinou|definiu|fechou|escolheu))\b",
        r"\b(?:prefiro|odeio|detesto|adoro|gosto (?:de|mais|que|quando)|não gosto|não suporto"
        r"|não quero (?:que|ver|nunca|mais)|quero que sempre|sou (?:daltônic\w|nov\w|iniciante|disléxic\w"
        r"|canhot\w)|trabalho (?:em|com|no|na)|uso (?:fish|zsh|vim|neovim|windows|linux|mac\w*|emacs"
        r"|powershell))\b(?! (?:a (?:primeira|segunda)|o (?:primeiro|segundo)|da (?:primeira|segunda)"
        r"|do (?:primeiro|segundo)|a opção|da opção|disso|desse jeito|dess[ae]|dest[ae]|isso))",
        r"\b(?:já )?é a (?:segunda|terceira|quarta|quinta|décima|enésima|\d+ª?) vez(?! que (?:o|a|os|as)\b)"
        r"|\bquantas vezes\b|\bjá (?:te )?(?:falei|disse|avisei|pedi)\b|\bcomo (?:eu )?(?:já )?(?:falei"
        r"|disse)\b|\bpela (?:terceira|enésima|última|segunda|décima) vez\b|\bvou repetir\b",
        rf"\b(?:nesse|neste|nessa|nesta|no nosso|na nossa|em todo o) {_HOUSE}\b[^?]*\b(?:é|são|só|sempre"
        rf"|nunca|usamos|usa|vai|vão|tem|não|fica|todo\w*|toda\w*|deve\w*|a gente)\b"
        rf"|\baqui (?:\w+ ){{0,4}}(?:usamos|usa|é|são|sempre|nunca|só|vai|vão|fica\w*|tudo|todo\w*)\b"
        rf"|\baqui a gente\b",
        r"\b(?:nossa|nosso) (?:convenção|regra|política|padrão|norma)\b|\bsem exceç(?:ão|ões)\b"
        r"|\btoda vez que\b|\b(?:é|são) (?:proibid\w+|obrigatóri\w+)\b",
        r"\b(?:para|pare|pára|deixa) de \w+(?:ar|er|ir)\b|\bme chama de\b|\bpode me chamar\b",
        r"\bnão\b[^?]*\b(?:sem (?:me|perguntar|avisar|minha|meu)|a menos que eu|a não ser que eu"
        r"|nunca mais)\b|\bquando eu (?:falo|digo|falar|disser)\b.*\b(?:quero dizer|é|me refiro)\b"
        r"|\bnão precisa me perguntar\b",
        r"\b(?:responde|responda|me responde|explica|escreve)\b[^?]*\bsempre\b|\bsempre (?:me )?(?:responda"
        r"|responde|explica|explique)\b|\b(?:tem que|deve|devem) (?:sempre|nunca|ser sempre|ir sempre)\b",
    ),
    medium=(
        r"^não (?:use|usa|coloque|coloca|adicione|adiciona|escreva|escreve|invente|faça|instale"
        r"|crie) (?!ess[ae]\b|est[ae]\b|iss[oa]\b)[\w ]{2,40}(?: em | nos | nas |s\b)(?!.*\b(?:aqui|essa|esse"
        r"|ainda|hoje)\b)",
        r"^(?:as|os) [\w -]{2,30} (?:são|ficam) (?:em|no|na|nos|nas)\b|^(?:o|a|nosso"
        r"|nossa) [\w -]{2,40} (?:se chama|fica|usa|é) (?!(?:quebr|vazi|lent|erra|nul"
        r"|sempre))[^,?]{2,40}(?:, não\b|$)",
        r"\bninguém\b|\bintocável\b",
        r"\b(?:vai|vão|fica|ficam|mora|moram|sai|saem|passa|passam|trafega\w*|roda"
        r"|rodam) (?:\w+ ){0,2}(?:em|no|na|nos|nas|por|pelo|pela|com|da|do)\b",
        r"^(?:todo\w*|toda\w*|cada|nenhum\w*|nada de|só|qualquer) .*\b(?:deve\w*|vai|vão|tem|têm|é|são"
        r"|leva\w*|passa\w*|usa\w*|precisa\w*)\b",
        r"\b(?:deve|devem|tem que|têm que|precisa|precisam)\b|\bnão (?:pode|podem|deve|devem|se usa|se mexe"
        r"|é permitido)\b|\bproibid\w+\b|\bcongelad\w+\b",
        r"^(?:usa|use|utiliza|coloca|escreve|roda|instala)\b.{2,60}(?:, não | em vez de | ao invés de )"
        r"|, não \w+|\be não \w+",
        r"^(?:nada de|sem|nenhum\w*|zero) [\w -]{3,40}(?:[.,;!]|$)|\b(?:só|somente|apenas)\b",
        rf"\b(?:nesse|neste|nessa|nesta|no nosso) {_HOUSE}\b|\baqui\b",
        r"\b(?:sempre|nunca|jamais)\b",
        r"\b(?:é|são) (?:gerad|armazenad|deployad|versionad|fixad)\w+ (?:por|a partir|com|em|no|na|pel)\b"
        r"|\bevita\b|\bevite\b",
    ),
    weak=(
        r", não | em vez de | ao invés de ",
        r"\b(?:deve|devem|tem que)\b",
        r"\b(?:noss\w+|a gente|usamos)\b",
        r"\bporque\b|\bpra que\b|\bsenão\b",
        r"\b(?:é|são|vai|vão|fica)\b",
    ),
    carries=(
        r"\bquantas vezes\b|\bé a \w+ vez\b|\bjá (?:te )?(?:falei|disse|avisei)\b"
        r"|\bnão é assim que a gente\b|^(?:lembra|lembre-se|anota|anote|guarda)(?: (?:isso|disso|aí"
        r"|o seguinte|por favor|pr[ao] .*))*[.!: ]*$"
        r"|\b(?:umas|duas|três|algumas) (?:coisas|regras|notas|normas|convenções|coisinhas)\b|^(?:pra"
        r"|para) (?:a próxima|o futuro)[.!: ]*$|^fechamos\b"
    ),
    corrects=r"não\b|errado\b|assim não\b|de novo\b|está errado\b|tá errado\b|outra vez\b|isso não\b|cara, de novo\b",
    points_back=(
        r"^(?:sempre|pra sempre|para sempre|sem exceção|toda vez)[.! ]*$|^(?:faz|faça|mantém|mantenha"
        r"|deixa) assim [^:?]*(?:sempre|diante|frente|tudo)\b"
        r"|^(?:e |por favor,? )*(?:anota|grava|guarda|registra) (?:aí|isso)\b[^:]*$|"
        r"^(?:(?:e|por favor),? )*(?:lembra disso|lembre-se disso|anota isso|anote isso|guarda isso"
        r"|guarde isso|grava isso|leva isso em conta|anota aí)[^:]*$"
        r"|^isso (?:vale|se aplica|serve) (?:pra|para|sempre|em tudo)\b|^(?:é|essa é) (?:uma|a|nossa) regra\b"
    ),
    heading=(
        r"\b(?:lembr\w+|regras?|normas?|convenções|anota|guarda|tenha em mente|a partir de agora|daqui (?:pra"
        r"|para) frente|em diante|próxima|futuro|preferências|decisões|decidimos|combinad\w+"
        r"|coisas que (?:valem|você)|padrões|sempre|nunca|valem)\b"
    ),
    once=(
        r"\b(?:ness[ae]|nest[ae]) (?:função|arquivo|ficheiro|método|classe|módulo|componente|teste|script"
        r"|consulta|query|loop|linha|seção|parágrafo|tela|página)\b"
        r"|\b(?:usa|use|coloca|põe|bota|escreve|deixa)\b[^,?]{0,40}\baqui\b(?! (?:a gente|no projeto))"
        r"|\b(?:até|antes de) (?:hoje|amanhã|segunda)\b|\bpra depois\b|\bpara depois\b|\b(?:(?:só "
        r"|somente )?(?:por |d)?essa vez|(?:só |somente )?(?:por |d)?esta vez|por (?:agora|hoje"
        r"|enquanto|ora)|só (?:hoje|agora|por hoje|ness[ae]|nest[ae]|uma vez|dessa vez)|(?:ness[ae]"
        r"|nest[ae]|para ess[ae]|pra ess[ae]) (?:pr|tarefa|mudança|commit|branch|ticket|sessão|refactor\w*"
        r"|caso|arquivo|migração|conversa|chat|alteração|feature)|hoje(?! em diante| decidimos)|no momento"
        r"|temporariamente"
        r"|até (?:que|amanhã|eu|o|a|segunda|lá)|quando (?:terminar|acabar|estiver)|antes de (?:terminar"
        r"|acabar|fechar)|no final|ainda|agora mesmo|(?<!dê )(?<!dá )primeiro|excepcionalmente|desta vez|dessa vez)\b"
    ),
    narrows=r"(?:mas )?(?:só|somente|apenas)\b|depois\b",
    foreign=(
        r"^isso (?:nunca|não) deveria\b|"
        r"\b(?:essa|esse|esta|este|essas|esses) (?:função|arquivo|classe|método|variável|tabela|coluna"
        r"|componente|teste|botão|erro)\b|\bmuito tempo\b|\bnunca (?:vi|tinha|tive)\b|^(?:os|as|o"
        r"|a) \w+ nunca \w+m\b|"
        r"^(?:(?:você|vc|tu) )?(?:sempre (?:pode|podes|dá)|pode sempre)\b|^os? usuários? |^passa por todos\b|"
        r"\b(?:comemorar|convite|festa|almoço)\b|^(?:a|o|essa|esse|cada) [\w-]+ (?:deve|deveria|tem que"
        r"|precisa) (?:sempre |nunca )?(?:retornar|devolver|mostrar|lembrar|guardar|abrir|fechar|poder|ficar"
        r"|exibir)\b"
        r"|\b(?:minha|meu) (?:colega|chefe|patrão)\b|\b(?:sempre|nunca) (?:lembra|esquece|passa)\b"
        r"|\bestamos com um (?:problema|bug)\b|\bfala que\b"
        r"|\bmas (?:o|a|os|as)\b[^?]*\b(?:ruim|ruins|lent\w+|falha\w*|quebr\w+)\b|\badiar\b"
        r"|\btem que (?:corrigir|terminar|entregar|arrumar)\b|^preciso (?:de )?(?:um|uma)\b|"
        r"^(?:acho|creio|suponho)\b|, (?:arruma|corrige|muda|conserta)(?: isso)?[.!]*$|\b(?:o|a) (?:ticket"
        r"|doc|readme|spec|wiki) diz\b|"
        r"\b(?:diz|dizem|disse|disseram|falou|falaram|escreveu|acha|acham|pensa|recomenda|recomendam|sugere"
        r"|sugeriu|afirma|insiste|quer|querem|pediu|pediram|comentou|me contaram)\b(?: (?:que|pra|para|de"
        r"|sempre|nunca|em))|\bsegundo (?:o|a)\b|\bde acordo com\b|\bpelo jeito\b|\bparece que\b"
        r"|\b(?:antigamente|antes a gente|no meu (?:trabalho|emprego|time) (?:anterior|antigo)"
        r"|na empresa anterior|emprego anterior|em (?:19|20)\d\d)\b|\b(?!(?:gr|tr|l)avam?\b)\w+(?:ávamos|íamos"
        r"|ava|avam)\b"
        r"|^(?:\w+,? )?(?:se (?:a gente|nós|o|a|eu|você)|supondo|imagina|imagine|caso|talvez|e se)\b"
        r"|\btalvez\b|\bquem sabe\b|\balgum dia\b|\bserá que\b|\bnão tenho certeza\b|\bdecidiss\w+\b"
        r"|\b(?:o|a|esse|essa|este|esta)\b (?:\w+ ){1,5}(?:nunca|sempre) (?:se \w+|\w+a"
        r"|\w+e)\b(?!.*\b(?:deve|devem|vão|usamos|a gente)\b)(?<!trafega)(?<!sai)|\b(?:nunca"
        r"|sempre) (?:termina|retorna|falha|carrega|chega|responde|funciona|fica|trava|volta|abre|fecha"
        r"|atualiza|executa)\b|\bfica sempre\b"
    ),
    question=(
        r"(?:a gente deveria|deveríamos|devo|devemos|por que|por quê|qual|quais|como (?:você|eu|faço|a|o|que)"
        r"|quando (?:é|foi)|onde|quem|o que|(?:vc|você|tu) (?:lembra|prefere|acha|sabe|pode|poderia)"
        r"|lembra (?:qual|como|onde|do|da|quando)|será|tem como|dá (?:pra|para)|pode(?:ria)? (?:me(?! chamar)|ver"
        r"|fazer))\b"
    ),
    polite=r"(?:(?:vc|você) )?(?:pode|poderia|consegue) (?:\w+ ){0,3}(?:sempre|nunca|parar de|lembrar que|não)\b",
    order=(
        r"(?:(?:por favor|agora|depois|e|aí|você pode|pode),? )*(?:chama (?:o|a)|adiciona\w*|substitui\w*|troca\w*"
        r"|muda\w*|altera (?:o|a|os|as)|corrig\w+|escrev[ae] (?:um|uma|o|a|os|as)|cri[ae] (?:um|uma|o|a)"
        r"|cria\b|implement\w+|traduz\w*|renomei\w+|resum\w+|mov[ae]\w*|remov[ae]\w*|apaga\w*|gera (?:um"
        r"|uma|o|a)|explica (?:o|a|como)|mostra\w*|busca\w*|procura\w*|refator\w+|arruma\w*|faz (?:um|uma|o"
        r"|a)|roda\b|revisa\w*|verifica\w*|sobe (?:o|a)|migra\b|melhora\w*|começa\w*|atualiza\w*|dá uma"
        r"|coloca (?:o|a|um|uma))\b"
    ),
    person=(
        r"\b(?:eu|me|mim|meu|minha|comigo|prefiro|odeio|detesto|sou|gosto)\b|\brespo(?:nde|nda|stas?)\b"
        r"|\bexplica\w*\b|\bresumos?\b|\bemojis?\b|\bem português\b|\btom\b|\bdesculp\w+\b"
    ),
    choice=(
        r"\b(?:prefiro|gosto|escolho|fico com)\b[^.?]{0,40}\b(?:opção|versão|variante|primeir[ao]|segund[ao]"
        r"|solução|alternativa)\b"
        r"|, (?:pode (?:tirar|seguir|fazer|ir|mandar)|manda ver|vai nessa)\b|\bprefiro (?:sem|com) [oa]s? "
    ),
    hands_over=(
        r"(?:por favor,? |então )*(?:arruma|corrige|conserta|implementa|descobre|acha|procura|resolve"
        r"|investiga|debuga)(?: (?:isso|aí|o (?:bug|erro)|por qu[eê]))?[.! ]*$"
        r"|por qu[eê]\b|é um bug\b"
    ),
    trouble=(
        r"\b(?:quebrad[oa]s?|falha\w*|lent[oa]s?|vazi[oa]s?|vermelh[oa]s?|falta\w*|errad[oa]s?|duplicad\w+"
        r"|trava\w*|bugs?|desde ontem|mais nada)\b"
        r"|[,;] (?:então |e |pfv )*(?:vê|olha|desabilita|desativa|habilita|bota|coloca|tira|faz|muda|escreve"
        r"|adiciona|apaga|revisa|corrige|mostra|roda|limpa)\b|^mostra\b"
    ),
    several=(
        r"\b(?:duas|três|quatro|\d|umas|algumas|várias) (?:coisas|regras|notas|infos|normas|coisinhas)\b"
        r"|\b(?:dois|uns) (?:pontos|detalhes|avisos)\b"
    ),
    between=(
        r";\s+|,?\s+e (?=(?:os?|as?|nunca|sempre|não|no|na|a gente|noss\w+|eu)\b)|,\s+(?=(?:os?|as?|nunca|sempre"
        r"|a gente)\b)"
    ),
    decision=(
        r"\b(?:decid\w+|fechamos|combin\w+|acordamos|escolhemos|optamos|abandon\w+|definimos|não vamos mais"
        r"|decisão)\b"
    ),
    correction=(
        r"\b(?:vez que|já (?:te )?(?:falei|disse|avisei)|quantas vezes|de novo|para de|errado|repetir"
        r"|terceira vez)\b"
    ),
    cuts=(r"\b(?:e|mas|porque|então)\s+",),
    forget=(
        r"(?:esque(?:ce|ça)|ignor[ae]|descart[ae]|desconsider[ae]) (?:tudo )?o que (?:eu |a gente "
        r"|nós )?(?:te )?(?:disse|falei|falou|decidimos|decidiu|dissemos|pedi)[^.!?\n]{0,20}? (?:sobre"
        r"|a respeito de|de|quanto a) (?P<about>[^.,;!?\n]{2,120})"
        r"|(?:esque(?:ce|ça)|ignor[ae]|descart[ae]) (?:a|minha|nossa) (?:regra|preferência|decisão"
        r"|nota) (?:sobre|de|do|da) (?P<about2>[^.,;!?\n]{2,120})"
    ),
)
