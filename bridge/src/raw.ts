// Printers that take bytes on a TCP port, mostly 9100: label printers, which are asked by ~HS how they are.
// Where a printer answers that, it is asked once more behind the last byte: the answer proves that it has
// read everything before.

import net from 'node:net'
import { type Driver, inWords, type Job, type Outcome, type Reachability, type Steps } from './driver.ts'

/** Times, in milliseconds; tests compress them. */
export interface RawTimes {
  connectMs: number
  /** how long an answer to ~HS may take before anything is sent */
  answerMs: number
  /** how long the printer may take no byte, or print what it has before it answers */
  silenceMs: number
  /** how long it may take to close its side, once we have closed ours */
  closeMs: number
}

const times: RawTimes = { connectMs: 5_000, answerMs: 2_000, silenceMs: 600_000, closeMs: 5_000 }

/** Ends a label that another program may have left open, and does nothing else. */
const closeFormat = '^XZ'
const askState = '~HS'

/** A printer at `host`, which takes `contentType` alone. */
export function rawPrinter(
  host: string,
  port: number,
  contentType: string,
  given: Partial<RawTimes> = {},
): Driver {
  const limits = { ...times, ...given }
  const isZpl = contentType === 'application/zpl'

  async function look(): Promise<Reachability> {
    let line: Line | undefined
    try {
      line = await connect(host, port, limits.connectMs)
      const state = isZpl ? await line.state(limits.answerMs) : undefined
      return state?.fault === undefined ? { isReachable: true } : { isReachable: false, reason: state.fault }
    } catch (error) {
      return { isReachable: false, reason: inWords(error) }
    } finally {
      line?.end()
    }
  }

  async function print(job: Job, steps: Steps): Promise<Outcome> {
    if (job.contentType !== contentType)
      return { kind: 'failed', message: `The printer does not take ${job.contentType}.` }
    let line: Line
    let answers = false
    try {
      line = await connect(host, port, limits.connectMs)
    } catch (error) {
      return { kind: 'refused', message: inWords(error) }
    }
    try {
      if (isZpl) {
        const state = await line.state(limits.answerMs).catch((error): State => ({ fault: inWords(error) }))
        if (state?.fault !== undefined) return { kind: 'refused', message: state.fault }
        answers = state !== undefined
      }
      await steps.sending()
      // That it has all of it goes without saying once it is known what came of it.
      return await send(line, bytesOf(job, isZpl, answers), answers, limits)
    } finally {
      line.end()
    }
  }

  // An earlier version of the bridge noted that it had all of it. It cannot be asked what became of it.
  return { look, print, recall: async () => printedUnconfirmed }
}

const printedUnconfirmed: Outcome = { kind: 'printed', message: 'The printer has all of it; not confirmed.' }

function bytesOf({ content, copies }: Job, isZpl: boolean, answers: boolean): Buffer {
  if (isZpl) {
    const all = Array.from({ length: copies }, () => content)
    return Buffer.concat([Buffer.from(closeFormat), ...all, Buffer.from(answers ? askState : '')])
  }
  if (copies === 1) return content
  const exit = '\x1b%-12345X'
  return Buffer.concat([
    Buffer.from(`${exit}@PJL SET COPIES=${copies}\r\n@PJL ENTER LANGUAGE=PDF\r\n`),
    content,
    Buffer.from(exit),
  ])
}

/** Sends everything, and finds out whether the printer has taken it. */
async function send(
  line: Line,
  bytes: Buffer,
  answers: boolean,
  { silenceMs, closeMs }: RawTimes,
): Promise<Outcome> {
  const doubt = (message: string): Outcome => ({ kind: 'in doubt', message })
  try {
    await line.write(bytes, silenceMs)
    if (answers) {
      const state = await line.answer(silenceMs)
      if (state === undefined) return doubt('The printer took it and fell silent.')
      return state.fault === undefined
        ? { kind: 'printed' }
        : doubt(`The printer has all of it, and then said: ${state.fault}`)
    }
    return (await line.closed(closeMs))
      ? printedUnconfirmed
      : doubt('The printer has said nothing and did not close the connection.')
  } catch (error) {
    return doubt(`The connection to the printer broke while it was sent: ${inWords(error)}`)
  }
}

/** What a printer says of itself: nothing is wrong, or what. */
interface State {
  fault: string | undefined
}

/** A connection to a printer. */
interface Line {
  /** Asks how the printer is; undefined where it does not say. */
  state(ms: number): Promise<State | undefined>
  /** The next answer to ~HS; undefined where none comes in time. Throws when the connection ends before. */
  answer(ms: number): Promise<State | undefined>
  /** Resolves when the system has taken all bytes. Throws when it takes none for so long. */
  write(bytes: Buffer, silenceMs: number): Promise<void>
  /** Closes this side, and says whether the printer closes its own in time. */
  closed(ms: number): Promise<boolean>
  end(): void
}

function connect(host: string, port: number, connectMs: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, allowHalfOpen: true })
    const timer = setTimeout(() => socket.destroy(new Error('The printer does not answer.')), connectMs)
    socket.once('error', reject)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', reject)
      resolve(lineOver(socket))
    })
    socket.once('close', () => clearTimeout(timer))
  })
}

function lineOver(socket: net.Socket): Line {
  let received = ''
  let failure: Error | undefined
  let hasEnded = false
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  socket.on('data', chunk => {
    received = `${received}${chunk.toString('latin1')}`.slice(-4_096)
    tell()
  })
  socket.on('end', () => {
    hasEnded = true
    tell()
  })
  socket.on('error', error => {
    failure = error
    tell()
  })
  socket.on('close', tell)

  /** Waits until `look` has found something, or for so long. Throws when the connection breaks. */
  function wait<T>(look: () => T | undefined, ms: number): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer)
        listeners.delete(attend)
        settle()
      }
      const timer = setTimeout(() => end(() => resolve(undefined)), ms)
      const attend = () => {
        const found = look()
        if (found !== undefined) end(() => resolve(found))
        else if (failure !== undefined) end(() => reject(failure))
        else if (hasEnded || socket.destroyed)
          end(() => reject(new Error('The printer closed the connection.')))
      }
      listeners.add(attend)
      attend()
    })
  }

  function answer(ms: number): Promise<State | undefined> {
    return wait(() => {
      const found = hostStatus(received)
      if (found !== undefined) received = ''
      return found
    }, ms)
  }

  return {
    answer,
    state(ms) {
      received = ''
      socket.write(askState)
      return answer(ms)
    },
    async write(bytes, silenceMs) {
      // In pieces, so that it shows whether the printer takes any.
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        let isTaken = false
        socket.write(bytes.subarray(at, at + pieceBytes), () => {
          isTaken = true
          tell()
        })
        if (
          (await wait(() => (isTaken && failure === undefined ? true : undefined), silenceMs)) === undefined
        )
          throw new Error('The printer takes no more.')
      }
    },
    async closed(ms) {
      socket.end()
      return (await wait(() => (hasEnded && failure === undefined ? true : undefined), ms)) === true
    },
    end() {
      socket.end()
      // What a printer that hangs has not taken is left to nobody.
      setTimeout(() => socket.destroy(), lingerMs).unref()
    },
  }
}

const pieceBytes = 16_384
const lingerMs = 1_000
const [startOfText, endOfText] = ['\x02', '\x03'] as const

/**
 * The answer to ~HS in what was received: three lines, each between STX and ETX. The second field of the
 * first is 1 without paper, the third 1 in a pause; of the second line the third is 1 with the head open, the
 * fourth 1 without ribbon.
 */
function hostStatus(received: string): State | undefined {
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
