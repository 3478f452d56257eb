"""The hook itself: carries one hook call of an agent to the daemon and prints its answer, once and whole, or nothing.

It stands alone: `python -I -S client.py AGENT EVENT`, built-in modules only, beside a `home.txt` that names the home
and the interpreter. It reads no JSON and knows no agent; of a file or a command it takes the few strings it needs as
they stand, and asks nobody about one that is in no list. Whatever happens, it ends with 0 within its stop.
"""

import _signal  # pyright: ignore[reportMissingImports] - what `signal` is made of, 3 ms sooner
import _socket
import posix
import sys
import time

PROTOCOL = b"lane/1"
STOP = 0.5  # seconds from the start of this process to its end
LAST_WORDS = 0.06  # of these, kept for one line in the log
USUAL_START = 0.03  # what an interpreter takes, where nobody can say
LARGEST_QUESTION = LARGEST_LOG = 1 << 20
LARGEST_ANSWER = 60_000  # a pipe takes it in one write
TOUCHED = "PostToolUse"  # a file was read or changed, or a command was run
SIGNS = b"signs"  # what stands in a command ($) or a path (/) where a note may be due, one on each line
LONGEST_COMMAND = 4000  # bytes that the daemon is told
PATHS = b"paths"  # one name a line, of files that something is known about; a folder ends with a slash
LARGEST_LIST = 1 << 24
SAID_OF_A_TOOL = b"session_id sessionId conversation_id agent_id cwd tool_name transcript_path hookEventName".split()
NAMED_BY = (b"file_path", b"filePath", b"notebook_path", b"command", b"path")
READS_BY_SHELL = ("codex",)  # these have no tool that reads a file: the path is in the command
MISSES_PROMPTS = ("droid",)  # these may call no hook for a prompt: the daemon looks for it at the first tool
ONLY_TOLD = ("Stop", "SubagentStop", "PreCompact", "SessionEnd", "Outcome")  # the agent waits for nothing
PAUSE = 0.004  # between two looks for a daemon that is starting
START_TAKES = 3.0  # seconds, at most; one that began earlier has failed
AFTERWARDS = 10.0  # seconds a hook may go on in the background, when its agent has left, to tell a new daemon
OF_PI = b"PI_CODING_AGENT_DIR PI_CODING_AGENT_SESSION_DIR"
MOVED = (b"CLAUDE_CONFIG_DIR CODEX_HOME COPILOT_HOME CURSOR_CONFIG_DIR " + OF_PI).split()  # where transcripts are kept
CLAUDE_CODE = "claude-code"  # agents that run its hooks too set one of these
BORROWERS = b"COPILOT_CLI PLUGIN_ROOT CURSOR_VERSION DROID_PLUGIN_ROOT DEVIN_PROJECT_DIR".split()

leave = posix._exit  # pyright: ignore[reportPrivateUsage] - nothing is left to flush, nothing may hold us


class SilentError(Exception):
    """The agent gets nothing; the message is for the log."""


class Hook:
    """One call, from its first byte to its last."""

    def __init__(self, agent: str, event: str) -> None:
        self.agent = agent
        self.event = event
        self.began = time.monotonic() - age()
        self.home = b""
        self.python = b""
        self.doing = "starting"

    def set_the_stop(self) -> None:
        left = self.began + STOP - LAST_WORDS - time.monotonic()
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [_signal.SIGALRM])
        _signal.signal(_signal.SIGALRM, self.stop)
        _signal.setitimer(_signal.ITIMER_REAL, max(left, 0.001))

    def stop(self, _number: int, _frame: object) -> None:
        """Time is up. A disk that hangs may hold the last words: then there are none."""
        _signal.signal(_signal.SIGALRM, lambda *_: leave(0))  # pyright: ignore[reportUnknownLambdaType]
        _signal.setitimer(_signal.ITIMER_REAL, LAST_WORDS * 0.9)
        self.write_down(f"too slow: {self.doing}")
        leave(0)

    def run(self, stdin: int) -> None:
        self.find_home()
        self.doing = "reading what the agent says"
        question = read_whole(stdin, cut=self.event == TOUCHED)
        if is_borrowed(self.agent, question):
            return
        try:
            posix.chdir(self.home + b"/run")  # from here the socket's path is short: it may be 107 bytes at most
        except FileNotFoundError:
            posix.mkdir(self.home + b"/run", 0o700)
            posix.chdir(self.home + b"/run")
        question = of_a_known_tool(question, self.agent) if self.event == TOUCHED else question
        if question:
            (self.tell if self.event in ONLY_TOLD else self.ask)(question)

    def find_home(self) -> None:
        """`LANE_HOME`, else what `lane init` wrote beside this file."""
        folder = __file__.rpartition("/")[0].encode("utf-8", "surrogateescape")
        written = read_file(folder + b"/home.txt").split(b"\n")
        self.home = posix.environ.get(b"LANE_HOME") or written[0]
        self.python = (written[1] if len(written) > 1 else b"") or sys.executable.encode("utf-8", "surrogateescape")
        if not self.home.startswith(b"/"):
            self.home = b""
            raise SilentError("no home is known")

    def ask(self, question: bytes) -> None:
        for attempt in (1, 2):
            daemon = self.reached()
            self.doing = "waiting for the answer"
            try:
                daemon.sendall(self.header(question) + question)
                answer = read_answer(daemon)
            except (ConnectionError, HungUpError):  # it was just leaving, or was killed: there will be another
                if attempt == 2:
                    raise
            else:
                return self.say(answer)

    def tell(self, question: bytes) -> None:
        """One write, no answer. Without a daemon, a process in the background waits for one to start."""
        daemon = connected()
        if daemon is None:
            if posix.fork():
                return
            detach()
            _signal.setitimer(_signal.ITIMER_REAL, AFTERWARDS)
            daemon = self.reached(patient=True)
        daemon.sendall(self.header(question) + question)

    def header(self, question: bytes) -> bytes:
        variables = posix.environ
        fields = [
            PROTOCOL,
            b"token=" + read_file(b"token"),
            b"agent=" + self.agent.encode("utf-8", "replace"),
            b"event=" + self.event.encode("utf-8", "replace"),
            b"until=%d" % ((self.began + STOP - LAST_WORDS) * 1_000_000_000),  # this machine's monotonic clock
        ]
        if variables.get(b"LANE_OFF", b"") not in (b"", b"0"):
            fields.append(b"off=1")
        fields += [name + b"=" + variables[name] for name in MOVED if name in variables]
        line = b"\0".join([*fields, b"length=%d" % len(question)])
        if b"\n" in line:
            raise SilentError("a variable has a line break in it")
        return line + b"\n"

    def say(self, answer: bytes) -> None:
        """Once and whole: from here on nothing interrupts."""
        if not answer:
            return
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        answer += b"\n"
        while answer:
            answer = answer[posix.write(1, answer) :]

    def reached(self, *, patient: bool = False) -> _socket.socket:
        """Many hooks may find no daemon; one of them starts it. If two do, its own lock lets one live."""
        daemon = connected()
        if daemon is None:
            self.doing = "waiting for the daemon to start"
            begun = start_begun()
            if begun is None or begun >= START_TAKES:
                self.start()
            if begun is not None and begun >= START_TAKES and not patient:
                raise SilentError("the daemon did not start last time; it is tried again")
        while daemon is None:
            time.sleep(PAUSE)
            daemon = connected()
        return daemon

    def start(self) -> None:
        if posix.fork():
            return
        try:
            detach()
            unwanted = (b"LANE_OFF", b"LANE_HOME")
            variables = {
                name: value
                for name, value in posix.environ.items()
                if name not in unwanted and not name.startswith(b"PYTHON")  # an agent's project may have set them
            }
            variables[b"LANE_HOME"] = self.home
            posix.execve(self.python, [self.python, b"-P", b"-m", b"memlane.surfaces.daemon"], variables)
        finally:
            leave(0)

    def write_down(self, cause: str) -> None:
        """One line of ours, none of the agent's words."""
        if not self.home:
            return
        try:
            log = open_log(self.home + b"/log")
            at = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())
            took = (time.monotonic() - self.began) * 1000
            line = f"{at} WARN {self.agent} {self.event}: nothing was said after {took:.0f} ms: {cause}"
            if posix.fstat(log).st_size < LARGEST_LOG:
                posix.write(log, line.replace("\n", " ").encode("utf-8", "replace") + b"\n")
        except OSError:
            return  # a full disk, no log folder: the agent goes on all the same


class HungUpError(SilentError):
    """The daemon ended the connection without a word."""


def age() -> float:
    """Seconds since this process was started: the interpreter's own start counts too."""
    try:
        ticks = int(read_file(b"/proc/self/stat").rpartition(b")")[2].split()[19])
        since = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / posix.sysconf("SC_CLK_TCK")
    except (AttributeError, IndexError, OSError, ValueError):
        return USUAL_START
    return since if 0 <= since < STOP else USUAL_START


def read_file(path: bytes, most: int = 8192, less: bytes | None = None) -> bytes:
    """Small files only; one that is not there is empty. `less`: what is taken off its ends, if not all white space."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY)
    except FileNotFoundError:
        return b""
    try:
        return posix.read(descriptor, most).strip(less)
    finally:
        posix.close(descriptor)


def open_log(folder: bytes) -> int:
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND
    try:
        return posix.open(folder + b"/hooks.log", flags, 0o600)
    except FileNotFoundError:
        posix.mkdir(folder, 0o700)
        return posix.open(folder + b"/hooks.log", flags, 0o600)


def is_borrowed(agent: str, question: bytes) -> bool:
    """Whether another agent runs this hook of Claude Code. Variables are inherited, so the session decides first."""
    own = posix.environ.get(b"CLAUDE_CODE_SESSION_ID")
    if agent != CLAUDE_CODE or (own and own in question):
        return False
    return any(variable in posix.environ for variable in BORROWERS)


def of_a_known_tool(question: bytes, agent: str = "") -> bytes:
    """The little of it that is about the path or the command; nothing where nothing is known about it."""
    key, value = next(((key, found) for key in NAMED_BY if (found := string_in(question, key))), (b"", b""))
    if key == b"command":
        known = has_sign(b"$", value) or (agent in READS_BY_SHELL and names_a_file(value))
        value = value if len(value) <= LONGEST_COMMAND else value[:LONGEST_COMMAND].rpartition(b" ")[0]
    else:
        known = bool(value) and (is_listed(value, read_file(PATHS, LARGEST_LIST, b"")) or has_sign(b"/", value.lower()))
    said = [b'"%b":"%b"' % (name, found) for name in SAID_OF_A_TOOL if (found := string_in(question, name))]
    tool = [b'"tool_input":{"%b":"%b"}' % (key, value)] if known and value else []
    return b"{%b}" % b",".join(said + tool) if tool or agent in MISSES_PROMPTS else b""


def names_a_file(command: bytes) -> bool:
    """Whether one of its words is the path of a file that something is known about."""
    names = read_file(PATHS, LARGEST_LIST, b"")
    paths = [word.strip(b"'\"();,") for word in command.split() if b"." in word or b"/" in word]
    return bool(names) and any(is_listed(path, names) for path in paths)


def has_sign(kind: bytes, text: bytes) -> bool:
    """Whether all words of one line of this kind stand in it; the daemon looks closer."""
    signs = (line.split() for line in read_file(SIGNS).split(b"\n"))
    return any(words[:1] == [kind] and all(word in text for word in words[1:]) for words in signs)


def string_in(question: bytes, key: bytes) -> bytes:
    """The first string under this key, as it stands in the JSON. Inside another string its quotes would be escaped."""
    for colon in (b":", b": "):
        head = b'"' + key + b'"' + colon + b'"'
        start = question.find(head)
        if start >= 0:
            end = start = start + len(head)
            while (end := question.find(b'"', end)) >= 0:
                body = question[start:end]
                if (len(body) - len(body.rstrip(b"\\"))) % 2 == 0:
                    return body
                end += 1
    return b""


def is_listed(path: bytes, names: bytes) -> bool:
    """By any of the ways it may be named there. Without a whole list, or with escapes in it, the daemon decides."""
    if not names or not names[:1] == names[-1:] == b"\n" or b"\\" in path:
        return True
    parts = path.decode("utf-8", "surrogateescape").casefold().encode("utf-8", "surrogateescape").split(b"/")
    for n in range(len(parts)):
        if stands_in(b"/".join(parts[n:]), names) or (n and stands_in(b"/".join(parts[:n]) + b"/", names)):
            return True
    return False


def stands_in(line: bytes, names: bytes) -> bool:
    """They are in order: each look halves what is left, so that a long list costs what a short one does."""
    low, high = 0, len(names) - 1
    while low < high:
        middle = (low + high) // 2
        start, end = names.rfind(b"\n", low, middle + 1), names.find(b"\n", middle + 1, high + 1)
        found = names[start + 1 : end]
        if found == line:
            return True
        low, high = (end, high) if found < line else (low, start)
    return False


def read_whole(descriptor: int, *, cut: bool = False) -> bytes:
    """To its end, so that the agent's own write succeeds; what is too large is dropped on the way, or its end is."""
    pieces: list[bytes] = []
    size = 0
    while piece := posix.read(descriptor, 1 << 18):
        if size <= LARGEST_QUESTION - len(piece) * (not cut):
            pieces.append(piece)
        size += len(piece)
    if not 0 < size <= LARGEST_QUESTION and not (cut and size):
        raise SilentError(f"the agent said {size} bytes")
    return b"".join(pieces)


def read_answer(daemon: _socket.socket) -> bytes:
    got = b""
    while True:
        head, ended, answer = got.partition(b"\n")
        if ended:
            protocol, _, length = head.partition(b" ")
            if protocol != PROTOCOL:
                raise SilentError("the daemon is of another version")
            if not length.isdigit() or len(length) > 6 or int(length) > LARGEST_ANSWER or len(answer) > int(length):
                raise SilentError("the answer makes no sense")
            if len(answer) == int(length):
                return checked(answer)
        elif len(got) > LARGEST_ANSWER:
            raise SilentError("the answer makes no sense")
        piece = daemon.recv(1 << 16)
        if not piece:
            raise SilentError("the answer was cut") if got else HungUpError("the daemon hung up")
        got += piece


def checked(answer: bytes) -> bytes:
    if answer and not (answer.startswith(b"{") and answer.endswith(b"}") and b"\n" not in answer):
        raise SilentError("the answer makes no sense")
    return answer


def connected() -> _socket.socket | None:
    daemon = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        daemon.connect(b"daemon.sock")
    except (FileNotFoundError, ConnectionRefusedError):
        daemon.close()
        return None
    return daemon


def start_begun() -> float | None:
    """How many seconds ago another hook began to start a daemon that is not there yet; None: now we do."""
    try:
        posix.close(posix.open(b"starting", posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL, 0o600))
    except FileExistsError:
        try:
            begun = time.time() - posix.stat(b"starting").st_mtime
            if not 0 <= begun < START_TAKES:
                posix.utime(b"starting")  # ours now
        except FileNotFoundError:
            return 0.0  # it is there this very moment
        return begun if begun >= 0 else START_TAKES  # the clock was put back
    except OSError:
        return None  # no room for a mark: start all the same
    return None


def detach() -> None:
    """Out of the agent's sight: its own group, none of its files."""
    posix.setsid()
    nothing = posix.open(b"/dev/null", posix.O_RDWR)
    for descriptor in (0, 1, 2):
        posix.dup2(nothing, descriptor)
    posix.closerange(3, 1024)


def fill_the_gaps() -> None:
    """A closed stdin or stdout must not become the number of a socket of ours."""
    for descriptor in (0, 1, 2):
        try:
            posix.fstat(descriptor)
        except OSError:
            posix.open(b"/dev/null", posix.O_RDWR)


def main(argv: list[str], stdin: int = 0) -> None:
    """Never returns, never fails."""
    try:
        fill_the_gaps()
        agent, event = argv if len(argv) == 2 else ("", "")
        hook = Hook(agent[:40], event[:40])
        hook.set_the_stop()
        try:
            hook.run(stdin)
        except SilentError as why:
            hook.write_down(str(why))
        except OSError as error:
            hook.write_down(f"{hook.doing}: {error.strerror}")
    finally:
        leave(0)


if __name__ == "__main__":
    main(sys.argv[1:])
