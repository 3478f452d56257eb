// Memory Lane: written by `lane init`; `lane hook remove pi` takes it out. Changes made here are lost.
// It carries events to Lane's hook program and puts what that answers beside the prompt or the file.
import { spawn } from "node:child_process";

const RUN: string = "{{RUN}}";
const RECALL: boolean = "{{RECALL}}" as unknown as boolean;
const LONGEST = 1500; // milliseconds; the program itself ends within 500

type Answer = { context?: string; line?: string };

/** What the hook program says to this event; nothing where it fails or is slow. */
const ask = (event: string, said: object): Promise<Answer> =>
  new Promise((resolve) => {
    let out = "";
    const child = spawn(RUN, ["pi", event], { stdio: ["pipe", "pipe", "ignore"] });
    const timer = setTimeout(() => child.kill(), LONGEST);
    const end = () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(out || "{}"));
      } catch {
        resolve({});
      }
    };
    child.on("error", end);
    child.on("close", end);
    child.stdin.on("error", () => {});
    child.stdout.on("data", (piece: Buffer) => (out += piece));
    child.stdin.end(JSON.stringify(said));
  });

export default function (pi: any) {
  let source = "startup"; // why the next prompt begins a context; "": it does not

  const given = (ctx: any, more: object) => ({
    session_id: ctx.sessionManager?.getSessionId?.() ?? "",
    transcript_path: ctx.sessionManager?.getSessionFile?.() ?? "",
    cwd: ctx.cwd,
    ...more,
  });
  const show = (ctx: any, lines: string[]) => {
    if (ctx.hasUI) ctx.ui.setWidget("lane", lines.length ? lines : undefined);
  };

  /** A session that goes on still has what it was told. */
  const goesOn = (ctx: any) =>
    (ctx.sessionManager?.getBranch?.() ?? []).some((entry: any) => entry.customType === "memory-lane");

  pi.on("session_start", async () => {
    source = "startup";
  });
  pi.on("session_compact", async () => {
    source = "compact"; // the standing rules are gone with the rest: the next prompt brings them again
  });
  for (const event of ["agent_settled", "session_shutdown"])
    pi.on(event, async (_event: any, ctx: any) => {
      await ask(event === "agent_settled" ? "Stop" : "SessionEnd", given(ctx, {}));
    });
  if (!RECALL) return;

  pi.on("before_agent_start", async (event: any, ctx: any) => {
    const asked = [ask("UserPromptSubmit", given(ctx, { prompt: event.prompt ?? "" }))];
    if (source === "startup" && goesOn(ctx)) source = "resume";
    if (source) asked.unshift(ask("SessionStart", given(ctx, { source })));
    source = "";
    const answers = await Promise.all(asked);
    show(ctx, answers.map((answer) => answer.line ?? "").filter(Boolean));
    const content = answers.map((answer) => answer.context ?? "").filter(Boolean).join("\n\n");
    if (content) return { message: { customType: "memory-lane", content, display: false } };
  });

  pi.on("tool_result", async (event: any, ctx: any) => {
    const tool = ({ read: "Read", edit: "Edit", write: "Write", bash: "Bash" } as Record<string, string>)[event.toolName];
    if (!tool) return;
    const named = event.input ?? {};
    const tool_input = named.path ? { file_path: named.path } : { command: named.command ?? "" };
    const answer = await ask("PostToolUse", given(ctx, { tool_name: tool, tool_input }));
    if (!answer.context) return;
    show(ctx, answer.line ? [answer.line] : []);
    return { content: [...event.content, { type: "text", text: answer.context }] };
  });
}
