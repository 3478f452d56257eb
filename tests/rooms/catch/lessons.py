"""Pairs of lessons, written by hand: sixty that say the same in other words, sixty that are near and are not the same.

A lesson is `title | content`. The first forty of each half were there when the thresholds were chosen, the last twenty
were not looked at until then.
"""

from __future__ import annotations

SAME: tuple[tuple[str, str], ...] = (
    (
        "Never force-push to main | The person was upset after a force-push to main rewrote a colleague's commits.",
        "Do not force-push to main | A force-push to main threw away commits of a colleague; the person forbade it.",
    ),
    (
        "Write to Amy in a casual, friendly tone | The person rejected a formal draft: Amy and they are casual.",
        "Emails to Amy are casual and friendly | A formal draft to Amy was rejected; the tone with Amy is casual.",
    ),
    (
        "Run npm install with --legacy-peer-deps | npm ci and plain npm install both failed on a peer conflict.",
        "npm install needs --legacy-peer-deps here | A peer conflict makes npm ci and the plain npm install fail.",
    ),
    (
        "Never retry on a 4xx in src/mail/send.py | A client error stays a client error; the agent had added a retry.",
        "No retries on 4xx answers in src/mail/send.py | The agent retried on every error; a 4xx must not be retried.",
    ),
    (
        "We parse by hand because the library drops comments | Comments in the config must survive a round trip.",
        "Config is parsed by hand since the library drops comments | Comments have to survive reading and writing.",
    ),
    (
        "Use pnpm, not npm, in this repository | The lock file is pnpm's; npm install made a second one.",
        "This repository uses pnpm instead of npm | npm install created a second lock file beside pnpm's.",
    ),
    (
        "Tests are named after the behaviour they check | The person was delighted with tests renamed that way.",
        "Name tests after the behaviour they check | Renaming the tests after behaviour was exactly what was wanted.",
    ),
    (
        "Start fresh instead of migrating the old memories | The old memories in JSON files were noisy: clean slate.",
        "Old memories are not migrated, we start fresh | A clean slate, as the old JSON memories were noisy.",
    ),
    (
        "Newsletter goes out on Thursday at 9:00 | The person fixed the newsletter to Thursday, 9:00.",
        "The newsletter is sent Thursday 9:00 | Sending the newsletter happens on Thursday at 9:00.",
    ),
    (
        "Ask before deleting files in data/ | The agent deleted raw files in data/ without asking; they were lost.",
        "Before deleting files in data/, ask | Raw files in data/ were deleted by the agent without a question.",
    ),
    (
        "Comments in code are written in English | A German comment was sent back by the person.",
        "Write code comments in English | The person sent back a comment written in German.",
    ),
    (
        "The staging database is reset every night | Do not leave anything in the staging database overnight.",
        "Staging's database gets reset every night | Nothing left in the staging database survives the night.",
    ),
    (
        "Use ruff for formatting, not black | black and ruff fought over line ends; the person chose ruff.",
        "Formatting is done by ruff, not black | The person chose ruff when black and ruff disagreed about line ends.",
    ),
    (
        "pytest has to run with -p no:cacheprovider in CI | The cache folder is read-only there and the run fails.",
        "In CI run pytest with -p no:cacheprovider | The run fails otherwise: the cache folder is read-only there.",
    ),
    (
        "Prices are stored in cents as integers | Floats gave rounding errors in invoices.",
        "Store prices as integer cents | Rounding errors in invoices came from floats.",
    ),
    (
        "Never log request bodies | They hold personal data of customers.",
        "Request bodies must not be logged | Personal data of customers stands in them.",
    ),
    (
        "Restart the worker after changing config/queues.yml | The worker reads config/queues.yml only at start.",
        "After a change to config/queues.yml restart the worker | It is only read when the worker starts.",
    ),
    (
        "Answer in short sentences without headings | The person dislikes long structured answers.",
        "The person wants short answers without headings | Long structured answers are disliked.",
    ),
    (
        "Migrations must be reversible | A migration without a way back blocked a rollback.",
        "Every migration has to be reversible | A rollback was blocked by a migration that had no way back.",
    ),
    (
        "Use UTC in all stored timestamps | Local times broke the report when the clocks changed.",
        "All stored timestamps are UTC | The report broke with local times when clocks changed.",
    ),
    (
        "Keep the public API of the tides package stable | Two customers import it directly.",
        "The tides package's public API stays stable | It is imported directly by two customers.",
    ),
    (
        "Do not edit generated files under gen/ | Edits under gen/ are lost with the next build; change the template.",
        "Never edit generated files in gen/ | The next build overwrites edits in gen/; the template is what to change.",
    ),
    (
        "Deploy only with the release script | A manual deploy skipped the database check.",
        "Deploys go only through the release script | The database check was skipped by a manual deploy.",
    ),
    (
        "Dana handles invoices; send questions about invoices to Dana | The person said so twice.",
        "Questions about invoices go to Dana | Dana handles invoices.",
    ),
    (
        "Build the docs with Python 3.12 | The theme does not import under Python 3.13.",
        "Docs are built with Python 3.12 | Under Python 3.13 the theme fails to import.",
    ),
    (
        "Use the fixture home in tests, never the real home folder | A test wrote into the real home folder.",
        "Tests use the fixture home and never the real home folder | One test had written to the real home folder.",
    ),
    (
        "Feature flags live in flags.toml and nowhere else | A flag in the environment was forgotten for months.",
        "Put feature flags into flags.toml, nowhere else | An environment flag was forgotten for months.",
    ),
    (
        "Use rg instead of grep for searching this monorepo | grep took minutes because of the vendored folders.",
        "Search this monorepo with rg instead of grep | With the vendored folders grep took minutes.",
    ),
    (
        "The person prefers small commits, one change each | A big mixed commit had to be split.",
        "Small commits with one change each are preferred | The person had a big mixed commit split.",
    ),
    (
        "Thumbnails are made at upload, not on request | Making them on request was too slow on the small server.",
        "Make thumbnails at upload, not on request | On the small server making them on request was too slow.",
    ),
    (
        "Docker builds need --network=host on this machine | DNS does not work inside the default bridge.",
        "On this machine docker builds need --network=host | In the default bridge DNS does not work.",
    ),
    (
        "Never mock the database in integration tests | Mocks hid a broken query for weeks.",
        "Integration tests must not mock the database | A broken query was hidden for weeks by mocks.",
    ),
    (
        "Errors shown to customers never contain stack traces | Support got screenshots with internal paths.",
        "No stack traces in errors that customers see | Screenshots with internal paths reached support.",
    ),
    (
        "Before every release run scripts/smoke.sh | A release without it broke the login.",
        "Run scripts/smoke.sh before each release | The login broke in a release that went out without it.",
    ),
    (
        "The map uses coordinates in the order longitude, latitude | Swapped coordinates put ships on land.",
        "Coordinates on the map are longitude, latitude, in that order | Ships were drawn on land when swapped.",
    ),
    (
        "Keep the changelog in the user's words | A changelog of commit messages was rejected.",
        "The changelog is written in the user's words | The person rejected a changelog made of commit messages.",
    ),
    (
        "Use tabs in Makefiles even though the editor config says spaces | make fails with spaces.",
        "Makefiles need tabs even though the editor config says spaces | With spaces make fails.",
    ),
    (
        "Release notes come out of merged changes | The person asked three times for notes from merged changes.",
        "Write release notes from the merged changes | Notes out of merged changes were asked for several times.",
    ),
    (
        "Set the timeout of the ferry API to 30 seconds | With 10 seconds the timetable import fails in the morning.",
        "The ferry API needs a timeout of 30 seconds | In the morning the timetable import fails with 10 seconds.",
    ),
    (
        "Do not add dependencies without asking | A date library was added for one function.",
        "Never add a dependency without asking | For a single function a date library had been added.",
    ),
    # -- not looked at while choosing
    (
        "Use sqlite in WAL mode for the local cache | Readers blocked the writer without it.",
        "The local cache uses sqlite in WAL mode | Without WAL the writer was blocked by readers.",
    ),
    (
        "Never commit .env files | One with credentials reached the remote once.",
        "Do not commit .env files | Credentials reached the remote once that way.",
    ),
    (
        "Mails to customers are sent on weekdays before 17:00 | Customers complained about mails at night.",
        "Send customer mails on weekdays, before 17:00 | There were complaints about mails at night.",
    ),
    (
        "Type hints are required in new code | Reviews kept coming back because of missing hints.",
        "New code needs type hints | Missing hints kept making reviews come back.",
    ),
    (
        "Run the linter before pushing | CI rejected three pushes in a row over lint.",
        "Before pushing, run the linter | Three pushes in a row were rejected by CI over lint.",
    ),
    (
        "Keep the old endpoint /v1/tides until the app is updated | The app in the store still calls it.",
        "/v1/tides, the old endpoint, stays until the app is updated | It is still called by the app in the store.",
    ),
    (
        "Prefer composition over inheritance in the renderer | The class tree had become unreadable.",
        "In the renderer prefer composition over inheritance | An unreadable class tree was the reason.",
    ),
    (
        "Images in posts get alt texts | A reader with a screen reader complained.",
        "Every image in a post gets an alt text | The complaint came from a reader with a screen reader.",
    ),
    (
        "Do not use print for logging, use the logger | print output gets lost under systemd.",
        "Log with the logger, do not use print for logging | Under systemd the output of print gets lost.",
    ),
    (
        "The backup runs at 03:00 and must not be disturbed | A deploy at 03:00 broke the backup.",
        "Do not disturb the backup at 03:00 | The backup was broken by a deploy at 03:00.",
    ),
    (
        "Write commit messages in the imperative | The person corrected a message in the past tense.",
        "Commit messages are in the imperative | A message in the past tense was corrected.",
    ),
    (
        "Use cursor pagination in the list API | Offset pagination skipped rows while others were added.",
        "The list API uses cursor pagination | Rows were skipped with offset pagination while others were added.",
    ),
    (
        "The design uses at most two font sizes per page | The person removed a third one by hand.",
        "At most two font sizes on a page | A third one was removed by the person by hand.",
    ),
    (
        "Squash commits when merging a branch | The history of main is read by people outside.",
        "When merging a branch, squash its commits | People outside read the history of main.",
    ),
    (
        "Ask Priya before touching the billing module | Priya is responsible for it and was surprised twice.",
        "Before touching the billing module ask Priya | She is responsible and was surprised twice.",
    ),
    (
        "pip install fails behind the proxy without --trusted-host | The certificate of the proxy is not known.",
        "Behind the proxy pip install needs --trusted-host | It fails as the proxy's certificate is not known.",
    ),
    (
        "Cache the exchange rates for one day | The free plan allows few calls.",
        "Exchange rates are cached for one day | Only few calls are allowed on the free plan.",
    ),
    (
        "Never rename a published event field | Consumers outside depend on the names.",
        "Published event fields must never be renamed | The names are depended on by consumers outside.",
    ),
    (
        "Show distances in nautical miles | The sailors among the users asked for it.",
        "Distances are shown in nautical miles | Sailors among the users asked for that.",
    ),
    (
        "Give the deploy user read access only | A script with write access removed a bucket.",
        "The deploy user has read access only | A bucket was removed by a script that had write access.",
    ),
)

DIFFERENT: tuple[tuple[str, str], ...] = (
    (
        "Deploying on Fridays is fine | The person said a Friday deploy is no problem.",
        "Never deploy on a Friday | A deploy on Friday cost the weekend; the person forbade it.",
    ),
    (
        "Deploy docs on Friday is fine | Docs do not break anything.",
        "Never deploy on a Friday | A deploy on Friday cost the weekend.",
    ),
    (
        "Use pnpm, not npm | The lock file is pnpm's.",
        "Use npm, not pnpm | The lock file is npm's.",
    ),
    (
        "Set the timeout of the ferry API to 30 seconds | With 10 seconds the import fails.",
        "Set the timeout of the ferry API to 90 seconds | With 30 seconds the import fails.",
    ),
    (
        "Run npm install with --legacy-peer-deps | Plain npm install failed on a peer conflict.",
        "Run npm install with --ignore-scripts | Plain npm install failed on a postinstall script.",
    ),
    (
        "Never retry on a 4xx in src/mail/send.py | A client error stays one.",
        "Never retry on a 4xx in src/mail/fetch.py | A client error stays one.",
    ),
    (
        "Never retry on a 4xx in src/mail/send.py | A client error stays one.",
        "Always retry on a 5xx in src/mail/send.py | A server error may pass.",
    ),
    (
        "Write to Amy in a casual tone | Amy and the person are casual.",
        "Write to Neal in a casual tone | Neal and the person are casual.",
    ),
    (
        "Write to Amy in a casual tone | Amy and the person are casual.",
        "Write to Amy in a formal tone | Amy asked for formal mails.",
    ),
    (
        "Run the linter before committing | CI rejects otherwise.",
        "Run the linter after committing | The hook does it in the background.",
    ),
    (
        "Ask before deleting files in data/ | They cannot be made again.",
        "Files in data/ may be deleted without asking | They can be made again at any time.",
    ),
    (
        "Build the docs with Python 3.12 | The theme fails under 3.13.",
        "Build the docs with Python 3.13 | The theme fails under 3.12.",
    ),
    (
        "Enable the cache in staging | Pages were too slow.",
        "Disable the cache in staging | Old pages were shown.",
    ),
    (
        "Use tabs in Makefiles | make fails with spaces.",
        "Use spaces in YAML files | YAML fails with tabs.",
    ),
    (
        "Prices are stored in cents as integers | Floats gave rounding errors.",
        "Prices are shown in euros with two decimals | The person wants them readable.",
    ),
    (
        "The newsletter goes out on Thursday | The person fixed the day.",
        "The newsletter goes out on Tuesday | The person fixed the day.",
    ),
    (
        "The staging database is reset every night | Leave nothing there.",
        "The production database is backed up every night | Restore from there.",
    ),
    (
        "Never log request bodies | They hold personal data.",
        "Log response codes for every request | They help to find outages.",
    ),
    (
        "Use the fixture home in tests | A test wrote into the real home.",
        "Use the fixture database in tests | A test wrote into the real database.",
    ),
    (
        "Restart the worker after changing config/queues.yml | It is read at start only.",
        "Restart the web server after changing config/routes.yml | It is read at start only.",
    ),
    (
        "Comments in code are written in English | A German one was sent back.",
        "Commit messages are written in English | A German one was sent back.",
    ),
    (
        "Tests are named after behaviour | The person was delighted.",
        "Fixtures are named after people | The person was delighted.",
    ),
    (
        "The person prefers small commits | A big one had to be split.",
        "The person prefers small pull requests | A big one had to be split.",
    ),
    (
        "Migrations must be reversible | A rollback was blocked.",
        "Migrations must run in under a minute | A deploy was blocked.",
    ),
    (
        "All stored timestamps are UTC | Local times broke the report.",
        "All shown timestamps are local time | UTC confused the readers.",
    ),
    (
        "Use ruff for formatting | black disagreed about line ends.",
        "Use ruff for linting | flake8 was too slow.",
    ),
    (
        "Dana handles invoices | Send questions to Dana.",
        "Dana handles travel | Send questions to Dana.",
    ),
    (
        "Do not edit generated files under gen/ | They are overwritten.",
        "Do not commit generated files under gen/ | They are built in CI.",
    ),
    (
        "Docker builds need --network=host on this machine | DNS does not work in the bridge.",
        "Docker runs need --network=host on this machine | The app listens on localhost.",
    ),
    (
        "Thumbnails are made at upload | On request was too slow.",
        "Thumbnails are made on request | At upload made the upload too slow.",
    ),
    (
        "Keep the public API of the tides package stable | Customers import it.",
        "The public API of the tides package may change until 1.0 | Nobody imports it yet.",
    ),
    (
        "The map uses the order longitude, latitude | Ships were on land.",
        "The search form uses the order latitude, longitude | People type it that way.",
    ),
    (
        "Before every release run scripts/smoke.sh | The login broke once.",
        "Before every release run scripts/bump.sh | The version was wrong once.",
    ),
    (
        "Keep the changelog in the user's words | Commit messages were rejected.",
        "Keep commit messages in the imperative | Past tense was rejected.",
    ),
    (
        "Use cursor pagination in the list API | Offsets skipped rows.",
        "Use cursor pagination in the search API | Offsets were slow.",
    ),
    (
        "Feature flags live in flags.toml | One in the environment was forgotten.",
        "Secrets live in the environment | One in flags.toml was committed.",
    ),
    (
        "Never mock the database in integration tests | Mocks hid a broken query.",
        "Never mock the clock in integration tests | Mocks hid a race.",
    ),
    (
        "entire list prints dates in local time | UTC confused people.",
        "entire list hides sessions older than 30 days | The list was too long.",
    ),
    (
        "Answer in short sentences | The person dislikes long answers.",
        "Answer in German | The person writes German.",
    ),
    (
        "Pin dependencies to exact versions | An update broke the build.",
        "Do not pin dependencies to exact versions in libraries | It made installs impossible.",
    ),
    # -- not looked at while choosing
    (
        "Squash commits when merging a branch | The history is read outside.",
        "Do not squash commits when merging a branch | The single steps are needed for bisecting.",
    ),
    (
        "Cache the exchange rates for one day | The free plan allows few calls.",
        "Cache the exchange rates for one hour | Customers saw old rates.",
    ),
    (
        "Show distances in nautical miles | Sailors asked for it.",
        "Show distances in kilometres | Hikers asked for it.",
    ),
    (
        "Ask Priya before touching the billing module | Priya is responsible.",
        "Ask Tom before touching the billing module | Tom is responsible.",
    ),
    (
        "The deploy user has read access only | A bucket was removed.",
        "The deploy user has write access to the bucket | Uploads failed without it.",
    ),
    (
        "Type hints are required in new code | Reviews came back.",
        "Docstrings are required in new code | Reviews came back.",
    ),
    (
        "Use sqlite in WAL mode for the cache | Readers blocked the writer.",
        "Use sqlite in memory for the tests | Files were left behind.",
    ),
    (
        "Images in posts get alt texts | A reader complained.",
        "Images in posts are at most 1200 pixels wide | A reader complained.",
    ),
    (
        "The backup runs at 03:00 | Do not deploy then.",
        "The backup runs at 04:30 | Do not deploy then.",
    ),
    (
        "Prefer composition over inheritance in the renderer | The tree was unreadable.",
        "Prefer inheritance over composition in the renderer | The wiring was unreadable.",
    ),
    (
        "Send customer mails before 17:00 | Customers complained about mails at night.",
        "Send customer mails after 17:00 | Customers complained about mails at work.",
    ),
    (
        "Accept cookies only after consent | The law asks for it.",
        "Accept cookies without consent on the intranet | The law does not apply there.",
    ),
    (
        "Use HTTP/2 for the public site | It was faster on phones.",
        "Use HTTP/1.1 for the public site | A proxy broke HTTP/2.",
    ),
    (
        "Tag releases as v1.2.3 | The script expects the v.",
        "Tag releases as 1.2.3 without the v | The script chokes on the v.",
    ),
    (
        "Increase the memory limit of the worker | It was killed on big files.",
        "Decrease the memory limit of the worker | It starved the web process.",
    ),
    (
        "Open links in the same tab | The person finds new tabs annoying.",
        "Open links in a new tab | The person loses the form otherwise.",
    ),
    (
        "Sort the table ascending by date | The oldest is due first.",
        "Sort the table descending by date | The newest matters most.",
    ),
    (
        "Include tests in the wheel | Packagers run them.",
        "Exclude tests from the wheel | It became too large.",
    ),
    (
        "Use the staging key in tests | The live key was charged.",
        "Use the live key in the smoke test | The staging key does not cover payments.",
    ),
    (
        "Retry uploads three times | The network in the harbour is flaky.",
        "Retry uploads once | Three retries made the queue too long.",
    ),
)
