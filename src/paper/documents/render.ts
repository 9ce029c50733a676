// Renders documents: a template and data become a PDF or an SVG. Typst runs in a thread that the first
// document starts, so that a process that renders none does not pay for it.

import { Worker } from 'node:worker_threads'
import { unavailable } from '../../platform/http/refusal.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import type { Format, Layout, RenderRequest, RenderResponse } from './messages.ts'
import type { Paper } from './paper.ts'

/** A rendered document. */
export interface Rendered {
  content: Buffer
  pages: number
}

export interface DocumentSettings {
  /** the number of threads, which each render one document at a time: the setting DOCUMENT_THREADS */
  threads: number
  /** a folder with additional fonts: the setting DOCUMENT_FONTS */
  fontsFolder: string | undefined
  /** the maximum time to render a document, and to wait for a thread */
  maxMs: number
  /** the time without a document after which a thread ends, to free its memory */
  idleMs: number
  /** the script that the threads run */
  file: URL
}

const defaultSettings: DocumentSettings = {
  threads: 1,
  fontsFolder: undefined,
  maxMs: 20_000,
  idleMs: 300_000,
  file: new URL('./typst-thread.ts', import.meta.url),
}
// A thread is replaced after this many documents, because the compiler leaks a little memory with each.
const maxDocumentsPerThread = 5_000
const maxWaiting = 200

const busy = () => unavailable('Documents take too long at the moment. Try again shortly.')
const stopping = () => unavailable('The service is stopping.')

let settings = defaultSettings
let lastId = 0
const waiting = new FairQueue<RenderTask>(maxWaiting)
const threads = new Set<DocumentThread>()

/** A document that is waiting or being rendered. */
interface RenderTask {
  readonly request: RenderRequest
  readonly resolve: (rendered: Rendered) => void
  readonly reject: (error: Error) => void
  timeout?: NodeJS.Timeout
}

/**
 * Renders a template (a file in `templates`, named without its extension) with any JSON data. The
 * `printedUtc` of the data, if any, becomes the creation time of a PDF, so that the same data give the same
 * bytes. Characters that no font has are shown as their codes. `owner` is the requesting organisation:
 * organisations take turns. Refuses (503) a document that takes more than 20 seconds to render or waits that
 * long. If more than 200 wait, refuses the newest of the organisation with the most documents in the queue.
 */
export const render = (
  template: string,
  data: unknown,
  format: Format = 'pdf',
  owner = '',
): Promise<Rendered> => enqueue({ template, data: JSON.stringify(data), layout: undefined, format }, owner)

/** Renders a paper as PDF in the same way. The thread also lays it out, because it may have 5,000 lines. */
export const renderPaper = (
  template: string,
  paper: Paper,
  layout: Layout,
  owner: string,
): Promise<Rendered> => enqueue({ template, data: JSON.stringify(paper), layout, format: 'pdf' }, owner)

function enqueue(document: Omit<RenderRequest, 'id'>, owner: string): Promise<Rendered> {
  return new Promise((resolve, reject) => {
    const task: RenderTask = { request: { id: ++lastId, ...document }, resolve, reject }
    task.timeout = setTimeout(() => {
      waiting.remove(owner, task)
      reject(busy())
    }, settings.maxMs)
    const displaced = waiting.add(owner, task)
    clearTimeout(displaced?.timeout)
    displaced?.reject(busy())
    startWaiting()
  })
}

/**
 * Sets how documents are rendered from now on. Returns a function that ends the threads; documents that are
 * waiting or being rendered at that moment are refused (503).
 */
export function openDocuments(given: Partial<DocumentSettings>): () => Promise<void> {
  settings = { ...defaultSettings, ...given }
  return async () => {
    for (let task = waiting.next(); task !== undefined; task = waiting.next()) {
      clearTimeout(task.timeout)
      task.reject(stopping())
    }
    await Promise.all([...threads].map(thread => thread.end(stopping())))
    settings = defaultSettings
  }
}

/** Assigns waiting documents to idle threads. */
function startWaiting(): void {
  for (;;) {
    let thread = [...threads].find(({ isFree }) => isFree)
    if (thread === undefined && threads.size >= settings.threads) return
    const task = waiting.next()
    if (task === undefined) return
    if (thread === undefined) {
      thread = new DocumentThread(settings)
      threads.add(thread)
    }
    thread.render(task)
  }
}

/** A thread that renders one document after the other. It keeps the process alive only while it renders. */
class DocumentThread {
  private readonly worker: Worker
  private readonly settings: DocumentSettings
  private task: RenderTask | undefined
  private rendered = 0
  private idle: NodeJS.Timeout | undefined

  constructor(settings: DocumentSettings) {
    this.settings = settings
    this.worker = new Worker(settings.file, { workerData: { fontsFolder: settings.fontsFolder } })
    this.worker.on('message', (response: RenderResponse) => this.receive(response))
    // An error ends the thread, and the document that it was rendering fails.
    this.worker.on('error', error => void this.end(error))
    this.worker.on('exit', () => void this.end(busy()))
  }

  get isFree(): boolean {
    return this.task === undefined
  }

  render(task: RenderTask): void {
    clearTimeout(this.idle)
    clearTimeout(task.timeout)
    this.task = task
    task.timeout = setTimeout(() => void this.end(busy()), this.settings.maxMs)
    this.worker.ref()
    this.worker.postMessage(task.request)
  }

  /** Ends the thread at once. The document that it is rendering, if any, fails with `error`. */
  async end(error: Error): Promise<void> {
    if (!threads.delete(this)) return
    clearTimeout(this.idle)
    clearTimeout(this.task?.timeout)
    const { task } = this
    const ended = this.worker.terminate()
    task?.reject(error)
    startWaiting()
    await ended
  }

  private receive(response: RenderResponse): void {
    const { task } = this
    if (task === undefined || task.request.id !== response.id) return
    clearTimeout(task.timeout)
    this.task = undefined
    this.worker.unref()
    if ('error' in response) task.reject(new Error(`Document ${task.request.template}: ${response.error}`))
    else task.resolve({ content: Buffer.from(response.content), pages: response.pages })
    if (++this.rendered >= maxDocumentsPerThread) return void this.end(busy())
    this.idle = setTimeout(() => void this.end(busy()), this.settings.idleMs).unref()
    startWaiting()
  }
}
