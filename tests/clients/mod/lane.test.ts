// The mod with a fake engine: what it sends, what it draws, and that no daemon, a slow one and a lying one stop nothing.
// Run by tests/acceptance/test_claude_code_mod.py with `claude plugin test`.
import { expect, test } from 'claude-code/testing'

const BAND = {
  plugin: 'lane',
  component: 'AbovePrompt',
  requestId: 'lane',
  surface: 'terminal',
  props: { hasSurvey: false, isCollapsed: false, isWorking: false, maxRows: 10, bodyColumns: 100, scroll: { offset: 0, bodyRows: 9 }, view: {} },
} as const
const CARD = { recall: 'l_1', notes: [{ id: 'm_1', title: 'build with make -j2', why: 'you said so' }], asks: [], kept: [] }
const NOTE = { output: { hookSpecificOutput: { additionalContext: 'the note' } }, card: CARD }

type Post = { path: string; body: any; socket?: string }

/** An engine with a daemon that answers like this; `posts` is what it was sent, `written` the files. */
function engine(on: any, answer: (path: string) => unknown) {
  const posts: Post[] = []
  const written: Record<string, string> = {}
  on('session.version', () => ({ value: { version: '2.1.325' } }))
  on('session.id', () => ({ value: 's1' }))
  on('session.surface', () => ({ value: 'terminal' }))
  on('env.get', (_: unknown, e: any) => ({ value: e.name === 'LANE_HOME' ? '/home/lane' : undefined }))
  on('fs.read', () => ({ value: 'token\n' }))
  on('fs.exists', () => ({ value: true }))
  on('fs.write', (_: unknown, e: any) => ((written[e.path] = e.text), { value: undefined }))
  on('clock.now', () => ({ value: 1000 }))
  on('http.fetch', async (_: unknown, e: any) => {
    const path = new URL(e.url).pathname
    posts.push({ path, body: JSON.parse(String(e.init.body)), socket: e.init.socketPath })
    const text = JSON.stringify(await answer(path))
    return { value: { status: 200, ok: true, headers: {}, text } }
  })
  return { posts, written }
}

const never = () => new Promise(() => {})

test('a prompt is carried to the socket, and its note comes back beside it', async ($, on) => {
  on('clock.sleep', never)
  const { posts } = engine(on, () => NOTE)
  on('classic.UserPromptSubmit', () => ({}))
  const done = await $.classic.UserPromptSubmit({ prompt: 'how do I build?' })
  expect(done.additionalContext?.join()).toBe('the note')
  const [sent] = posts
  expect(sent.path).toBe('/api/hooks/claude-code/UserPromptSubmit')
  expect(sent.socket).toBe('/home/lane/run/daemon.sock')
  expect(sent.body.until).toBe(1350)
  expect(sent.body.given.prompt).toBe('how do I build?')
})

test('the result of a tool is not sent', async ($, on) => {
  on('clock.sleep', never)
  const { posts } = engine(on, () => ({}))
  on('session.cwd', () => ({ value: '/p' }))
  on('tool.call', () => ({ result: { type: 'text', file: 'SECRET' } }) as any)
  await $.tool.call({ tool: 'Read', tool_use_id: 't', file_path: '/p/a.py' } as any)
  expect(JSON.stringify(posts[0].body).includes('SECRET')).toBe(false)
  expect(posts[0].body.given.tool_input.file_path).toBe('/p/a.py')
})

test('a press on the card is a vote', async ($, on) => {
  on('clock.sleep', never)
  const { posts } = engine(on, () => NOTE)
  on('classic.UserPromptSubmit', () => ({}))
  await $.classic.UserPromptSubmit({ prompt: 'how do I build?' })
  const ui = await $.ui.mount(BAND as any)
  expect((await ui.find({ type: 'Text', text: /make -j2/ })) !== undefined).toBe(true)
  await ui.press({ key: 'up' })
  expect(JSON.stringify(posts.at(-1))).toBe(
    JSON.stringify({ path: '/api/card/vote', body: { memory: 'm_1', recall: 'l_1', verdict: 'up' }, socket: '/home/lane/run/daemon.sock' }),
  )
  await ui.unmount()
})

test('an agent that waits for a number gets its digit', async ($, on) => {
  on('clock.sleep', never)
  engine(on, () => NOTE)
  on('classic.UserPromptSubmit', () => ({}))
  on('turn.complete', (_: unknown, e: any) => ({ text: e.answer }))
  await $.classic.UserPromptSubmit({ prompt: 'how do I build?' })
  await $.turn.complete({ answer: 'Which one?\n1. make\n2. ninja\nPick one?', durationMs: 1, isAborted: false, turnId: 't', reason: 'answer' } as any)
  const ui = await $.ui.mount(BAND as any)
  expect((await ui.find({ type: 'Text', text: /make -j2/ })) !== undefined).toBe(true)
  expect(await ui.find({ type: 'Button' })).toBe(undefined)
  await ui.unmount()
})

test('a slow daemon is left behind', async ($, on) => {
  on('clock.sleep', () => ({ value: undefined }))
  engine(on, never)
  on('classic.UserPromptSubmit', () => ({}))
  const done = await $.classic.UserPromptSubmit({ prompt: 'how do I build?' })
  expect(done.additionalContext).toBe(undefined)
})

test('without a daemon the mark is emptied, so that the command hook serves', async ($, on) => {
  on('clock.sleep', never)
  const { written } = engine(on, () => Promise.reject(new Error('ECONNREFUSED')))
  on('classic.UserPromptSubmit', () => ({ additionalContext: ['by the command hook'] }))
  const done = await $.classic.UserPromptSubmit({ prompt: 'how do I build?', session_id: 's1' })
  expect(done.additionalContext?.join()).toBe('by the command hook')
  expect(written['/home/lane/run/mods/s-s1']).toBe('')
})

test('nonsense from a daemon stops nothing', async ($, on) => {
  on('clock.sleep', never)
  const lies: unknown[] = [null, 7, 'x', [], { output: 3, card: 4 }, { card: {} }]
  engine(on, () => lies.shift())
  on('classic.UserPromptSubmit', () => ({}))
  while (lies.length > 0) {
    const done = await $.classic.UserPromptSubmit({ prompt: 'how do I build?' })
    expect(done.additionalContext).toBe(undefined)
    await (await $.ui.mount(BAND as any)).unmount()
  }
})
