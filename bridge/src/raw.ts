// The driver for printers that accept raw bytes on a TCP port, usually 9100. ZPL printers report their status
// in response to ~HS. If a printer does, the status is requested again after the last byte, because the
// response then proves that the printer has read everything before it.

import net from 'node:net'
import {
  type DeliveryOutcome,
  type DeliverySteps,
  type Driver,
  type Job,
  messageOf,
  type Reachability,
} from './driver.ts'

/** Timeouts in milliseconds. */
export interface RawTimings {
  connectTimeoutMs: number
  /** for the response to ~HS before anything is sent */
  responseTimeoutMs: number
  /** for the printer to accept further bytes, and for the response to ~HS after the last byte */
  stallTimeoutMs: number
  /** for the printer to close its side of the connection after the bridge has closed its own */
  closeTimeoutMs: number
}

const defaultTimings: RawTimings = {
  connectTimeoutMs: 5_000,
  responseTimeoutMs: 2_000,
  stallTimeoutMs: 600_000,
  closeTimeoutMs: 5_000,
}

/** Ends a label that another program may have left open. It has no effect otherwise. */
const endOpenLabel = '^XZ'
const statusRequest = '~HS'

/** Creates the driver of a printer that accepts only `contentType`. */
export function rawPrinter(
  host: string,
  port: number,
  contentType: string,
  customTimings: Partial<RawTimings> = {},
): Driver {
  const timings = { ...defaultTimings, ...customTimings }
  const isZpl = contentType === 'application/zpl'

  async function probe(): Promise<Reachability> {
    let connection: Connection | undefined
    try {
      connection = await connect(host, port, timings.connectTimeoutMs)
      const status = isZpl ? await connection.requestStatus(timings.responseTimeoutMs) : undefined
      return status?.fault === undefined
        ? { isReachable: true }
        : { isReachable: false, reason: status.fault }
    } catch (error) {
      return { isReachable: false, reason: messageOf(error) }
    } finally {
      connection?.end()
    }
  }

  async function print(job: Job, steps: DeliverySteps): Promise<DeliveryOutcome> {
    if (job.contentType !== contentType)
      return { kind: 'failed', message: `The printer does not accept ${job.contentType}.` }
    let connection: Connection
    let hasStatus = false
    try {
      connection = await connect(host, port, timings.connectTimeoutMs)
    } catch (error) {
      return { kind: 'refused', message: messageOf(error) }
    }
    try {
      if (isZpl) {
        const status = await connection
          .requestStatus(timings.responseTimeoutMs)
          .catch((error): PrinterStatus => ({ fault: messageOf(error) }))
        if (status?.fault !== undefined) return { kind: 'refused', message: status.fault }
        hasStatus = status !== undefined
      }
      await steps.beginSending()
      // finishSending is not called, because the outcome is known as soon as everything is sent.
      return await send(connection, encodeJob(job, isZpl, hasStatus), hasStatus, timings)
    } finally {
      connection.end()
    }
  }

  // Only for journals of an earlier version, which called finishSending. The printer cannot be asked for the
  // outcome.
  return { probe, print, findOutcome: async () => printedWithoutConfirmation }
}

const printedWithoutConfirmation: DeliveryOutcome = {
  kind: 'printed',
  message: 'The printer has all of it; not confirmed.',
}

function encodeJob({ content, copies }: Job, isZpl: boolean, hasStatus: boolean): Buffer {
  if (isZpl) {
    const allCopies = Array.from({ length: copies }, () => content)
    const ending = hasStatus ? statusRequest : ''
    return Buffer.concat([Buffer.from(endOpenLabel), ...allCopies, Buffer.from(ending)])
  }
  if (copies === 1) return content
  const exit = '\x1b%-12345X'
  return Buffer.concat([
    Buffer.from(`${exit}@PJL SET COPIES=${copies}\r\n@PJL ENTER LANGUAGE=PDF\r\n`),
    content,
    Buffer.from(exit),
  ])
}

/** Sends all bytes, and finds out whether the printer has received them. */
async function send(
  connection: Connection,
  bytes: Buffer,
  hasStatus: boolean,
  { stallTimeoutMs, closeTimeoutMs }: RawTimings,
): Promise<DeliveryOutcome> {
  const inDoubt = (message: string): DeliveryOutcome => ({ kind: 'in doubt', message })
  try {
    await connection.write(bytes, stallTimeoutMs)
    if (hasStatus) {
      const status = await connection.awaitStatus(stallTimeoutMs)
      if (status === undefined) return inDoubt('The printer accepted all of it and then stopped responding.')
      return status.fault === undefined
        ? { kind: 'printed' }
        : inDoubt(`The printer has all of it, and then reported: ${status.fault}`)
    }
    return (await connection.close(closeTimeoutMs))
      ? printedWithoutConfirmation
      : inDoubt('The printer did not respond and did not close the connection.')
  } catch (error) {
    return inDoubt(`The connection to the printer broke while it was sent: ${messageOf(error)}`)
  }
}

/** The status that a printer reports. */
interface PrinterStatus {
  fault: string | undefined
}

/** A connection to a printer. All timeouts are in milliseconds. */
interface Connection {
  /** Requests the status of the printer; undefined if it does not respond in time. */
  requestStatus(timeoutMs: number): Promise<PrinterStatus | undefined>
  /** Waits for a response to ~HS; undefined if none comes in time. Throws if the connection ends first. */
  awaitStatus(timeoutMs: number): Promise<PrinterStatus | undefined>
  /** Resolves when the operating system has accepted all bytes. Throws if it accepts none for the timeout. */
  write(bytes: Buffer, stallTimeoutMs: number): Promise<void>
  /** Closes this side of the connection. Returns whether the printer closes its side in time. */
  close(timeoutMs: number): Promise<boolean>
  end(): void
}

function connect(host: string, port: number, timeoutMs: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, allowHalfOpen: true })
    const timer = setTimeout(() => socket.destroy(new Error('The printer does not respond.')), timeoutMs)
    socket.once('error', reject)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', reject)
      resolve(createConnection(socket))
    })
    socket.once('close', () => clearTimeout(timer))
  })
}

/** What a printer has sent, and how its side of the connection has ended. */
interface Reception {
  text: string
  failure: Error | undefined
  hasEnded: boolean
  /** called after every change */
  readonly listeners: Set<() => void>
}

const notify = ({ listeners }: Reception): void => {
  for (const listener of listeners) listener()
}

/** Records what arrives at a socket. */
function receiveFrom(socket: net.Socket): Reception {
  const reception: Reception = { text: '', failure: undefined, hasEnded: false, listeners: new Set() }
  socket.on('data', chunk => {
    reception.text = `${reception.text}${chunk.toString('latin1')}`.slice(-maxKeptCharacters)
    notify(reception)
  })
  socket.on('end', () => {
    reception.hasEnded = true
    notify(reception)
  })
  socket.on('error', error => {
    reception.failure = error
    notify(reception)
  })
  socket.on('close', () => notify(reception))
  return reception
}

/** Waits until `find` returns a value; undefined after the timeout. Throws if the connection breaks. */
function waitFor<T>(
  socket: net.Socket,
  reception: Reception,
  find: () => T | undefined,
  timeoutMs: number,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      reception.listeners.delete(check)
      settle()
    }
    const timer = setTimeout(() => end(() => resolve(undefined)), timeoutMs)
    const check = () => {
      const { failure, hasEnded } = reception
      const found = find()
      if (found !== undefined) end(() => resolve(found))
      else if (failure !== undefined) end(() => reject(failure))
      else if (hasEnded || socket.destroyed)
        end(() => reject(new Error('The printer closed the connection.')))
    }
    reception.listeners.add(check)
    check()
  })
}

function createConnection(socket: net.Socket): Connection {
  const reception = receiveFrom(socket)
  const awaitStatus = (timeoutMs: number): Promise<PrinterStatus | undefined> =>
    waitFor(
      socket,
      reception,
      () => {
        const status = parseHostStatus(reception.text)
        if (status !== undefined) reception.text = ''
        return status
      },
      timeoutMs,
    )
  /** Waits until a condition holds on an intact connection. */
  const awaitCondition = async (holds: () => boolean, timeoutMs: number): Promise<boolean> =>
    (await waitFor(
      socket,
      reception,
      () => (holds() && reception.failure === undefined ? true : undefined),
      timeoutMs,
    )) === true
  return {
    awaitStatus,
    requestStatus(timeoutMs) {
      reception.text = ''
      socket.write(statusRequest)
      return awaitStatus(timeoutMs)
    },
    async write(bytes, stallTimeoutMs) {
      // In chunks, to detect whether the printer still accepts bytes.
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        let isAccepted = false
        socket.write(bytes.subarray(at, at + chunkBytes), () => {
          isAccepted = true
          notify(reception)
        })
        if (!(await awaitCondition(() => isAccepted, stallTimeoutMs)))
          throw new Error('The printer does not accept any more data.')
      }
    },
    close(timeoutMs) {
      socket.end()
      return awaitCondition(() => reception.hasEnded, timeoutMs)
    },
    end() {
      socket.end()
      // A printer that hangs would keep the socket open.
      setTimeout(() => socket.destroy(), lingerMs).unref()
    },
  }
}

/** A response to ~HS is much shorter. */
const maxKeptCharacters = 4_096
const chunkBytes = 16_384
const lingerMs = 1_000
const [startOfText, endOfText] = ['\x02', '\x03'] as const

/**
 * Parses the response to ~HS: three lines, each between STX and ETX. In the first line, the second field is 1
 * if paper is out and the third is 1 if the printer is paused. In the second line, the third field is 1 if
 * the head is open and the fourth is 1 if the ribbon is out. Returns undefined if the response is incomplete.
 */
function parseHostStatus(received: string): PrinterStatus | undefined {
  const lines = received
    .split(startOfText)
    .slice(1)
    .filter(line => line.includes(endOfText))
    .map(line => line.slice(0, line.indexOf(endOfText)).split(','))
  if (lines.length < 3) return undefined
  const [first = [], second = []] = lines
  const faults = [
    first[1] === '1' ? 'out of paper' : '',
    first[2] === '1' ? 'paused' : '',
    second[2] === '1' ? 'head open' : '',
    second[3] === '1' ? 'out of ribbon' : '',
  ].filter(fault => fault !== '')
  return { fault: faults.length === 0 ? undefined : faults.join(', ') }
}
