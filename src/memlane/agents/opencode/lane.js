// Memory Lane: written by `lane init`; `lane hook remove opencode` takes it out. Changes made here are lost.
// It carries events to Lane's hook program and puts what that answers beside the prompt or the file.
import { spawn } from "node:child_process"

const RUN = "{{RUN}}"
const MCP = "{{MCP}}"
const RECALL = "{{RECALL}}"
const LONGEST = 1500 // milliseconds; the program itself ends within 500

/** What the hook program says to this event; nothing where it fails or is slow. */
const ask = (event, said) =>
  new Promise((resolve) => {
    let out = ""
    const end = () => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(out || "{}"))
      } catch {
        resolve({})
      }
    }
    const child = spawn(RUN, ["opencode", event], { stdio: ["pipe", "pipe", "ignore"] })
    const timer = setTimeout(() => child.kill(), LONGEST)
    child.on("error", end)
    child.on("close", end)
    child.stdin.on("error", () => {})
    child.stdout.on("data", (piece) => (out += piece))
    child.stdin.end(JSON.stringify(said))
  })

let last = 0
/** Ids of parts are ordered by time. */
const partId = () => {
  last = Math.max(last + 1, Date.now() * 0x1000)
  return "prt_" + last.toString(16).padStart(12, "0").slice(-12) + "memorylanexxxx"
}

export const MemoryLane = async ({ client, directory, worktree }) => {
  const cwd = worktree && worktree !== "/" ? worktree : directory
  const begins = new Map() // session: why its next prompt begins a context
  const seen = new Set() // sessions that this process knows
  /** What was given, for the person to see; nothing waits for it, and without a screen it shows nothing. */
  const show = (lines) => {
    const message = lines.filter(Boolean).join("\n")
    if (message) client?.tui?.showToast?.({ body: { message, variant: "info" } })?.catch?.(() => {})
  }
  const given = (sessionID, more) => ({ session_id: sessionID, cwd: directory || cwd, ...more })

  const told = {
    "chat.message": async (input, output) => {
      const id = input.sessionID
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = texts.map((part) => part.text).join("\n")
      const asked = []
      const source = begins.get(id) ?? (seen.has(id) ? "" : "resume")
      begins.delete(id)
      seen.add(id)
      if (source) asked.push(ask("SessionStart", given(id, { source })))
      asked.push(ask("UserPromptSubmit", given(id, { prompt })))
      const answers = await Promise.all(asked)
      show(answers.map((answer) => answer.line))
      for (const answer of answers) {
        if (answer.context) {
          const part = { id: partId(), sessionID: id, messageID: output.message.id, type: "text" }
          output.parts.push({ ...part, text: answer.context, synthetic: true })
        }
      }
    },
    "tool.execute.after": async (input, output) => {
      const named = output.args ?? input.args ?? {}
      // A coordinator such as the swarm plugin says how the work went; what was told in it gains or loses by that.
      if (/_record_outcome$/.test(input.tool) && !input.tool.startsWith("lane_") && typeof named.success === "boolean")
        return ask("Outcome", given(input.sessionID, { success: named.success }))
      const tool = { read: "Read", edit: "Edit", write: "Write", bash: "Bash" }[input.tool]
      if (!tool || typeof output.output !== "string") return
      const tool_input = named.filePath ? { file_path: named.filePath } : { command: named.command ?? "" }
      const answer = await ask("PostToolUse", given(input.sessionID, { tool_name: tool, tool_input }))
      show([answer.line])
      if (answer.context) output.output += `\n\n${answer.context}`
    },
  }

  return {
    config: async (config) => {
      if (RECALL && !config.mcp?.lane) config.mcp = { ...config.mcp, lane: { type: "local", command: [MCP] } }
    },
    event: async ({ event }) => {
      const id = event.properties?.sessionID ?? event.properties?.info?.id
      if (event.type === "session.created") begins.set(id, "startup")
      if (event.type === "session.compacted") begins.set(id, "compact") // the standing rules went with the rest
      if (event.type === "session.idle") await ask("Stop", given(id, {}))
    },
    ...(RECALL ? told : {}),
  }
}
