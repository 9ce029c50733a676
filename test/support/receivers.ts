// Badly behaved receivers for the tests of the outgoing client: real sockets on the loopback interface.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export interface Receiver {
  port: number
  url: string
  /** the number of connections accepted so far */
  connections(): number
  /** the number of open connections */
  open(): number
}

/**
 * A TCP listener that passes each connection to `converse`; closed with the test. It listens on IPv4 and, if
 * available, on IPv6.
 */
export async function receiver(
  t: TestContext,
  converse: (socket: Socket) => void,
  server: Server = createServer(),
): Promise<Receiver> {
  const sockets = new Set<Socket>()
  let accepted = 0
  server.on('connection', (socket: Socket) => {
    accepted += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    converse(socket)
  })
  server.listen(0)
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { port, url: `http://127.0.0.1:${port}/hook`, connections: () => accepted, open: () => sockets.size }
}

/** Responds to every request of a connection with the same bytes. */
export function respondWith(bytes: string): (socket: Socket) => void {
  return socket => socket.on('data', () => socket.write(bytes))
}

/** Responds with the bytes and closes the connection. */
export function respondAndClose(bytes: string): (socket: Socket) => void {
  return socket => socket.once('data', () => socket.end(bytes))
}

/**
 * A DNS server on the loopback interface that answers A and AAAA questions with what `addresses` gives for
 * the name; none means that the name is unknown.
 */
export async function nameServer(
  t: TestContext,
  addresses: (name: string) => { v4: string[]; v6: string[] },
): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => socket.send(answerOf(query, addresses), from.port, from.address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}

function answerOf(query: Buffer, addresses: (name: string) => { v4: string[]; v6: string[] }): Buffer {
  const labels: string[] = []
  let at = 12
  while (query[at] !== 0) {
    const length = query[at]!
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  const question = query.subarray(12, at + 5)
  const type = query.readUInt16BE(at + 1)
  const { v4, v6 } = addresses(labels.join('.'))
  const records =
    type === 1 ? v4.map(a => Buffer.from(a.split('.').map(Number))) : type === 28 ? v6.map(sixteenBytes) : []
  const isKnown = v4.length + v6.length > 0
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  const answers = records.map(data => {
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0) // the name of the question
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([head, question, ...answers])
}

function sixteenBytes(address: string): Buffer {
  const [left = '', right] = address.split('::')
  const words = (side: string) => (side === '' ? [] : side.split(':').map(word => Number.parseInt(word, 16)))
  const before = words(left)
  const after = words(right ?? '')
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
  return Buffer.from(all.flatMap(word => [word >> 8, word & 255]))
}
