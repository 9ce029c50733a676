// The renderer: a process beside the service, in which native code works on documents and on files from
// anywhere. Such code cannot be interrupted, takes any amount of memory and may crash; a process can be
// killed. It starts with the first task and ends when there have been none for a while.

import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from '../metrics.ts'
import { FairSlots } from '../work/fair-slots.ts'
import { type ChildLimits, RendererChild, type RenderingOutcome } from './child.ts'
import { serveOtherThreads } from './other-threads.ts'

export interface RendererSettings extends ChildLimits {
  /** how many processes there are, each with one task at a time: the setting DOCUMENT_PROCESSES */
  processes: number
  /** the resident size in mebibytes above which a task is ended, unless it says another one */
  maxMb: number
  /** how long a task may wait before it begins */
  maxWaitMs: number
  /** what tasks find in `workerData` */
  data: unknown
  log?: FastifyBaseLogger
}

const defaultSettings: RendererSettings = {
  processes: 1,
  maxWaitMs: 30_000,
  maxStartMs: 30_000,
  maxMs: 20_000,
  maxMb: 1_024,
  maxKeptMb: 640,
  maxTasks: 5_000,
  idleMs: 300_000,
  data: {},
}
// This many short tasks may wait, and this many long ones.
const maxWaiting = 200

/** A task as it is requested. */
export interface RenderRequest {
  /** the address of the module whose function `make` does it */
  readonly module: string
  readonly given: unknown
  /** the requesting organisation: organisations take turns */
  readonly owner: string
  /** it may take longer than a moment, so that others go first */
  readonly isLong: boolean
  /** the resident size in mebibytes above which it is ended; default: that of the settings */
  readonly maxMb: number | undefined
}

/** Why a task did not begin. */
class NotBegun extends Error {
  readonly kind: 'too long' | 'stopped'

  constructor(kind: 'too long' | 'stopped') {
    super(kind)
    this.kind = kind
  }
}

let settings = defaultSettings
let slots = openSlots(settings)
let isClosing = false
let lastId = 0
const children = new Set<RendererChild>()
/** those that no task has */
const resting: RendererChild[] = []

function openSlots({ processes, maxWaitMs }: RendererSettings): FairSlots {
  return new FairSlots({ count: processes, maxWaiting, maxWaitMs }, () => new NotBegun('too long'))
}

/** Has the renderer do a task in its turn. Never rejects. If the signal fires, the task is stopped. */
export async function runTask(request: RenderRequest, signal?: AbortSignal): Promise<RenderingOutcome> {
  const { owner, isLong } = request
  if (isClosing) return { kind: 'stopped' }
  try {
    return await slots.use(owner, signal, () => runNow(request, signal), isLong)
  } catch (error) {
    return { kind: error instanceof NotBegun ? error.kind : 'stopped' }
  }
}

async function runNow(
  { module, given, isLong, maxMb = settings.maxMb }: RenderRequest,
  signal: AbortSignal | undefined,
): Promise<RenderingOutcome> {
  const child = await takeChild()
  if (child === undefined) return { kind: isClosing ? 'stopped' : 'died' }
  if (signal?.aborted) {
    resting.push(child)
    return { kind: 'stopped' }
  }
  // A new process takes as long as a short task, so those are finished.
  const onAbort = () => isLong && void child.end('stopped')
  signal?.addEventListener('abort', onAbort)
  const outcome = await child.run({ id: ++lastId, module, given, maxMb })
  signal?.removeEventListener('abort', onAbort)
  if (outcome.kind !== 'made' && outcome.kind !== 'stopped')
    settings.log?.warn({ module, ...outcome }, 'a task of the renderer has failed')
  resting.push(child)
  return outcome
}

/** Takes a process that no other task has, or starts one. Returns undefined if that fails. */
async function takeChild(): Promise<RendererChild | undefined> {
  for (let child = resting.pop(); child !== undefined; child = resting.pop())
    if (await child.isReady()) return child
  if (isClosing) return undefined
  const child = new RendererChild(settings.data, settings)
  children.add(child)
  void child.ended.then(() => children.delete(child))
  return (await child.isReady()) ? child : undefined
}

/** The processes of the renderer. */
export const rendererPids = (): number[] => Array.from(children, ({ pid }) => pid ?? 0)

export interface Renderer {
  /** Ends its processes. Tasks that run or wait are refused (503), and so are those that still come. */
  stop(): Promise<void>
  /** Stops it, and forgets its settings. */
  close(): Promise<void>
}

/** Sets how the renderer works from now on. */
export function openRenderer(given: Partial<RendererSettings> = {}, metrics?: Metrics): Renderer {
  settings = { ...defaultSettings, ...given }
  slots = openSlots(settings)
  isClosing = false
  // Processes with other settings; there are some only if tasks came before this.
  for (const child of resting.splice(0)) void child.end('stopped')
  metrics?.gaugeBy('state', 'renderer_tasks', 'Documents and pictures to be made, by state.', () => ({
    running: slots.taken,
    waiting: slots.waiting,
  }))
  const stopServing = serveOtherThreads(runTask)

  async function stop(): Promise<void> {
    isClosing = true
    slots.refuseWaiting(new NotBegun('stopped'))
    await Promise.all(Array.from(children, child => child.end('stopped')))
  }

  return {
    stop,
    async close() {
      await stop()
      stopServing()
      resting.length = 0
      settings = defaultSettings
      slots = openSlots(settings)
      isClosing = false
    },
  }
}
