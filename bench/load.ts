// Load over plain sockets: many connections that each send the next request when the last is answered. Costs
// far less than an HTTP client.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** The figures of one load. */
export interface LoadResult {
  perSecond: number
  answers: number
  /** answers by status */
  statuses: Record<number, number>
  /** milliseconds */
  p50: number
  p95: number
  p99: number
}

/** Called for every answer, with its request, its status and how many milliseconds it took. */
export type Tally = (request: Buffer, status: number, ms: number) => void

const head = Buffer.from('\r\n\r\n')

/** Sends the requests that `next` returns over so many connections for so many seconds. */
export async function load(
  port: number,
  connections: number,
  seconds: number,
  next: () => Buffer,
  tally?: Tally,
): Promise<LoadResult> {
  const statuses: Record<number, number> = {}
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  const started = performance.now()

  async function converse(socket: Socket): Promise<void> {
    await once(socket, 'connect')
    await new Promise<void>((resolve, reject) => {
      let sent = 0
      let asked: Buffer
      let received = Buffer.alloc(0)
      const send = () => {
        if (performance.now() >= end) return resolve()
        asked = next()
        sent = performance.now()
        socket.write(asked)
      }
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('The server closed a connection.')))
      socket.on('data', chunk => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        const at = received.indexOf(head)
        if (at < 0) return
        const text = received.toString('latin1', 0, at)
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
        if (received.length < at + 4 + length) return
        const status = Number(text.slice(9, 12))
        statuses[status] = (statuses[status] ?? 0) + 1
        const ms = performance.now() - sent
        times.push(ms)
        tally?.(asked, status, ms)
        received = received.subarray(at + 4 + length)
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
  return { perSecond: answers / elapsed, answers, statuses, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** One request, with a JSON body or none, as bytes. */
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

/** One POST with a JSON body, as bytes. */
export const post = (path: string, body: string, headers: Record<string, string> = {}): Buffer =>
  request('POST', path, body, headers)
