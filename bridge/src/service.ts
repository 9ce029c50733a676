// The client of the Waybill API. It renews its access token in time.

import type { Reachability } from './driver.ts'
import type { AnnouncedPrinter, Settings } from './settings.ts'

/** A job that the bridge has claimed. Its bytes are downloaded separately. */
export interface ClaimedJob {
  printJobId: string
  leaseNumber: number
  printerName: string
  name: string
  contentType: string
  /** of the content, in base64 */
  sha256: string
  copies: number
  orientation: 1 | 2 | null
  media: string | null
}

export const Phase = { Claimed: 2, Sending: 3, Sent: 4 } as const
export const Result = { Success: 1, Failed: 2 } as const

/** A progress report on a job. */
export interface Progress {
  phase: number
  result?: number
  message?: string
  isRetryable?: boolean
  isInDoubt?: boolean
}

/** An error response of the service. */
export class ServiceError extends Error {
  readonly status: number
  constructor(status: number, text: string) {
    super(`The service answered ${status}${text === '' ? '' : `: ${text}`}`)
    this.status = status
  }
}

/** The states of printers by name. */
export type PrinterStates = ReadonlyMap<string, Reachability>

/**
 * The operations of the service. All of them throw if it is unreachable or refuses; ServiceError if it
 * refuses.
 */
export interface Service {
  announce(printers: readonly AnnouncedPrinter[], version: string): Promise<void>
  claim(states: PrinterStates, waitSeconds: number, signal: AbortSignal): Promise<ClaimedJob[]>
  content(job: ClaimedJob, signal: AbortSignal): Promise<Buffer>
  progress(job: Pick<ClaimedJob, 'printJobId' | 'leaseNumber'>, progress: Progress): Promise<void>
}

const responseTimeoutMs = 15_000
const contentTimeoutMs = 120_000

type Credentials = Pick<Settings, 'url' | 'authUrl' | 'printerBridgeId' | 'clientId' | 'clientSecret'>

/** Creates the client of a service. */
export function createServiceClient(credentials: Credentials): Service {
  const base = `${credentials.url}/v1/printer-bridges/${credentials.printerBridgeId}`
  const tokens = createTokenSource(credentials)

  async function send(
    method: string,
    path: string,
    body: unknown,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const timeout = AbortSignal.timeout(timeoutMs)
      const response = await fetch(`${base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await tokens.get()}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        redirect: 'error',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (response.ok || response.status === 304) return response
      const text = (await response.text()).slice(0, 1_000)
      if (response.status !== 401 || attempt > 1) throw new ServiceError(response.status, readMessages(text))
      // The token may have been revoked, so a new one is tried once.
      tokens.discard()
    }
  }

  return {
    async announce(printers, version) {
      const announced = printers.map(({ name, type, language, dotsPerMM, media }) => ({
        name,
        type,
        language,
        dotsPerMM,
        media,
      }))
      await (
        await send('PUT', '/printers', { printers: announced, version }, responseTimeoutMs)
      ).arrayBuffer()
    },
    async claim(states, waitSeconds, signal) {
      const printers = [...states].map(([name, state]) => ({ name, ...state }))
      const timeoutMs = responseTimeoutMs + waitSeconds * 1000
      const response = await send('POST', '/claim', { waitSeconds, printers }, timeoutMs, signal)
      return ((await response.json()) as { jobs: ClaimedJob[] }).jobs
    },
    async content({ printJobId }, signal) {
      const response = await send('GET', `/jobs/${printJobId}/content`, undefined, contentTimeoutMs, signal)
      return Buffer.from(await response.arrayBuffer())
    },
    async progress({ printJobId, leaseNumber }, progress) {
      const body = { leaseNumber, ...progress }
      await (await send('PUT', `/jobs/${printJobId}/progress`, body, responseTimeoutMs)).arrayBuffer()
    },
  }
}

/** Returns the messages of an error body, or the body itself. */
function readMessages(text: string): string {
  try {
    return (JSON.parse(text) as { ErrorMessages: string[] }).ErrorMessages.join(' ')
  } catch {
    return text
  }
}

/** Provides access tokens, each for half of its lifetime. */
function createTokenSource({ authUrl, clientId, clientSecret }: Credentials) {
  let current: Promise<{ token: string; renewAt: number }> | undefined

  async function requestToken(): Promise<{ token: string; renewAt: number }> {
    const requestedAt = performance.now()
    const response = await fetch(`${authUrl}/connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(responseTimeoutMs),
    })
    const text = await response.text()
    if (!response.ok) throw new ServiceError(response.status, text.slice(0, 1_000))
    const { access_token: token, expires_in } = JSON.parse(text) as {
      access_token: string
      expires_in: number
    }
    return { token, renewAt: requestedAt + expires_in * 500 }
  }

  return {
    async get(): Promise<string> {
      const last = await current?.catch(() => undefined)
      if (last !== undefined && performance.now() < last.renewAt) return last.token
      // Concurrent callers share one request.
      if (current === undefined || last !== undefined) current = requestToken()
      const pending = current
      try {
        return (await pending).token
      } catch (error) {
        if (current === pending) current = undefined
        throw error
      }
    },
    discard(): void {
      current = undefined
    },
  }
}
