// The receivers of the delivery benchmark, in a process of their own. Each has a port, and some never
// respond.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'

/**
 * What the receivers report: the number of healthy arrivals since the last reset, and their delays after the
 * event in milliseconds.
 */
export interface Tally {
  arrived: number
  delays: { p50: number; p95: number; worst: number }
}

const count = Number(process.argv[2])
let hanging = 0
let delays: number[] = []

const servers: Server[] = []
for (let n = 0; n < count; n++) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (n < hanging) return
    const { created } = JSON.parse(Buffer.concat(chunks).toString())
    delays.push(Date.now() - Date.parse(created))
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
}
process.send?.(servers.map(server => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`))

process.on('message', (message: { reset: number } | 'tally') => {
  if (message !== 'tally') {
    hanging = message.reset
    delays = []
    return
  }
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  process.send?.({ arrived: sorted.length, delays: { p50: at(0.5), p95: at(0.95), worst: at(1) } })
})
