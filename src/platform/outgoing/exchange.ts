// Sends one outgoing request and reads its response, with limits on time and size. Spec 6.5.

import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { describeRequestFailure, type FailureKind } from './outgoing-failure.ts'

/**
 * An outgoing request. `timeoutMs` covers resolving, connecting, sending, and receiving headers and body.
 */
export interface OutgoingRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | Buffer
  timeoutMs: number
  /** At most this many bytes of the body are read; then the connection is destroyed. */
  maxResponseBytes: number
  /**
   * What happens when the body is larger than `maxResponseBytes` or has not ended at the deadline: `cut`
   * returns its beginning with `truncated`, `fail` is a failure.
   */
  onTooLarge: 'cut' | 'fail'
}

/**
 * The outcome of a request. `ok` means that a response arrived, whatever its status: redirects are not
 * followed and are returned as 3xx. `error` is a full sentence for the tenant, without addresses. A failure
 * has a `status` if the response broke off after its headers.
 */
export type OutgoingResponse =
  | {
      ok: true
      status: number
      headers: IncomingHttpHeaders
      body: Buffer
      truncated: boolean
      durationMs: number
    }
  | { ok: false; kind: FailureKind; error: string; status: number | null; durationMs: number }

const abandoned = new Error('The exchange was given up.')

/** Sends a request to a URL that was checked before. Never rejects: a failure has `ok: false`. */
export function exchange(
  dispatcher: Dispatcher,
  url: URL,
  request: OutgoingRequest,
): Promise<OutgoingResponse> {
  const { promise, resolve } = Promise.withResolvers<OutgoingResponse>()
  const { method, headers, body = null } = request
  const path = url.pathname + url.search
  dispatcher.dispatch({ origin: url.origin, path, method, headers, body }, new Exchange(request, resolve))
  return promise
}

/** Collects a response as it arrives, until it ends or exceeds its time or size limit. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: OutgoingRequest
  readonly #resolve: (response: OutgoingResponse) => void
  readonly #startedAt = performance.now()
  readonly #deadline: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #status: number | null = null
  #headers: IncomingHttpHeaders = {}
  #chunks: Buffer[] = []
  #size = 0
  #isSettled = false

  constructor(request: OutgoingRequest, resolve: (response: OutgoingResponse) => void) {
    this.#request = request
    this.#resolve = resolve
    this.#deadline = setTimeout(() => {
      if (this.#status === null) this.#failTimeout()
      else this.#truncateOr(() => this.#failTimeout())
      this.#controller?.abort(abandoned)
    }, request.timeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isSettled) controller.abort(abandoned)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return // an interim response; the final one follows
    this.#status = status
    this.#headers = headers
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { maxResponseBytes } = this.#request
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size <= maxResponseBytes) return
    this.#truncateOr(() => this.#fail('too-large', `The answer is larger than ${maxResponseBytes} bytes.`))
    controller.abort(abandoned)
  }

  onResponseEnd(): void {
    this.#succeed(false)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(...describeRequestFailure(error))
  }

  /** Succeeds with what has been received if the request allows it, otherwise fails. */
  #truncateOr(fail: () => void): void {
    if (this.#request.onTooLarge === 'cut') this.#succeed(true)
    else fail()
  }

  #succeed(truncated: boolean): void {
    const body = Buffer.concat(this.#chunks, Math.min(this.#size, this.#request.maxResponseBytes))
    const { status, headers } = { status: this.#status ?? 0, headers: this.#headers }
    this.#settle(durationMs => ({ ok: true, status, headers, body, truncated, durationMs }))
  }

  #failTimeout(): void {
    this.#fail('timeout', `No complete answer came within ${this.#request.timeoutMs / 1000} seconds.`)
  }

  #fail(kind: FailureKind, error: string): void {
    this.#settle(durationMs => ({ ok: false, kind, error, status: this.#status, durationMs }))
  }

  #settle(response: (durationMs: number) => OutgoingResponse): void {
    if (this.#isSettled) return
    this.#isSettled = true
    clearTimeout(this.#deadline)
    this.#resolve(response(Math.round(performance.now() - this.#startedAt)))
    this.#chunks = []
  }
}
