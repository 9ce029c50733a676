// A fake server that speaks enough of the PostgreSQL protocol for the start of a connection, and fails it in
// a way that the real server of the test run cannot.

import { type AddressInfo, createServer } from 'node:net'
import { atEnd } from './test-database.ts'

/** How the server behaves. */
export interface FakePostgres {
  /** the error with which it refuses every connection */
  error?: { code: string; message: string }
  /** the version that it reports */
  version?: string
  /** it accepts connections and answers no query, like a pooler whose server is away */
  isSilent?: boolean
}

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const text = (value: string) => Buffer.from(`${value}\0`)

/** The response to a query: one row with one column. */
function row(name: string, value: string): Buffer {
  const column = Buffer.concat([Buffer.from([0, 1]), text(name), Buffer.alloc(18)])
  column.writeUInt32BE(25, column.length - 12)
  const data = Buffer.alloc(6)
  data.writeUInt16BE(1, 0)
  data.writeUInt32BE(value.length, 2)
  return Buffer.concat([
    message('T', column),
    message('D', Buffer.concat([data, Buffer.from(value)])),
    message('C', text('SHOW')),
    message('Z', Buffer.from('I')),
  ])
}

/** Opens the server on loopback and returns its port. It is closed when the test file ends. */
export async function openFakePostgres({
  error,
  version = '18.0',
  isSilent = false,
}: FakePostgres): Promise<number> {
  const sslRequest = 80_877_103
  const server = createServer(socket => {
    let isOpen = false
    socket.on('error', () => {})
    socket.on('data', bytes => {
      if (!isOpen && bytes.readUInt32BE(4) === sslRequest) return void socket.write('N')
      if (isOpen) {
        if (!isSilent && bytes.toString('latin1', 0, 1) === 'Q') socket.write(row('server_version', version))
        return
      }
      isOpen = true
      if (error === undefined)
        return void socket.write(
          Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]),
        )
      const fields = [`SFATAL`, `VFATAL`, `C${error.code}`, `M${error.message}`].map(text)
      socket.end(message('E', Buffer.concat([...fields, Buffer.alloc(1)])))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => server.close())
  return (server.address() as AddressInfo).port
}
