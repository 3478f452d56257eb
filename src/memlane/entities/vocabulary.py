"""Words that are names and names that are words: what needs more than its letters to mean somebody.

Only lists. What speaks for a name is weighed in `evidence`.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MONTHS = _words("january february march april may june july august september october november december")
DAYS = _words("monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday tonight")
MODALS = _words("will may can might must could should would shall do does did is are was were be been am has have had")

# Months and days as dates have them, and small words of other languages that are names here: `Dan kunt u`.
ELSEWHERE = _words("""
jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun dan per ben die den des der van von don
bas mei nur bis uns mit ein als wie und les une est son mon ton del las los con por una uno sam nat ned tad ali eva
""")
# First and last names that are English words, or the names of things programmers speak about all day.
NAME_WORDS = _words("""
will may can mark grace hope faith joy june april august rose art bill sue jack frank pat rob bob nick chase grant
drew dean dale dawn eve gene guy heath holly ivy jade jasmine jay jean jewel king knight lance lane lee lily max miles
misty norm olive pearl penny pepper pierce ray reed rich robin rocky rod ruby rusty sandy sky skip stone summer sunny
trace violet wade ward wren young brown black white green gray grey gold silver bishop baker butler carpenter carter
chandler clark cook cooper farmer fisher foster fox gardner hall hill hunter hunt judge long mason miller page park
parker parks piper porter potter price prince rice rivers road banks bell berry bird bond bridges brooks bush church
cross day dial field fields flowers forest frost gates glass harper hart head holder house jet key keys lake land law
little love major marsh mayor means mercer mills moon moss nail nash north south east west pace paige pool pope post
pound power powers rain ranger reader reid ridge ring rush sage sharp shepherd short small smart snow spears spring
star steel sterling storm strong swan swift tanner taylor temple turner tyler underwood vale victor wall walker waters
weaver webb wells wise wolf wood woods worth wright winter winters autumn angel basil bella blaze bliss brandy brook
buddy candy carol cash cat chance charity chip christian clay cliff clover colt coral crystal daisy dash deal destiny
dick diamond don dot duke earl eden ember fern finn flora ford forrest free gale garnet gay ginger hank harmony hazel
heather herb honey honor hugo iris jasper juniper justice kit kitty lark laurel lavender liberty lincoln link lex
lyric marina marine marshall marigold melody mercy merit mo nova oak ocean opal oz pansy patience paz peace peg
phoenix pip poppy prudence quill quinn raven red rex river roman romeo rowan royal scarlet scout shade sienna spike
stew stormy tad temperance terra tiger trinity trip tuck unity valentine van velvet verity viola wally warren wiley
willow win wynn zen zip bug bolt case charge drift echo edge fin flip flint gap grit hub jot lore mat per rap sid sit
sol tab tag vim adam ada julia jenkins pascal haskell apollo athena atlas aurora celery chef cypress django elixir
erlang flask ghost gradle heroku jest jupyter kafka kotlin laravel lisp maven mocha nelson nestor oscar perl poetry
puppet rails redux scala sentry siri alexa travis vagrant vite orion titan kate
""")

# Never a person by themselves here: agents and models people talk about in every run.
AGENTS = _words("claude gemini codex cursor copilot devin bard llama mistral grok sonnet opus haiku gpt chatgpt")

# Ordinary words that projects, features and shops are called by, and small words that may follow or precede a name.
COMMON = _words("""
a about above account action actions active add added admin after again agenda agent agents ai all also always an
analysis analytics and android another answer any api apis app apps architecture archive are area as ask asked at
audio auth away back backend backup bank base bash basic batch be because been before begin below benchmark best beta
better between big billing bin binary block blog board bot both bots bottom box branch bridge browser budget bug build
builder bundle business but button buy by cache calendar call can canvas card cards case catalog category center
central change channel chart chat check checkout class clean cli client clients clock cloud code coder codes
collection color column come command comments commit common community company compare compiler component compose
config connect connector console contact contacts container content context contract control convert copy core count
course cover crawler create cron current custom customer daily dashboard data database date day deal debug default
delete demo deploy deployment design desk desktop detail dev develop developer device diff digest direct directory
disk display doc docker docs document documents does domain done dot dotfiles down download downloads draft drive
driver each early edit editor email embed empty end engine english entity entry env error etl event events every
example examples exchange experiment experiments explorer export extension extra factory false family fast feature
features feed feedback fetch few field file files filter finance find first fix flow folder font food for force form
format forms forum forward frame framework free from front frontend full function functions game games gateway gem
general generator get git github give global go good graph grid group groups guide hack hand handler has have he
header health hello help helper her here hero hey hi high him his history home hook hooks host house how http hub i
icon id idea ideas if image images import in index info infra input install integration interface internal into
inventory invoice ios is issue issues it item its jobs join json just kernel key keys kit know lab labs landing
language last later launch layer learn learning left less let level lib library life light like limit line link linux
list lists live load local lock log logger login logs long look loop low machine made mail main make manage manager
manual map marker market marketing master match math me media meet member members memory menu merge message messages
meta metrics migration mini mission mobile model models module monitor monorepo more most move movie much multi music
my name native need net network never new news newsletter next night no node normal not note notebook notes
notification now number of off office offline ok old on once one online only open operator option or order org other
our out output over own pack package packages page pages panel paper parser part party password patch path payment
payments people person phone photo photos pi picker pipeline pixel place plan planner platform play player playground
please plugin plugins podcast point policy pool portal portfolio post posts present print private pro process product
production profile program project projects prompt prompts proof proto prototype provider proxy public pull push
python query queue quick quiz random read reader readme real recipe recipes record recorder redirect ref release
remote remove render repo report reports repos repository request research reset resource response rest result results
resume review right root router rule rules run runner runs runtime safe sales same sample sandbox save scan scanner
schedule schema school score scraper screen script scripts sdk search second secret secrets section security see
select send server servers service services session set settings setup shared she sheet shell shop show side signal
simple since site sites size skill skills slack slide small so social software some song soon source space spec specs
speed sprint src stack staff stage staging start starter state static stats status step still stop storage store
stories story stream string studio style subject submit suite super support survey sync system table tag tags task
tasks team teams tech temp template templates terminal test testing tests text than thanks that the their them theme
then there they thing things this thread three time timeline timer title tmp to today together token tool tools top
topic total trace track tracker trade trading train trainer training translate travel tree trial true try turn
tutorial two type types ui unit until up update upload us usage use used user users util utils validator value vault
version very via video videos view viewer virtual visual voice wait wallet was watch way we weather web webapp webhook
website websites week well were what when where which while who why wide widget widgets wiki will window windows with
word words work worker workers workflow workshop workspace world write writer xml yaml year yes yet you young your
zero zone
""")

# Given names as common as their neighbours: `Neil` is not a slip of `Neal`.
GIVEN = _words("""
aaron abby abdul abigail adam adele adrian agnes ahmed aidan aisha alain alan albert alec alex alexa alexander
alexandra alexis alfred ali alice alicia alison allan allen alma alvin amanda amber amelia amir amit amy ana anders
andre andrea andreas andrew andy angela angelo anita ann anna anne annie anthony anton antonio anya arjun armin arnold
arthur asha ashley astrid audrey austin ava avery axel barbara barry beatrice ben benjamin bernard bert beth betty
beverly bianca bill bob boris brad bradley brandon brenda brendan brent brett brian bridget bruce bruno bryan byron
caleb calvin cameron camilla carl carla carlos carmen caroline carolyn carrie casey catherine cathy cecilia cedric
celia chad charles charlie charlotte chen chloe chris christa christian christina christine christoph christopher
cindy claire clara claude claudia colin connor conrad corey craig curtis cynthia cyril damian dan dana daniel daniela
danny daria darren dave david dawn dean debbie deborah dennis derek diana diane diego dina dirk dmitri dominic don
donald donna dora doris dorothy doug douglas duncan dylan eddie edgar edith edward edwin eileen elaine elena eli elias
elisa elizabeth ella ellen ellie elliot elsa emil emily emma eric erica erik erika erin ernest esther ethan eugene eva
evan evelyn fabian farah fatima felix fernando filip fiona florence florian frances francesca francis franco frank
franz fred freya gabriel gail gareth gary gavin gemma georg george gerald gerard gina giulia glenn gloria gordon grace
graham greg gregory gunther gwen hailey hana hanna hannah hans harold harriet harry hassan heather heidi helen helena
helga henrik henry herbert hilda howard hugh hugo ian ibrahim ida igor imran ina ines inga ingrid irene irina iris
isaac isabel isla ivan jack jackie jacob jade jake james jamie jan jana jane janet janice jared jasmine jason javier
jay jean jeff jeffrey jen jenna jennifer jenny jeremy jerry jesse jessica jill jim jimmy jo joan joanna joe joel johan
johanna john johnny jon jonas jonathan jordan jorge jose joseph josh joshua joyce juan judith judy julia julian julie
juliet julio jun june justin kai karen karim karin karl kate katherine kathleen kathryn katie katja kay keith kelly
ken kenji kenneth kerry kevin kim kimberly kirk kirsten klaus kristen kristin kurt kyle lara larry lars laura lauren
laurence lea leah lee leila lena leo leon leonard leslie lewis liam lily linda lisa logan lois lola lorenzo lori louis
louise luca lucas lucia lucy luis luisa luke lydia lynn maggie manuel mara marc marcel marco marcus margaret maria
marian marie marina mario marion mark marko markus marta martha martin marvin mary mason mathias matt matthew maureen
maurice max maya megan mei melanie melissa mia michael michel michelle miguel mika mike mila milan mira miriam
mitchell mohammed moira molly monica morgan moritz muhammad nadia nancy naomi natalie natasha nathan neal neil nelly
nelson nicholas nick nicola nicole nigel nikita nina noah noel nora norman olga oliver olivia omar oscar otto owen
pablo pamela pascal patricia patrick paul paula pauline pavel pedro peggy penelope per peter petra phil philip philipp
phyllis pierre polly priya quentin rachel rafael rahul raj ralph ramona randy raoul raymond rebecca regina renata rene
rhys ricardo richard rita robert roberta roberto robin rodney roger roland rolf roman ron ronald rory rosa rosie ross
roy rudolf russell ruth ryan sabine sabrina sam samantha samir samuel sandra sara sarah scott sean sebastian selina
serge shane shannon sharon shaun sheila shirley sian silvia simon simone sofia sonia sonja sophia sophie stan stanley
stefan stefanie stella stephan stephanie stephen steve steven stuart susan susanne suzanne sven sylvia tamara tanya
tara tatiana ted teresa terry thea theo theodor theresa thomas tiffany tim timo timothy tina tobias todd tom tomas
tommy toni tony tracey tracy trevor tristan ulf ulrich ursula uwe valentin valerie vanessa vera verena veronica victor
victoria vijay vikram viktor vincent viola virginia vivian vlad walter wanda wayne wendy werner wesley wilhelm william
wolfgang xavier yan yann yasmin yuki yusuf yves yvonne zach zara zoe
""")

WORDY = NAME_WORDS | ELSEWHERE | COMMON | MONTHS | DAYS | MODALS | AGENTS

# Of the words that are names, those that people are called by first: `with Grace` speaks for one, `with Page` does not.
GIVEN_WORDS = GIVEN | _words("""
will may hope faith joy april august rose art sue pat rob chase grant drew dale eve gene guy heath holly ivy lance
miles norm olive pearl penny pierce ray reed rich rod rusty sandy skip summer sunny violet wade ward wren ada autumn
angel basil bella brandy brook candy carol charity clay cliff daisy dick dolly dot earl eden ember fern finn flora ford
forrest ginger hank harmony hazel herb honor jasper juniper kit kitty laurel liberty lincoln lex marigold melody mercy
opal phoenix pip poppy prudence quinn rain raven rex river romeo rowan scarlet sage scout sienna sky stew tad trinity
una valentine van violet warren willow tyler taylor hunter parker piper porter harper carter cooper mason paige
""")
# Given names that are also what programs are written with: `with Ruby` speaks for nobody.
TOOLS = _words("""
ruby crystal julia kate jenkins pascal haskell apollo athena atlas aurora celery chef cypress django elixir erlang flask
ghost gradle jasmine jest jupyter kafka kotlin laravel lisp maven mocha perl phoenix poetry puppet rails redux scala
sentry siri alexa swift travis vagrant vite nova orion titan hugo ember ada iris sage
""")

# What stands before a name and before hardly anything else.
ADDRESSED = _words("""
ask asked asking tell told telling emailed pinged phoned texted thank thanks hi hey hello dear cc invite invited remind
reminded met mr mrs ms miss dr prof professor interviewed introduce introduced congratulate hired teammate cofounder
colleague
""")
# What often stands before a name, but before other words too: it counts only for given names with a capital.
BESIDE = _words("""
with from for by did does to and email mail ping phone message meet meeting call called friend manager boss partner
brother sister wife husband owes gave give pay paid
""")
# Behind a word these make it a verb or a label: `mark it`, `Max tokens`.
OBJECTS = _words("""
as this it the all a an your each every them these those that both any its his her my our done complete completed
resolved read unread tokens value size length width height you we i they he she be there someone do not see down up out
""")
# Between a first name and a last name: `Eva van der Valk`.
PARTICLES = _words("van von de der den di da del du la le bin ibn al ter ten dos mac mc st y e")
# What stands before a project's name without an article.
WITHIN = _words("in of from to on for with into at using via inside project repo repository")
# Behind `Will` or `May` these make it a question.
SUBJECTS = _words("you we i it they he she there someone this these be do not see")
# What stands before a name of a place: `San José`.
PLACES = _words("san santa saint st los las el fort mount mt port lake new great")
# Written small even where every word has a capital.
SMALL = _words("with from into over than that this about after before between under upon onto when and the for")
# What people do: it stands behind a name and not behind a verb or a month.
DOING = _words("""
said says say wants want wanted prefers prefer preferred thinks thought asked asks told tells likes liked loves hates
needs wrote writes mentioned replied answered agreed approved suggested knows knew sent sends joined moved met meets
owns reviewed reviews signed paid pays lives hosts hosted explained believes insists insisted decided chose confirmed
promised promises offered proposed emailed pinged called feels felt hopes expects complained requested teaches speaks
travels invited introduced recommended hired works worked left owes found made took gave got ran saw came went led
held kept lost won audits has
""")
# Of those, what is neither a thing nor a quality: `Skip reviews` and `Mark approved items` name nobody.
SAYING = _words("""
said says wants wanted prefers thinks thought asks told tells knows knew insists believes expects wrote writes sends
agrees feels loves hates lives teaches speaks has owes
""")
# What may stand between somebody and what they do.
ADVERBS = _words("still also never always just already usually now often then really only")
# What stands behind a name that was asked or told: `ask mark about it`.
FOLLOWING = _words("about to if for whether what when how why which who where again today tomorrow before")

# What a thing is called by its type: `the 10k community`, `project core`.
TYPE_WORDS = {
    "project": _words("project repo repository codebase package app service library workspace monorepo"),
    "business": _words("business company shop store firm agency brand"),
    "community": _words("community group forum members meetup people"),
    "website": _words("website site webpage homepage page blog"),
    "feature": _words("feature"),
    "agent": _words("agent bot assistant"),
    "event": _words("event conference meetup workshop"),
    "document": _words("document doc paper report"),
}
REPOSITORY = _words("repo repository codebase monorepo")
# Said with "the" they mean one of their type: `the website`.
GENERIC = {
    "website": "website", "site": "website", "homepage": "website", "business": "business", "company": "business",
    "shop": "shop", "store": "shop", "newsletter": "newsletter", "podcast": "podcast", "community": "community",
    "venue": "venue", "blog": "blog",
}  # fmt: skip
DOMAINS = _words("org com net io dev app co info me ai de uk eu us ch at fr nl site shop blog")
