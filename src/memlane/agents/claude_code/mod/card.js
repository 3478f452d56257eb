// What the mod needs to know about events and cards; nothing here reaches the client or the daemon.
// @ts-check

const KEYS = 45 // columns that the keys of a note take
const ITEMS = /^\s*(?:[-*]\s*)?\(?([1-9])[.):]\s/gm
const ASKS = /\b(?:which (?:one|option|number|of these)|(?:reply|answer|respond) with|pick|choose|select|enter|type) .{0,60}\b(?:number|[1-9])\b|\(1[-/–][2-9]\)/i
const SENT = ['session_id', 'agent_id', 'cwd', 'transcript_path', 'agent_transcript_path', 'source', 'prompt', 'tool_name', 'last_assistant_message']

/** The part of an event that the daemon needs: no results of tools. */
export function given(e) {
  const said = Object.fromEntries(SENT.filter(name => typeof e[name] === 'string').map(name => [name, e[name]]))
  const { file_path, notebook_path, command } = e.tool_input ?? {}
  return e.tool_input ? { ...said, tool_input: { file_path, notebook_path, command } } : said
}

/** Tools after which a note may be due. */
export const TOUCHES = ['Bash', 'Read', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit']

/** A tool's call, as a settings hook is told of it. */
export function touched(e, session_id, cwd) {
  return { session_id, cwd, agent_id: e.agentId, tool_name: String(e.tool), tool_input: e }
}

/** What the model is told. */
export function contextOf(got) {
  return got?.output?.hookSpecificOutput?.additionalContext
}

/** The result of an event, with that beside it. */
export function withContext(result, got) {
  const context = contextOf(got)
  return context ? { ...result, additionalContext: [...(result.additionalContext ?? []), context] } : result
}

/** A line of ours, where the client puts our name before it. */
export function named(line) {
  return line?.replace(/^Lane: /gm, '')
}

/** A card as it is drawn first: `at` is the note that is voted on next. */
export function fresh(card) {
  return { recall: card.recall ?? '', notes: card.notes ?? [], kept: card.kept ?? [], at: 0, open: false, said: '' }
}

/** The one line of a card, and what its keys are about. */
export function heading(card, columns) {
  const [kept] = card.kept
  if (kept) return { text: `lane: kept: ${cut(kept.title, columns - 25)}`, kept }
  const note = card.notes[card.at]
  if (!note) return { text: `lane: ${card.said || 'noted'}` }
  const which = card.notes.length > 1 ? ` ${card.at + 1}/${card.notes.length}` : ''
  return { text: `lane${which}: ${cut(note.title, columns - KEYS)}`, note }
}

function cut(text, columns) {
  const most = Math.max(20, columns)
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`
}

/** Whether an answer ends in a choice by number: then a digit belongs to the agent. */
export function needsNumber(answer) {
  const end = answer.split('\n').slice(-25).join('\n')
  const items = new Set([...end.matchAll(ITEMS)].map(found => found[1]))
  const asks = /\?\s*$/.test(answer.trimEnd()) || /\?/.test(end.slice(-400))
  return ASKS.test(end) || (items.has('1') && items.has('2') && asks)
}
