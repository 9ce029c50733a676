// The driver for printers that accept raw bytes on a TCP port, usually 9100. ZPL printers report their status
// in response to ~HS. If a printer does, the status is requested again after the last byte, because the
// response then proves that the printer has read everything before it.

import net from 'node:net'
import {
  type DeliverySteps,
  type Driver,
  type Job,
  messageOf,
  type Outcome,
  type Reachability,
} from './driver.ts'

/** Timeouts in milliseconds. */
export interface RawTimings {
  connectMs: number
  /** for the response to ~HS before anything is sent */
  answerMs: number
  /** for the printer to accept further bytes, and for the response to ~HS after the last byte */
  silenceMs: number
  /** for the printer to close its side of the connection after the bridge has closed its own */
  closeMs: number
}

const defaultTimings: RawTimings = { connectMs: 5_000, answerMs: 2_000, silenceMs: 600_000, closeMs: 5_000 }

/** Ends a label that another program may have left open. It has no effect otherwise. */
const endOpenLabel = '^XZ'
const statusRequest = '~HS'

/** Creates the driver of a printer that accepts only `contentType`. */
export function rawPrinter(
  host: string,
  port: number,
  contentType: string,
  given: Partial<RawTimings> = {},
): Driver {
  const timings = { ...defaultTimings, ...given }
  const isZpl = contentType === 'application/zpl'

  async function probe(): Promise<Reachability> {
    let connection: Connection | undefined
    try {
      connection = await connect(host, port, timings.connectMs)
      const status = isZpl ? await connection.requestStatus(timings.answerMs) : undefined
      return status?.fault === undefined
        ? { isReachable: true }
        : { isReachable: false, reason: status.fault }
    } catch (error) {
      return { isReachable: false, reason: messageOf(error) }
    } finally {
      connection?.end()
    }
  }

  async function print(job: Job, steps: DeliverySteps): Promise<Outcome> {
    if (job.contentType !== contentType)
      return { kind: 'failed', message: `The printer does not take ${job.contentType}.` }
    let connection: Connection
    let hasStatus = false
    try {
      connection = await connect(host, port, timings.connectMs)
    } catch (error) {
      return { kind: 'refused', message: messageOf(error) }
    }
    try {
      if (isZpl) {
        const status = await connection
          .requestStatus(timings.answerMs)
          .catch((error): PrinterStatus => ({ fault: messageOf(error) }))
        if (status?.fault !== undefined) return { kind: 'refused', message: status.fault }
        hasStatus = status !== undefined
      }
      await steps.beginSending()
      // finishSending is not called, because the outcome is known as soon as everything is sent.
      return await send(connection, bytesOf(job, isZpl, hasStatus), hasStatus, timings)
    } finally {
      connection.end()
    }
  }

  // Only for journals of an earlier version, which called finishSending. The printer cannot be asked for the
  // outcome.
  return { probe, print, findOutcome: async () => printedUnconfirmed }
}

const printedUnconfirmed: Outcome = { kind: 'printed', message: 'The printer has all of it; not confirmed.' }

function bytesOf({ content, copies }: Job, isZpl: boolean, hasStatus: boolean): Buffer {
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
  { silenceMs, closeMs }: RawTimings,
): Promise<Outcome> {
  const inDoubt = (message: string): Outcome => ({ kind: 'in doubt', message })
  try {
    await connection.write(bytes, silenceMs)
    if (hasStatus) {
      const status = await connection.awaitStatus(silenceMs)
      if (status === undefined) return inDoubt('The printer took it and fell silent.')
      return status.fault === undefined
        ? { kind: 'printed' }
        : inDoubt(`The printer has all of it, and then said: ${status.fault}`)
    }
    return (await connection.close(closeMs))
      ? printedUnconfirmed
      : inDoubt('The printer has said nothing and did not close the connection.')
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
  /** Resolves when the operating system has accepted all bytes. Throws if it accepts none for `silenceMs`. */
  write(bytes: Buffer, silenceMs: number): Promise<void>
  /** Closes this side of the connection. Returns whether the printer closes its side in time. */
  close(timeoutMs: number): Promise<boolean>
  end(): void
}

function connect(host: string, port: number, connectMs: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, allowHalfOpen: true })
    const timer = setTimeout(() => socket.destroy(new Error('The printer does not answer.')), connectMs)
    socket.once('error', reject)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', reject)
      resolve(connectionOver(socket))
    })
    socket.once('close', () => clearTimeout(timer))
  })
}

function connectionOver(socket: net.Socket): Connection {
  let received = ''
  let failure: Error | undefined
  let hasEnded = false
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  socket.on('data', chunk => {
    received = `${received}${chunk.toString('latin1')}`.slice(-4_096)
    notify()
  })
  socket.on('end', () => {
    hasEnded = true
    notify()
  })
  socket.on('error', error => {
    failure = error
    notify()
  })
  socket.on('close', notify)

  /** Waits until `find` returns a value; undefined after the timeout. Throws if the connection breaks. */
  function waitFor<T>(find: () => T | undefined, timeoutMs: number): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer)
        listeners.delete(check)
        settle()
      }
      const timer = setTimeout(() => end(() => resolve(undefined)), timeoutMs)
      const check = () => {
        const found = find()
        if (found !== undefined) end(() => resolve(found))
        else if (failure !== undefined) end(() => reject(failure))
        else if (hasEnded || socket.destroyed)
          end(() => reject(new Error('The printer closed the connection.')))
      }
      listeners.add(check)
      check()
    })
  }

  function awaitStatus(timeoutMs: number): Promise<PrinterStatus | undefined> {
    return waitFor(() => {
      const found = parseHostStatus(received)
      if (found !== undefined) received = ''
      return found
    }, timeoutMs)
  }

  return {
    awaitStatus,
    requestStatus(timeoutMs) {
      received = ''
      socket.write(statusRequest)
      return awaitStatus(timeoutMs)
    },
    async write(bytes, silenceMs) {
      // In chunks, to detect whether the printer still accepts bytes.
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        let isAccepted = false
        socket.write(bytes.subarray(at, at + chunkBytes), () => {
          isAccepted = true
          notify()
        })
        const result = await waitFor(
          () => (isAccepted && failure === undefined ? true : undefined),
          silenceMs,
        )
        if (result === undefined) throw new Error('The printer does not accept any more data.')
      }
    },
    async close(timeoutMs) {
      socket.end()
      return (await waitFor(() => (hasEnded && failure === undefined ? true : undefined), timeoutMs)) === true
    },
    end() {
      socket.end()
      // A printer that hangs would keep the socket open.
      setTimeout(() => socket.destroy(), lingerMs).unref()
    },
  }
}

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
