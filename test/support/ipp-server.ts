// A fake IPP printer for tests. It accepts jobs, records what it receives, and can simulate any state and
// fault.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decode, Operation, type Value } from '../../bridge/src/ipp-message.ts'
import { atEnd } from './test-database.ts'

/** A job that the printer received. */
export interface PrintedJob {
  id: number
  name: string
  document: Buffer
  /** whether the document arrived completely */
  isWhole: boolean
  attributes: Map<string, readonly Value[]>
}

/** How the printer behaves; a test may change it at any time. */
export interface IppBehaviour {
  /** 3 idle, 4 processing, 5 stopped */
  state: number
  reasons: string[]
  isAccepting: boolean
  formats: string[]
  media: string[]
  /** the status of the response to an operation, if it is not success */
  refuses: Map<number, number>
  /** the state of jobs: 3 pending … 9 completed; and the reasons */
  jobState: number
  jobReasons: string[]
  /** Called before the response to an operation is sent; if it throws, the connection is broken instead. */
  beforeResponse(operation: number): Promise<void> | void
}

const attribute = (tag: number, name: string, ...values: (string | number | boolean)[]): Buffer =>
  Buffer.concat(
    values.map((value, i) => {
      const bytes =
        typeof value === 'string'
          ? Buffer.from(value)
          : typeof value === 'boolean'
            ? Buffer.from([Number(value)])
            : Buffer.from(new Int32Array([value]).buffer).reverse()
      const head = Buffer.alloc(3)
      head[0] = tag
      head.writeUInt16BE(i === 0 ? name.length : 0, 1)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(bytes.length)
      return Buffer.concat([head, Buffer.from(i === 0 ? name : ''), length, bytes])
    }),
  )

const range = (name: string, from: number, to: number): Buffer => {
  const bytes = Buffer.alloc(13 + name.length)
  bytes.writeUInt8(0x33)
  bytes.writeUInt16BE(name.length, 1)
  bytes.write(name, 3)
  bytes.writeUInt16BE(8, 3 + name.length)
  bytes.writeInt32BE(from, 5 + name.length)
  bytes.writeInt32BE(to, 9 + name.length)
  return bytes
}

/** Starts a printer on this machine, until the test file ends. */
export async function openIppServer(given: Partial<IppBehaviour> = {}) {
  const behaviour: IppBehaviour = {
    state: 3,
    reasons: ['none'],
    isAccepting: true,
    formats: ['application/pdf', 'application/octet-stream'],
    media: ['iso_a4_210x297mm'],
    refuses: new Map(),
    jobState: 9,
    jobReasons: ['none'],
    beforeResponse() {},
    ...given,
  }
  const jobs: PrintedJob[] = []
  let queries = 0

  function printerGroup(): Buffer[] {
    return [
      Buffer.from([0x04]),
      attribute(0x23, 'printer-state', behaviour.state),
      attribute(0x44, 'printer-state-reasons', ...behaviour.reasons),
      attribute(0x22, 'printer-is-accepting-jobs', behaviour.isAccepting),
      attribute(0x49, 'document-format-supported', ...behaviour.formats),
      attribute(0x44, 'media-supported', ...behaviour.media),
      attribute(0x44, 'print-scaling-supported', 'auto', 'none'),
      // A collection; real printers send many of them.
      attribute(0x34, 'media-col-default', ''),
      attribute(0x4a, '', 'media-type'),
      attribute(0x44, '', 'stationery'),
      attribute(0x37, '', ''),
      range('copies-supported', 1, 99),
    ]
  }

  const jobGroup = (id: number) => [
    Buffer.from([0x02]),
    attribute(0x21, 'job-id', id),
    attribute(0x23, 'job-state', behaviour.jobState),
    attribute(0x44, 'job-state-reasons', ...behaviour.jobReasons),
  ]

  /** Reads a request. A truncated document is kept as far as it arrived, as printers do. */
  async function read(request: IncomingMessage) {
    const chunks: Buffer[] = []
    let isWhole = true
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      isWhole = false
    }
    const bytes = Buffer.concat(chunks)
    if (bytes.length < 9) return undefined
    const end = endOfAttributes(bytes)
    if (end === undefined) return undefined
    const { groups } = decode(bytes.subarray(0, end))
    const attributes = new Map(groups.flatMap(group => [...group.attributes]))
    return {
      operation: bytes.readUInt16BE(2),
      id: bytes.subarray(4, 8),
      attributes,
      isWhole,
      document: bytes.subarray(end),
    }
  }

  const server = createServer(async (request, response) => {
    const message = await read(request)
    if (message === undefined) return request.destroy()
    const { operation, attributes, document, isWhole } = message
    const status = behaviour.refuses.get(operation) ?? 0
    let id = Number(attributes.get('job-id')?.[0] ?? 0)
    if (operation === Operation.PrintJob && status === 0) {
      id = jobs.length + 1
      jobs.push({ id, name: String(attributes.get('job-name')?.[0]), document, isWhole, attributes })
    }
    if (operation === Operation.GetJobAttributes) queries++
    try {
      await behaviour.beforeResponse(operation)
    } catch {
      request.destroy()
      return
    }
    const head = Buffer.from([2, 0, status >> 8, status & 255, ...message.id, 0x01])
    const general = [
      attribute(0x47, 'attributes-charset', 'utf-8'),
      attribute(0x48, 'attributes-natural-language', 'en'),
    ]
    const group =
      status !== 0
        ? []
        : operation === Operation.GetPrinterAttributes
          ? printerGroup()
          : operation === Operation.ValidateJob
            ? []
            : jobGroup(id)
    response.setHeader('content-type', 'application/ipp')
    response.end(Buffer.concat([head, ...general, ...group, Buffer.from([0x03])]))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    behaviour,
    jobs,
    port,
    uri: `ipp://127.0.0.1:${port}/ipp/print`,
    /** how often the state of a job was queried */
    asked: () => queries,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * The offset at which the attributes of a request end and the document begins; undefined if they are
 * truncated.
 */
function endOfAttributes(bytes: Buffer): number | undefined {
  let at = 8
  while (at < bytes.length) {
    const tag = bytes.readUInt8(at++)
    if (tag === 0x03) return at
    if (tag < 0x10) continue
    for (let part = 0; part < 2; part++) {
      if (at + 2 > bytes.length) return undefined
      at += 2 + bytes.readUInt16BE(at)
    }
  }
  return undefined
}
