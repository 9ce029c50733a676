// Documents: a template and data become a PDF or an SVG. Typst sets them in a thread, which is started by the
// first document, so that a process that makes none pays nothing.

import { Worker } from 'node:worker_threads'
import { unavailable } from '../../platform/http/refusal.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import type { Format, FromThread, Layout, ToThread } from './messages.ts'
import type { Paper } from './paper.ts'

/** A document, and how many pages it has. */
export interface Rendered {
  content: Buffer
  pages: number
}

export interface DocumentSettings {
  /** documents made at a time: the setting DOCUMENT_THREADS */
  threads: number
  /** a folder of fonts beside our own: the setting DOCUMENT_FONTS */
  fontsFolder: string | undefined
  /** how long a document may take, and how long it may wait for its turn */
  maxMs: number
  /** after so long without a document a thread ends, which gives its memory back */
  idleMs: number
  /** what the threads run */
  file: URL
}

const usual: DocumentSettings = {
  threads: 1,
  fontsFolder: undefined,
  maxMs: 20_000,
  idleMs: 300_000,
  file: new URL('./typst-thread.ts', import.meta.url),
}
// What the compiler keeps of a document is little, and more than nothing.
const maxDocumentsOfThread = 5_000
const maxWaiting = 200

const busy = () => unavailable('Documents take too long at the moment. Try again shortly.')
const stopping = () => unavailable('The service is stopping.')

let settings = usual
let last = 0
const waiting = new FairQueue<Job>(maxWaiting)
const threads = new Set<DocumentThread>()

/** A document that is asked for. */
interface Job {
  readonly asked: ToThread
  readonly resolve: (rendered: Rendered) => void
  readonly reject: (error: Error) => void
  giveUp?: NodeJS.Timeout
}

/**
 * Makes a document of a template (a file in `templates`, named without its ending) and its data, which is
 * any JSON. Its `printedUtc`, where it has one, is the instant that a PDF says it was made: the same data are
 * the same bytes. Characters that no font has are shown as their codes. `owner` is the organisation that
 * asks: organisations take turns. 503 when it takes longer than 20 seconds or has to wait as long for its
 * turn, and where 200 wait, for the last of the organisation that has the most of them.
 */
export const render = (
  template: string,
  data: unknown,
  format: Format = 'pdf',
  owner = '',
): Promise<Rendered> => ask({ template, data: JSON.stringify(data), layout: undefined, format }, owner)

/** Makes a PDF of a paper in the same way. It is laid out in the thread too, for it may have 5,000 lines. */
export const renderPaper = (
  template: string,
  paper: Paper,
  layout: Layout,
  owner: string,
): Promise<Rendered> => ask({ template, data: JSON.stringify(paper), layout, format: 'pdf' }, owner)

function ask(document: Omit<ToThread, 'id'>, owner: string): Promise<Rendered> {
  return new Promise((resolve, reject) => {
    const job: Job = { asked: { id: ++last, ...document }, resolve, reject }
    job.giveUp = setTimeout(() => {
      waiting.remove(owner, job)
      reject(busy())
    }, settings.maxMs)
    const displaced = waiting.add(owner, job)
    clearTimeout(displaced?.giveUp)
    displaced?.reject(busy())
    handOut()
  })
}

/**
 * Sets how documents are made from now on, and returns what ends their threads. What is waiting or under way
 * then is answered with 503.
 */
export function openDocuments(given: Partial<DocumentSettings>): () => Promise<void> {
  settings = { ...usual, ...given }
  return async () => {
    for (let job = waiting.next(); job !== undefined; job = waiting.next()) {
      clearTimeout(job.giveUp)
      job.reject(stopping())
    }
    await Promise.all([...threads].map(thread => thread.end(stopping())))
    settings = usual
  }
}

/** Gives waiting documents to threads that have nothing to do. */
function handOut(): void {
  for (;;) {
    let thread = [...threads].find(({ isFree }) => isFree)
    if (thread === undefined && threads.size >= settings.threads) return
    const job = waiting.next()
    if (job === undefined) return
    if (thread === undefined) {
      thread = new DocumentThread(settings)
      threads.add(thread)
    }
    thread.make(job)
  }
}

/** A thread that makes one document after the other. It keeps the process alive only while it makes one. */
class DocumentThread {
  private readonly worker: Worker
  private readonly settings: DocumentSettings
  private job: Job | undefined
  private made = 0
  private idle: NodeJS.Timeout | undefined

  constructor(settings: DocumentSettings) {
    this.settings = settings
    this.worker = new Worker(settings.file, { workerData: { fontsFolder: settings.fontsFolder } })
    this.worker.on('message', (message: FromThread) => this.hear(message))
    // An error ends the thread; what it was making fails with it.
    this.worker.on('error', error => void this.end(error))
    this.worker.on('exit', () => void this.end(busy()))
  }

  get isFree(): boolean {
    return this.job === undefined
  }

  make(job: Job): void {
    clearTimeout(this.idle)
    clearTimeout(job.giveUp)
    this.job = job
    job.giveUp = setTimeout(() => void this.end(busy()), this.settings.maxMs)
    this.worker.ref()
    this.worker.postMessage(job.asked)
  }

  /** Ends the thread, whatever it does; what it was making fails with `error`. */
  async end(error: Error): Promise<void> {
    if (!threads.delete(this)) return
    clearTimeout(this.idle)
    clearTimeout(this.job?.giveUp)
    const { job } = this
    const ended = this.worker.terminate()
    job?.reject(error)
    handOut()
    await ended
  }

  private hear(message: FromThread): void {
    const { job } = this
    if (job === undefined || job.asked.id !== message.id) return
    clearTimeout(job.giveUp)
    this.job = undefined
    this.worker.unref()
    if ('error' in message) job.reject(new Error(`Document ${job.asked.template}: ${message.error}`))
    else job.resolve({ content: Buffer.from(message.content), pages: message.pages })
    if (++this.made >= maxDocumentsOfThread) return void this.end(busy())
    this.idle = setTimeout(() => void this.end(busy()), this.settings.idleMs).unref()
    handOut()
  }
}
