// Memory Lane: written by `lane init`; `lane hook remove amp` takes it out. Changes made here are lost.
// It carries prompts to Lane's hook program and puts what that answers beside them.
import { spawn } from "node:child_process";

const RUN = "{{RUN}}";
const LONGEST = 1500; // milliseconds; the program itself ends within 500

/** What the hook program says to this event; nothing where it fails or is slow. */
const ask = (event, said) =>
  new Promise((resolve) => {
    let out = "";
    const child = spawn(RUN, ["amp", event], { stdio: ["pipe", "pipe", "ignore"] });
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
    child.stdout.on("data", (piece) => (out += piece));
    child.stdin.end(JSON.stringify(said));
  });

/** The folder that is worked in; some versions give it as a `file:` address. */
const folder = (amp) => {
  const root = String(amp.system?.workspaceRoot ?? "");
  return root.startsWith("file:") ? decodeURIComponent(new URL(root).pathname) : root || process.cwd();
};

export default function (amp) {
  const begun = new Set(); // threads that were given the standing rules

  amp.on("agent.start", async (event) => {
    const session_id = event.thread?.id ?? "";
    const given = (more) => ({ session_id, cwd: folder(amp), ...more });
    const asked = [ask("UserPromptSubmit", given({ prompt: event.message ?? "" }))];
    if (!begun.has(session_id)) asked.unshift(ask("SessionStart", given({ source: "startup" })));
    begun.add(session_id);
    const answers = await Promise.all(asked);
    const content = answers.map((answer) => answer.context ?? "").filter(Boolean).join("\n\n");
    return content ? { message: { content } } : {};
  });
}
