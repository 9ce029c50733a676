// The renderer's process as seen from the service: it is given one task at a time, and killed if a task takes
// too long, because nothing else interrupts native code.

import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { FromProcess, RenderingTask } from './messages.ts'

export interface ChildLimits {
  /** how long the process may take to start, and to load the module of a task */
  maxStartMs: number
  /** how long it may work on a task */
  maxMs: number
  /** the size that it may keep after a task; if it keeps more, it is replaced */
  maxKeptMb: number
  /** it is replaced after so many tasks, because the compiler of documents leaks a little with each */
  maxTasks: number
  /** how long it may be idle before it ends, to free its memory */
  idleMs: number
}

/** How a task ended. */
export type RenderingOutcome =
  | { readonly kind: 'made'; readonly made: unknown }
  | { readonly kind: 'failed'; readonly error: string }
  /** it took too long or too much memory, its process died, or it was ended because nobody wants it */
  | { readonly kind: 'too long' | 'too large' | 'died' | 'stopped' }

interface Running {
  readonly id: number
  readonly finish: (outcome: RenderingOutcome) => void
}

/** A process that renders. It keeps the service alive only while it starts or works. */
export class RendererChild {
  /** resolves when it has ended, for whatever reason */
  readonly ended: Promise<void>
  readonly #process: ChildProcess
  readonly #limits: ChildLimits
  #free = Promise.withResolvers<boolean>()
  #running: Running | undefined
  #tasks = 0
  #timer: NodeJS.Timeout

  /** Starts it. Tasks find `data` in `workerData`. */
  constructor(data: unknown, limits: ChildLimits) {
    this.#limits = limits
    this.#process = forkProcess(data)
    this.#process.on('message', (message: FromProcess) => this.#receive(message))
    this.ended = new Promise(resolve => {
      const onEnd = () => {
        this.#close({ kind: 'died' })
        resolve()
      }
      // A process that cannot be started has an error and no exit.
      this.#process.once('exit', onEnd).once('error', onEnd)
    })
    this.#timer = setTimeout(() => void this.end('too long'), limits.maxStartMs)
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** Waits until it can take a task. Returns false if it has ended. */
  isReady(): Promise<boolean> {
    return this.#free.promise
  }

  /** Gives it a task, for which it must be ready. */
  run(task: RenderingTask): Promise<RenderingOutcome> {
    this.#free = Promise.withResolvers()
    this.#tasks++
    this.#process.ref()
    this.#process.channel?.ref()
    this.#limit(this.#limits.maxStartMs)
    return new Promise(finish => {
      this.#running = { id: task.id, finish }
      // If the process has just ended, its exit says so.
      this.#process.send(task, () => {})
    })
  }

  /** Kills it at once; its task, if any, ends so. Resolves when it is gone. */
  async end(reason: 'too long' | 'stopped'): Promise<void> {
    this.#close({ kind: reason })
    this.#process.ref()
    this.#process.kill('SIGKILL')
    await this.ended
  }

  #receive(message: FromProcess): void {
    if (message.kind === 'ready') this.#rest()
    else if (message.kind === 'free') {
      const { maxKeptMb, maxTasks } = this.#limits
      if (message.residentMb > maxKeptMb || this.#tasks >= maxTasks) void this.end('stopped')
      else this.#rest()
    } else if (message.id !== this.#running?.id) return
    else if (message.kind === 'began') this.#limit(this.#limits.maxMs)
    else this.#finish(message.kind === 'too large' ? { kind: 'too large' } : message)
  }

  #finish(outcome: RenderingOutcome): void {
    this.#running?.finish(outcome)
    this.#running = undefined
  }

  #limit(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.end('too long'), ms)
  }

  /** Waits for the next task. */
  #rest(): void {
    clearTimeout(this.#timer)
    this.#process.unref()
    this.#process.channel?.unref()
    this.#timer = setTimeout(() => void this.end('stopped'), this.#limits.idleMs).unref()
    this.#free.resolve(true)
  }

  /** Takes no more tasks. */
  #close(outcome: RenderingOutcome): void {
    clearTimeout(this.#timer)
    this.#free.resolve(false)
    this.#free = Promise.withResolvers()
    this.#free.resolve(false)
    this.#finish(outcome)
  }
}

/** Starts the program with the dependencies of the service, but with none of its settings and secrets. */
function forkProcess(data: unknown) {
  const path = fileURLToPath(new URL('./process.ts', import.meta.url))
  const cache = getCompileCacheDir()
  return fork(path, [JSON.stringify(data)], {
    execArgv: [...typeStripping(), '--expose-gc', '--v8-pool-size=1'],
    env: {
      // The C library returns freed blocks of memory at once.
      MALLOC_TRIM_THRESHOLD_: '131072',
      ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }),
    },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/** The options with which Node.js strips types below node_modules; see bin/waybill.js. */
function typeStripping(): string[] {
  const hook = process.execArgv.find(option => option.endsWith('strip-types.js'))
  return hook === undefined ? [] : ['--disable-warning=ExperimentalWarning', '--import', hook]
}
