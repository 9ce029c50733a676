// The renderer: what a task may do to it, and that it never does so to the service.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../../../src/platform/http/refusal.ts'
import { openRenderer, type RendererSettings, rendererPids } from '../../../src/platform/renderer/renderer.ts'
import { renderingTask, type TaskOptions, TooLargeToRender } from '../../../src/platform/renderer/task.ts'
import type { Instruction, Report } from '../../support/rendering-task.ts'
import { until } from '../../support/service-process.ts'

const follow = renderingTask<Instruction, Report>(new URL('../../support/rendering-task.ts', import.meta.url))

function open(t: TestContext, settings: Partial<RendererSettings> = {}) {
  // A busy machine takes long to start a process.
  const renderer = openRenderer({ maxMs: 120_000, maxWaitMs: 300_000, maxStartMs: 120_000, ...settings })
  t.after(renderer.close)
  return renderer
}

const isUnavailable = (error: unknown) =>
  error instanceof Refusal && error.status === 503 && (error.retryAfterSeconds ?? 0) > 0

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const untilGone = (pid: number) => until(async () => !isRunning(pid), `Process ${pid} still runs.`)

test('tasks are done one after the other in a process beside this one, which gets none of its secrets', async t => {
  open(t, { data: { fontsFolder: '/fonts' } })
  process.env.ENCRYPTION_KEY ??= 'secret'
  const [first, second] = await Promise.all([
    follow({ kind: 'return', value: Buffer.from('one') }),
    follow({ kind: 'return', value: 'two' }),
  ])
  assert.notEqual(first.pid, process.pid)
  assert.equal(first.pid, second.pid)
  assert.equal(Buffer.from(first.value as Uint8Array).toString(), 'one')
  assert.deepEqual(first.data, { fontsFolder: '/fonts' })
  assert.ok(!first.environment.some(name => /KEY|DATABASE|PASSWORD|TOKEN/.test(name)), `${first.environment}`)
})

test('a task that takes too long is refused (503) and its process killed, and the next task is done', async t => {
  open(t, { maxMs: 2_500 })
  const { pid } = await follow({ kind: 'return' })
  const hanging = follow({ kind: 'hang' })
  const next = follow({ kind: 'return' })
  await assert.rejects(hanging, isUnavailable)
  assert.notEqual((await next).pid, pid)
  await untilGone(pid)
})

test('a task whose process dies is refused (503), and the next one is done', async t => {
  open(t)
  const outcomes = await Promise.allSettled([follow({ kind: 'crash' }), follow({ kind: 'return' })])
  const [crashed, next] = outcomes
  assert.ok(crashed.status === 'rejected' && isUnavailable(crashed.reason))
  assert.equal(next.status, 'fulfilled')
})

test('a task that takes too much memory is told so, and its process is gone', async t => {
  open(t, { maxMb: 400 })
  const { pid } = await follow({ kind: 'return' })
  await assert.rejects(follow({ kind: 'grow' }), TooLargeToRender)
  await untilGone(pid)
  assert.ok((await follow({ kind: 'return' })).pid !== pid)
})

test('a task that fails leaves its process to the next one', async t => {
  open(t)
  const { pid } = await follow({ kind: 'return' })
  await assert.rejects(follow({ kind: 'fail' }), /The task has failed/)
  assert.equal((await follow({ kind: 'return' })).pid, pid)
})

test('the time limit of a task begins when the task does, however long it waited', async t => {
  open(t, { maxMs: 4_000 })
  await follow({ kind: 'return' })
  const works = Array.from({ length: 4 }, () => follow({ kind: 'work', ms: 1_500 }))
  assert.equal((await Promise.all(works)).length, 4)
})

test('a task that waits too long for its turn is refused (503)', async t => {
  open(t, { maxWaitMs: 500 })
  const hanging = follow({ kind: 'hang' })
  await assert.rejects(follow({ kind: 'return' }), isUnavailable)
  hanging.catch(() => {})
})

test('a task that nobody wants any more is left out, and a long one is stopped', async t => {
  open(t)
  const { pid } = await follow({ kind: 'return' })
  const [waits, runs] = [new AbortController(), new AbortController()]
  const file = join(await mkdtemp(join(tmpdir(), 'waybill-renderer-')), 'began')
  const running = follow({ kind: 'hang', file }, { signal: runs.signal, isLong: true })
  const waiting = follow({ kind: 'hang' }, { signal: waits.signal })
  waits.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  await until(async () => existsSync(file), 'The task has not begun.')
  runs.abort(new Error('gone too'))
  await assert.rejects(running, /gone too/)
  await rm(dirname(file), { recursive: true })
  await untilGone(pid)
  assert.ok(await follow({ kind: 'return' }))
})

/** Requests tasks while another one runs, and returns the names in the order in which they were done. */
async function orderOf(requests: [name: string, options: TaskOptions][]): Promise<string[]> {
  const order: string[] = []
  const first = follow({ kind: 'work', ms: 100 })
  const all = requests.map(async ([name, options]) => {
    await follow({ kind: 'return' }, options)
    order.push(name)
  })
  await Promise.all([first, ...all])
  return order
}

test('organisations take turns: 200 tasks of one do not delay another', async t => {
  open(t)
  const many = Array.from({ length: 199 }, () => ['busy', { owner: 'busy' }] as [string, TaskOptions])
  const order = await orderOf([...many, ['other', { owner: 'other' }]])
  assert.ok(order.indexOf('other') <= 1, `it was number ${order.indexOf('other') + 1}`)
})

test('short tasks go before long ones, which are not forgotten', async t => {
  open(t)
  const short = Array.from({ length: 15 }, (_, n) => [`short ${n}`, {}] as [string, TaskOptions])
  const order = await orderOf([['long', { isLong: true }], ...short])
  assert.equal(order.indexOf('long'), 10)
})

test('in a full queue, the newest task of the organisation with the most is refused', async t => {
  open(t)
  const first = follow({ kind: 'work', ms: 100 })
  const many = Array.from({ length: 200 }, () => follow({ kind: 'return' }, { owner: 'busy' }))
  const other = follow({ kind: 'return' }, { owner: 'other' })
  const outcomes = await Promise.allSettled(many)
  const refused = outcomes.flatMap((outcome, i) => (outcome.status === 'rejected' ? [i] : []))
  assert.deepEqual(refused, [199])
  assert.ok(await other)
  await first
})

test('two processes do two tasks at a time', async t => {
  open(t, { processes: 2 })
  const hanging = follow({ kind: 'hang' }, { owner: 'a' })
  hanging.catch(() => {})
  assert.ok(await follow({ kind: 'return' }))
})

test('a process that keeps much memory, or has done many tasks, is replaced', async t => {
  open(t, { maxTasks: 2 })
  const pids: number[] = []
  for (let n = 0; n < 4; n++) pids.push((await follow({ kind: 'return' })).pid)
  assert.equal(new Set(pids).size, 2)
  open(t, { maxKeptMb: 1 })
  assert.notEqual((await follow({ kind: 'return' })).pid, (await follow({ kind: 'return' })).pid)
})

test('an idle process ends, and the next task starts another', async t => {
  open(t, { idleMs: 100 })
  const { pid } = await follow({ kind: 'return' })
  await untilGone(pid)
  assert.notEqual((await follow({ kind: 'return' })).pid, pid)
})

test('when the service stops, what runs, waits and still comes is refused (503)', async t => {
  const renderer = open(t)
  const { pid } = await follow({ kind: 'return' })
  const all = [follow({ kind: 'hang' }), follow({ kind: 'return' })]
  const outcomes = Promise.allSettled(all)
  await renderer.stop()
  for (const outcome of await outcomes)
    assert.ok(outcome.status === 'rejected' && isUnavailable(outcome.reason))
  assert.ok(!isRunning(pid))
  await assert.rejects(follow({ kind: 'return' }), isUnavailable)
  assert.deepEqual(rendererPids(), [])
})

test('the renderer ends when the service is killed, even in the middle of a task', async () => {
  const service = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../support/rendering-service.ts', import.meta.url))],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = (await once(createInterface(service.stdout), 'line')) as [string]
  const pid = Number(line.split(' ')[1])
  assert.ok(isRunning(pid))
  service.kill('SIGKILL')
  await untilGone(pid)
})

test('a terminal that interrupts every process does not interrupt a task', async t => {
  open(t)
  const { pid } = await follow({ kind: 'return' })
  const working = follow({ kind: 'work', ms: 500 })
  process.kill(pid, 'SIGINT')
  process.kill(pid, 'SIGTERM')
  assert.equal((await working).pid, pid)
})

test('other threads, such as the lane, use the same renderer', async t => {
  open(t)
  const { pid } = await follow({ kind: 'return' })
  const thread = new Worker(new URL('../../support/rendering-thread.ts', import.meta.url))
  const [report] = (await once(thread, 'message')) as [Report]
  assert.equal(report.pid, pid)
  assert.equal(Buffer.from(report.value as Uint8Array).toString(), 'from a thread')
  await thread.terminate()
})
