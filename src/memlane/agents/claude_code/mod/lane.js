// Memory Lane inside Claude Code: carries its hook events to the daemon's socket, and shows the answers above the prompt.
//
// It knows nothing itself. Whatever fails here, the session goes on; without a daemon the command hooks beside it serve.
// `$` may only be given to a function declared at the top of a file, and an event is always named by a literal.
// @ts-check
import { atom, read, update } from 'claude-code'
import { TOUCHES, contextOf, fresh, given, heading, named, needsNumber, touched, withContext } from './card.js'
import { HOME, VERSION } from './home.js'

const PATIENCE = 400 // ms; nothing waits longer for the daemon
const SPARE = 50 // ms of that on the way back: an answer made later counts as too late
const ACT = 5000 // ms for a vote, and for a command that the person typed
const READ_EVERY = 5000 // ms between two looks for a question to the model, after a turn
const READ_FOR = 24 // looks; then the next turn's end begins anew
const CHOICE = 7000 // ms for "Which Adam?"; the client itself ends a hook after ten seconds
const CHOSEN = 1500 // ms for the notes about whom the person has just chosen

const card = atom(/** @type {const} */ ({ plugin: 'lane', key: 'card' }), null)
const question = atom(/** @type {const} */ ({ plugin: 'lane', key: 'question' }), null)
const yields = atom(/** @type {const} */ ({ plugin: 'lane', key: 'yields' }), false)

let token = ''
/** @type {{ run: string, off: boolean, variables: Record<string, string>, client: string } | undefined} */
let known // what stays as it is while this client runs: each question to it takes a moment of the prompt's
/** @type {(key: string) => void} */
let choose = () => {}
let looks = 0 // that are left after this turn
let reads = false // one question at a time

async function surroundings($) {
  if (known) return known
  const [home, off, moved, session] = await Promise.all([
    $.env.get('LANE_HOME'),
    $.env.get('LANE_OFF'),
    $.env.get('CLAUDE_CONFIG_DIR'),
    $.session.version(),
  ])
  const variables = moved ? { CLAUDE_CONFIG_DIR: moved } : {}
  known = { run: `${home || HOME}/run`, off: !['', '0', undefined].includes(off), variables, client: session.version }
  return known
}

/** What the daemon answers; null: too late, or it refused. Throws where there is no daemon. */
async function post($, path, body, patience) {
  const { run } = await surroundings($)
  token ||= (await $.fs.read(`${run}/token`)).trim()
  const sent = $.http.fetch(`http://lane${path}`, {
    method: 'POST',
    socketPath: `${run}/daemon.sock`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  sent.catch(() => null) // one that fails after its time is nobody's
  const reply = await Promise.race([sent, $.clock.sleep(patience).then(() => null)])
  if (reply?.status === 401) token = ''
  return reply?.ok ? JSON.parse(reply.text) : null
}

/** One hook call. Without a daemon the session's mark is emptied, so that the command hooks serve and start one. */
async function call($, event, e, meant = [], patience = PATIENCE) {
  try {
    const { off, variables, client } = await surroundings($)
    const until = (await $.clock.now()) + patience - SPARE
    const body = { given: given(e), until, off, variables, meant, by: { version: VERSION, client } }
    return await post($, `/api/hooks/claude-code/${event}`, body, patience)
  } catch {
    await unmark($, e.session_id)
    return null
  }
}

async function unmark($, session) {
  try {
    const mark = `${(await surroundings($)).run}/mods/s-${session}`
    if (await $.fs.exists(mark)) await $.fs.write(mark, '')
  } catch {}
}

/** What a person did on the card; null where it was not done. */
async function act($, name, body) {
  try {
    return await post($, `/api/card/${name}`, body, ACT)
  } catch {
    return null
  }
}

/** "Which Adam?", above the prompt that waits for it. Undefined: no answer in time, or none wanted. */
async function choice($, asked) {
  const answered = new Promise(resolve => (choose = resolve))
  await update($, question, () => asked)
  const key = await Promise.race([answered, $.clock.sleep(CHOICE).then(() => '')])
  await update($, question, () => null)
  return key || undefined
}

async function prompted($, e) {
  const got = await call($, 'UserPromptSubmit', e)
  const asked = got?.card?.asks?.[0]
  const key = asked && (await $.session.surface()) !== null ? await choice($, asked) : undefined
  return key ? ((await call($, 'UserPromptSubmit', e, [key], CHOSEN)) ?? got) : got
}

/** The card, or the one line where there is none: rules at a start, an earlier run, nobody at the prompt. */
async function show($, got) {
  if (got?.card && (await $.session.surface()) !== null) await update($, card, () => fresh(got.card))
  else if (got?.output?.systemMessage) $.ui.log(named(got.output.systemMessage))
}

async function vote($, verdict) {
  const now = await read($, card)
  const note = now?.notes[now.at]
  if (!note) return
  await update($, card, it => it && { ...it, at: it.at + 1, open: false, said: 'noted' })
  const done = await act($, 'vote', { memory: note.id, recall: now.recall, verdict })
  if (!done) await update($, card, it => it && { ...it, said: `not saved; try: lane ${verdict} ${note.id}` })
}

async function undo($) {
  const note = (await read($, card))?.kept[0]
  if (!note) return
  const done = await act($, 'undo', { memory: note.id })
  const said = done ? `undone: ${note.title}` : 'not undone; try: lane undo'
  await update($, card, it => it && { ...it, kept: it.kept.slice(1), said })
}

/** `/lane:why` and the like, answered without a model; undefined: the command runs as it is written. */
async function said($, command, args) {
  const here = { agent: 'claude-code', session: await $.session.id() }
  if (command === 'why') return (await act($, 'why', here))?.data?.text
  if (command === 'remember') return args.trim() ? (await act($, 'remember', { ...here, text: args.trim() }))?.data?.text : undefined
  const e = { session_id: here.session, cwd: await $.session.cwd(), prompt: `/lane:${command}` }
  return named((await call($, 'UserPromptSubmit', e, [], ACT))?.output?.systemMessage)
}

/** One question of `lane catch` to the session's own model, if the person chose that (`lane catch setup`). */
async function readOne($) {
  if (reads || looks <= 0) return
  reads = true
  looks -= 1
  try {
    const got = (await post($, '/api/reader/next', {}, ACT))?.data
    if (!got?.reads) looks = 0
    if (got?.question) {
      const { id, model, system, prompt, most } = got.question
      const done = await $.model.complete({ model, system, prompt, maxTokens: most })
      const used = { tokens_in: done.usage?.input_tokens ?? 0, tokens_out: done.usage?.output_tokens ?? 0 }
      const said = done.isAnswered ? { text: done.text } : { reason: done.reason }
      await post($, '/api/reader/answer', { question: id, ...said, ...used }, ACT)
      looks = READ_FOR
    }
  } catch {
    looks = 0
  }
  reads = false
}

/** @type {import('claude-code').Register} */
export const register = on => {
  on('session.start', async ($, e, next) => {
    if (e.isInteractive) $.clock.every(READ_EVERY, () => readOne($))
    return next(e)
  })

  on('classic.SessionStart', async ($, e, next) => {
    const got = await call($, 'SessionStart', e)
    await update($, card, () => null)
    await show($, got)
    return withContext(await next(e), got)
  })

  on('classic.SubagentStart', async ($, e, next) => {
    const got = await call($, 'SubagentStart', e)
    return withContext(await next(e), got)
  })

  on('classic.UserPromptSubmit', async ($, e, next) => {
    const cleared = Promise.all([update($, card, () => null), update($, yields, () => false)])
    const got = await prompted($, e)
    await cleared
    await show($, got)
    return withContext(await next(e), got)
  })

  // Not `classic.PostToolUse`: what that adds does not reach a subagent's model.
  on('tool.call', async ($, e, next) => {
    const ran = await next(e)
    if (ran.deny !== undefined || ran.isError || !TOUCHES.includes(String(e.tool))) return ran
    const got = await call($, 'PostToolUse', touched(e, await $.session.id(), await $.session.cwd()))
    await show($, got)
    const context = contextOf(got)
    return context ? { ...ran, context: [...(ran.context ?? []), context] } : ran
  })

  on('classic.Stop', async ($, e, next) => {
    await show($, await call($, 'Stop', e))
    return next(e)
  })

  on('classic.SubagentStop', async ($, e, next) => {
    await call($, 'SubagentStop', e)
    return next(e)
  })

  on('classic.PreCompact', async ($, e, next) => {
    await call($, 'PreCompact', e)
    return next(e)
  })

  on('classic.SessionEnd', async ($, e, next) => {
    const done = await next(e) // the mark goes with the call: the command hook must still see it
    await call($, 'SessionEnd', e)
    return done
  })

  on('turn.complete', async ($, e, next) => {
    if (!e.agentId) {
      await update($, yields, () => needsNumber(e.answer))
      looks = READ_FOR
    }
    return next(e)
  })

  on('command.run', { command: 'lane:why' }, async ($, e, next) => {
    const text = await said($, 'why', e.args)
    return text ? { text } : next(e)
  })

  on('command.run', { command: 'lane:remember' }, async ($, e, next) => {
    const text = await said($, 'remember', e.args)
    return text ? { text } : next(e)
  })

  on('command.run', { command: 'lane:off' }, async ($, e, next) => {
    const text = await said($, 'off', e.args)
    return text ? { text } : next(e)
  })

  on('command.run', { command: 'lane:on' }, async ($, e, next) => {
    const text = await said($, 'on', e.args)
    return text ? { text } : next(e)
  })

  on('ui.render', { component: 'AbovePrompt' }, async ($, e, next) => {
    const asked = await read($, question)
    const now = await read($, card)
    const quiet = await read($, yields)
    if (e.props.hasSurvey || e.props.view.agentId || (!asked && !now)) return next(e)
    const { Box, Text, Button } = $.ui.resolve(e)
    const key = (id, hotkey, label, onPress) => h(Button, { key: id, hotkey, label, plain: true, onPress })
    const row = (said, ...keys) =>
      h(Box, { key: 'row' }, h(Text, null, said), ...keys.flatMap(one => [h(Text, null, '  '), one]))
    if (asked) {
      const few = asked.choices.slice(0, 8)
      const keys = few.map((one, n) => key(one.key, String(n + 1), one.name, () => choose(one.key)))
      return row(`Which ${asked.name}?`, ...keys, key('none', String(few.length + 1), 'go on', () => choose('')))
    }
    const { text, note, kept } = heading(now, e.props.bodyColumns)
    if (quiet || (!note && !kept)) return row(text) // the agent waits for a number: it is not ours
    if (kept) return row(text, key('undo', '1', 'undo', () => undo($)))
    const why = () => update($, card, it => it && { ...it, open: !it.open })
    const line = row(
      text,
      key('up', '1', 'useful', () => vote($, 'up')),
      key('down', '2', 'not useful', () => vote($, 'down')),
      key('why', '3', 'why', why),
    )
    if (!now.open) return line
    return h(Box, { flexDirection: 'column' }, line, h(Text, { key: 'reason', dimColor: true }, `  ${note.why}`))
  })
}
