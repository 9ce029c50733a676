// Load over plain sockets: many connections, each of which sends the next request after the last response.
// Costs far less than an HTTP client. Refused requests do not count, and too many of them make the benchmark
// fail.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** The figures of one load, without refused requests. */
export interface LoadResult {
  perSecond: number
  answers: number
  /** all responses by status, including refusals */
  statuses: Record<number, number>
  /** milliseconds */
  p50: number
  p95: number
  p99: number
}

/** Called for every response, with its request, its status and its duration in milliseconds. */
export type Tally = (request: Buffer, status: number, ms: number) => void

const head = Buffer.from('\r\n\r\n')
// A slow machine sometimes refuses requests. If this percentage is exceeded, the load was not the intended
// one.
const maxRefused = 1

/** The end of a response whose head ends before `at`; undefined if it has not arrived completely. */
function endOf(received: Buffer, at: number): number | undefined {
  const text = received.toString('latin1', 0, at)
  if (!/transfer-encoding: chunked/i.test(text)) {
    const end = at + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
    return end <= received.length ? end : undefined
  }
  for (let begin = at; ; ) {
    const line = received.indexOf('\r\n', begin)
    if (line < 0) return undefined
    const size = Number.parseInt(received.toString('latin1', begin, line), 16)
    begin = line + 2 + size + 2
    if (begin > received.length) return undefined
    if (size === 0) return begin
  }
}

/**
 * Sends the requests that `next` returns over this many connections for this many seconds. Throws if more
 * than a few are refused.
 */
export async function load(
  port: number,
  connections: number,
  seconds: number,
  next: () => Buffer,
  tally?: Tally,
): Promise<LoadResult> {
  const statuses: Record<number, number> = {}
  const times: number[] = []
  const over = performance.now() + seconds * 1000
  const started = performance.now()

  async function converse(socket: Socket): Promise<void> {
    await once(socket, 'connect')
    await new Promise<void>((resolve, reject) => {
      let sent = 0
      let bytes: Buffer
      let received = Buffer.alloc(0)
      const send = () => {
        if (performance.now() >= over) return resolve()
        bytes = next()
        sent = performance.now()
        socket.write(bytes)
      }
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('The server closed a connection.')))
      socket.on('data', chunk => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        const at = received.indexOf(head)
        if (at < 0) return
        const end = endOf(received, at + head.length)
        if (end === undefined) return
        const status = Number(received.toString('latin1', 9, 12))
        statuses[status] = (statuses[status] ?? 0) + 1
        const ms = performance.now() - sent
        if (status < 400) times.push(ms)
        tally?.(bytes, status, ms)
        received = received.subarray(end)
        send()
      })
      send()
    })
    socket.destroy()
  }

  await Promise.all(
    Array.from({ length: connections }, () => converse(connect({ port, host: '127.0.0.1', noDelay: true }))),
  )
  const elapsed = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  const answers = times.length
  const all = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  if (all - answers > (all * maxRefused) / 100) throw new Error(`Refused: ${JSON.stringify(statuses)}`)
  return { perSecond: answers / elapsed, answers, statuses, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** A request, with a JSON body or none, as bytes. */
export function request(
  method: string,
  path: string,
  body: string | undefined,
  headers: Record<string, string> = {},
): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost']
  if (body !== undefined)
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

/** A POST with a JSON body, as bytes. */
export const post = (path: string, body: string, headers: Record<string, string> = {}): Buffer =>
  request('POST', path, body, headers)
