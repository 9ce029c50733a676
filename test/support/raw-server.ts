// A fake printer that accepts raw bytes on a port, and a proxy to it that cuts the connection after some
// bytes.

import net, { type AddressInfo, type Socket } from 'node:net'
import { atEnd } from './test-database.ts'

/** How the printer behaves; a test may change it at any time. */
export interface RawBehaviour {
  /** whether it responds to the status query ~HS */
  responds: boolean
  outOfPaper: boolean
  headOpen: boolean
  /** whether it stops reading and responding after a status query */
  hangs: boolean
  /** milliseconds between two bytes of its responses */
  dripMs: number
  /** closes the connection after this many bytes */
  closesAfter: number
  /** closes its side when we have closed ours */
  closes: boolean
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Starts a printer on this machine, until the test file ends. */
export async function openRawServer(given: Partial<RawBehaviour> = {}) {
  const behaviour: RawBehaviour = {
    responds: true,
    outOfPaper: false,
    headOpen: false,
    hangs: false,
    dripMs: 0,
    closesAfter: Number.POSITIVE_INFINITY,
    closes: true,
    ...given,
  }
  /** what each connection received, without status queries */
  const received: string[] = []
  const state = () =>
    `\x02030,${Number(behaviour.outOfPaper)},0,1245,000,0,0,0,000,0,0,0\x03\r\n` +
    `\x02000,0,${Number(behaviour.headOpen)},0,0,2,6,0,00000000,1,000\x03\r\n\x021234,0\x03\r\n`

  async function answer(socket: Socket): Promise<void> {
    if (behaviour.dripMs === 0) socket.write(state())
    else
      for (const character of state()) {
        socket.write(character)
        await pause(behaviour.dripMs)
      }
  }

  const sockets = new Set<Socket>()
  const server = net.createServer({ allowHalfOpen: true }, socket => {
    sockets.add(socket)
    let text = ''
    let taken = 0
    let answered = 0
    socket.on('error', () => {})
    socket.on('data', chunk => {
      taken += chunk.length
      text += chunk.toString('latin1')
      if (taken >= behaviour.closesAfter) socket.destroy()
      while (behaviour.responds && text.split('~HS').length - 1 > answered) {
        answered++
        void answer(socket)
        if (behaviour.hangs) socket.pause()
      }
    })
    socket.on('end', () => {
      if (behaviour.closes) socket.end()
    })
    socket.on('close', () => {
      sockets.delete(socket)
      const printed = text.replaceAll('~HS', '')
      if (printed !== '') received.push(printed)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  atEnd(close)
  return { behaviour, received, port: (server.address() as AddressInfo).port, close }
}

/** Opens a proxy to a local port that cuts both sides of a connection after some bytes. */
export async function openCuttingProxy(port: number) {
  let cutAfter = Number.POSITIVE_INFINITY
  let how: 'close' | 'reset' = 'close'
  const server = net.createServer(client => {
    const target = net.connect(port, '127.0.0.1')
    let left = cutAfter
    const cut = () => {
      for (const socket of [client, target]) how === 'reset' ? socket.resetAndDestroy() : socket.end()
    }
    for (const socket of [client, target]) socket.on('error', () => {})
    target.on('data', chunk => client.write(chunk))
    target.on('end', () => client.end())
    client.on('end', () => target.end())
    client.on('data', chunk => {
      const passed = chunk.subarray(0, left)
      left -= passed.length
      if (passed.length > 0) target.write(passed)
      if (left === 0) cut()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => void server.close())
  return {
    port: (server.address() as AddressInfo).port,
    /** Makes the proxy cut new connections after this many bytes. */
    cut(after: number, by: 'close' | 'reset' = 'close') {
      cutAfter = after
      how = by
    },
  }
}
