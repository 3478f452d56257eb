"""Sample runs in `ferry-api`: bookings for a small ferry line, in TypeScript, with a worker in a container."""

from __future__ import annotations

import base64
import hashlib

from memlane.demo.sample import CLAUDE_CODE, CODEX, FERRY, SampleCall, SamplePrompt, SampleRun, bash, edit, read


def planted_secret() -> str:
    """Looks like a token, opens nothing. Made here, so that no scanner trips over it in this file."""
    digest = hashlib.sha512(b"memlane demo: a token that opens nothing").digest()
    return "ghp_" + "".join(c for c in base64.b64encode(digest).decode() if c.isalnum())[:36]


REFUSED_CONNECTIONS = SampleRun(
    key="refused-connections",
    agent=CLAUDE_CODE,
    at=FERRY,
    days_ago=20,
    hour=9,
    title="Bookings fail after the deploy",
    asked=(
        SamplePrompt(
            "since this morning's deploy every booking answers 502. the pods are up. what is it?",
            (
                "I'll look at the pods' own log first.",
                bash(
                    "kubectl logs deploy/ferry-api --since=1h | tail -4",
                    "error: connect ECONNREFUSED 10.0.4.12:5432\nerror: booking failed: connection refused\n"
                    "readiness probe ok (does not touch the database)",
                ),
                "The API runs but its database connection is refused. The address is 10.0.4.12.",
                bash("kubectl get svc postgres -o wide", "postgres  ClusterIP  10.0.7.3  5432/TCP  41m"),
                "The service was recreated by the deploy 41 minutes ago and has a new address, 10.0.7.3. The API "
                "still uses the old one, so somewhere it is written down as a number.",
            ),
        ),
        SamplePrompt(
            "find it and fix it",
            (
                bash("grep -rn 10.0.4.12 deploy/", "deploy/values.yaml:14:  databaseHost: 10.0.4.12"),
                edit("deploy/values.yaml", "databaseHost: 10.0.4.12", "databaseHost: postgres"),
                bash(
                    "helm upgrade ferry ./deploy && kubectl rollout status deploy/ferry-api", "successfully rolled out"
                ),
                bash("curl -fsS https://ferry.example.org/health/deep", '{"database":"ok","queue":"ok"}'),
                "Fixed: the chart named the database by address; it now uses the service name `postgres`. Deep health "
                "is ok again.",
            ),
        ),
        SamplePrompt(
            "good. and please never put addresses into the chart again, always names", ("Understood: names only.",)
        ),
    ),
)

QUEUE_PACKAGE = SampleRun(
    key="queue-package",
    agent=CLAUDE_CODE,
    at=FERRY,
    days_ago=16,
    hour=14,
    title="Add the queue package to the worker",
    asked=(
        SamplePrompt(
            "move the receipt queue into its own workspace package and use it in the worker",
            (
                "I'll have a second agent list every place that names packages, and move the code meanwhile.",
                SampleCall(
                    "Task",
                    {"description": "Find package lists", "prompt": "List every file that names workspace packages."},
                    "package.json, tsconfig.json, Dockerfile (COPY, runtime stage)",
                ),
                bash("git mv src/worker/queue packages/queue && npm install", "added 1 package"),
                bash("npm test", "Tests: 84 passed"),
                bash(
                    "docker build -q -t ferry-worker . && docker run --rm ferry-worker",
                    "Error: ENOENT: no such file or directory, open '/app/packages/queue/package.json'",
                    failed=True,
                ),
                "The tests pass but the image does not start. I'll add the package to the workspace globs.",
                edit(
                    "package.json",
                    '"workspaces": ["packages/core"]',
                    '"workspaces": ["packages/*"]',
                    refused="no, the workspace is fine. the Dockerfile has its own COPY list in the runtime stage, "
                    "the package is missing there",
                ),
            ),
        ),
        SamplePrompt(
            "look at the Dockerfile instead",
            (
                read("Dockerfile", "COPY packages/core ./packages/core\nCOPY dist ./dist\n"),
                edit(
                    "Dockerfile",
                    "COPY packages/core ./packages/core",
                    "COPY packages/core ./packages/core\nCOPY packages/queue ./packages/queue",
                ),
                bash("docker build -q -t ferry-worker . && docker run --rm ferry-worker --once", "1 receipt sent"),
                "The worker starts. Each package has its own COPY line in the runtime stage; the new one was missing.",
            ),
        ),
    ),
)

PACKAGE_LISTS = SampleRun(
    key="package-lists",
    agent=CLAUDE_CODE,
    at=FERRY,
    days_ago=16,
    hour=14,
    under="queue-package",
    asked=(
        SamplePrompt(
            "List every file that names workspace packages.",
            (
                bash(
                    "grep -rln packages/core --exclude-dir=node_modules .",
                    "./package.json\n./tsconfig.json\n./Dockerfile",
                ),
                "package.json, tsconfig.json, Dockerfile (COPY, runtime stage)",
            ),
        ),
    ),
)

RELEASE_TOKEN = SampleRun(
    key="release-token",
    agent=CLAUDE_CODE,
    at=FERRY,
    days_ago=12,
    hour=17,
    title="The release job cannot push tags",
    asked=(
        SamplePrompt(
            "the release job fails with 403 when it pushes the tag",
            (
                bash("cat .env.release", f"RELEASE_BRANCH=main\nGITHUB_TOKEN={planted_secret()}\n"),
                "The job has a token, so it is about its rights: pushing a tag needs write access to contents.",
                edit(".ci/release.yml", "contents: read", "contents: write"),
                "Changed to `contents: write`. That file with the token should not be in the work tree; shall I add it "
                "to .gitignore?",
            ),
        ),
        SamplePrompt("yes, and I'll revoke it", (edit(".gitignore", "dist/", "dist/\n.env.release"), "Done.")),
    ),
)

SMOKE_TEST = SampleRun(
    key="smoke-test",
    agent=CLAUDE_CODE,
    at=FERRY,
    days_ago=6,
    hour=10,
    title="A smoke test for the worker image",
    asked=(
        SamplePrompt(
            "add a smoke test that builds the worker image and runs it once, Ruben wants it before every deploy",
            (
                SampleCall(
                    "Write",
                    {"file_path": "test/image.sh", "content": "docker build -t w . && docker run --rm w --once"},
                    "File created successfully.",
                ),
                bash("sh test/image.sh", "1 receipt sent"),
                "`test/image.sh` builds the image and sends one receipt; it takes about 40 seconds.",
            ),
        ),
    ),
)

REGISTRY = SampleRun(
    key="registry",
    agent=CODEX,
    at=FERRY,
    days_ago=5,
    hour=11,
    title="CI cannot reach the registry",
    asked=(
        SamplePrompt(
            "CI fails after the deploy stage: dial tcp: connect: connection refused, while pulling the base image",
            (
                "I'll check what the runner resolves.",
                bash("curl -sS http://registry.internal:5000/v2/", "curl: (7) Connection refused", failed=True),
                bash("getent hosts registry.internal", "10.0.9.2  registry.internal"),
                bash("curl -sS https://registry.internal/v2/", "{}"),
                "The mirror moved from port 5000 to 443. The runner's config still says 5000.",
            ),
        ),
        SamplePrompt(
            "change it and run the job again", (bash("make ci", "stage deploy: ok\nstage pull: ok"), "Green again.")
        ),
    ),
)

FERRY_RUNS = (REFUSED_CONNECTIONS, QUEUE_PACKAGE, PACKAGE_LISTS, RELEASE_TOKEN, SMOKE_TEST, REGISTRY)
