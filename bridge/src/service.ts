// What the bridge says to the service: requests with a token that is renewed in time.

import type { Reachability } from './driver.ts'
import type { AnnouncedPrinter, Settings } from './settings.ts'

/** A job as the service gives it out; its bytes are fetched by themselves. */
export interface ClaimedJob {
  printJobId: string
  leaseNumber: number
  printerName: string
  name: string
  contentType: string
  /** of the bytes, in base64 */
  sha256: string
  copies: number
  orientation: 1 | 2 | null
  media: string | null
}

export const Phase = { Claimed: 2, Sending: 3, Sent: 4 } as const
export const Result = { Success: 1, Failed: 2 } as const

/** What is said of a job. */
export interface Progress {
  phase: number
  result?: number
  message?: string
  isRetryable?: boolean
  isInDoubt?: boolean
}

/** An answer of the service that is no success. */
export class ServiceError extends Error {
  readonly status: number
  constructor(status: number, text: string) {
    super(`The service answered ${status}${text === '' ? '' : `: ${text}`}`)
    this.status = status
  }
}

/** How printers are, by their names. */
export type PrinterStates = ReadonlyMap<string, Reachability>

/** The service, as a bridge sees it. All of these throw where it cannot be reached or refuses. */
export interface Service {
  announce(printers: readonly AnnouncedPrinter[], version: string): Promise<void>
  claim(states: PrinterStates, waitSeconds: number, signal: AbortSignal): Promise<ClaimedJob[]>
  content(job: ClaimedJob, signal: AbortSignal): Promise<Buffer>
  progress(job: Pick<ClaimedJob, 'printJobId' | 'leaseNumber'>, progress: Progress): Promise<void>
}

const answerMs = 15_000
const contentMs = 120_000

type Account = Pick<Settings, 'url' | 'authUrl' | 'printerBridgeId' | 'clientId' | 'clientSecret'>

/** The service at the address of the settings. */
export function openService(account: Account): Service {
  const base = `${account.url}/v1/printer-bridges/${account.printerBridgeId}`
  const tokens = tokenSource(account)

  async function ask(
    method: string,
    path: string,
    body: unknown,
    ms: number,
    signal?: AbortSignal,
  ): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const limit = AbortSignal.timeout(ms)
      const response = await fetch(`${base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await tokens.get()}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        redirect: 'error',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (response.ok || response.status === 304) return response
      const text = (await response.text()).slice(0, 1_000)
      if (response.status !== 401 || attempt > 1) throw new ServiceError(response.status, messagesOf(text))
      // The key may have been changed, and the token with it.
      tokens.forget()
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
      await (await ask('PUT', '/printers', { printers: announced, version }, answerMs)).arrayBuffer()
    },
    async claim(states, waitSeconds, signal) {
      const printers = [...states].map(([name, state]) => ({ name, ...state }))
      const ms = answerMs + waitSeconds * 1000
      const response = await ask('POST', '/claim', { waitSeconds, printers }, ms, signal)
      return ((await response.json()) as { jobs: ClaimedJob[] }).jobs
    },
    async content({ printJobId }, signal) {
      const response = await ask('GET', `/jobs/${printJobId}/content`, undefined, contentMs, signal)
      return Buffer.from(await response.arrayBuffer())
    },
    async progress({ printJobId, leaseNumber }, progress) {
      const body = { leaseNumber, ...progress }
      await (await ask('PUT', `/jobs/${printJobId}/progress`, body, answerMs)).arrayBuffer()
    },
  }
}

/** What an error body says. */
function messagesOf(text: string): string {
  try {
    return (JSON.parse(text) as { ErrorMessages: string[] }).ErrorMessages.join(' ')
  } catch {
    return text
  }
}

/** Tokens for the account, each used for half of its life. */
function tokenSource({ authUrl, clientId, clientSecret }: Account) {
  let current: Promise<{ token: string; renewAt: number }> | undefined

  async function fresh(): Promise<{ token: string; renewAt: number }> {
    const began = performance.now()
    const response = await fetch(`${authUrl}/connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(answerMs),
    })
    const text = await response.text()
    if (!response.ok) throw new ServiceError(response.status, text.slice(0, 1_000))
    const { access_token: token, expires_in } = JSON.parse(text) as {
      access_token: string
      expires_in: number
    }
    return { token, renewAt: began + expires_in * 500 }
  }

  return {
    async get(): Promise<string> {
      const known = await current?.catch(() => undefined)
      if (known !== undefined && performance.now() < known.renewAt) return known.token
      // Others that ask meanwhile wait for the same one.
      if (current === undefined || known !== undefined) current = fresh()
      const asked = current
      try {
        return (await asked).token
      } catch (error) {
        if (current === asked) current = undefined
        throw error
      }
    },
    forget(): void {
      current = undefined
    },
  }
}
