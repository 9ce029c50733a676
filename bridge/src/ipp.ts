// Printers that speak the Internet Printing Protocol (RFC 8011): office printers of the last twenty years,
// and the queues of CUPS. They say what has become of a job.

import http from 'node:http'
import https from 'node:https'
import {
  type Driver,
  inWords,
  type Job,
  type Outcome,
  pause,
  type Reachability,
  type Steps,
} from './driver.ts'
import {
  type Answer,
  type Attribute,
  type Attributes,
  decode,
  encode,
  Operation,
  type Value,
} from './ipp-message.ts'

/** Times, in milliseconds; tests compress them. */
export interface IppTimes {
  /** how long an answer may take that has no document before it */
  answerMs: number
  /** between two questions about a job */
  pollMs: number
  /** how long nothing may change about a job */
  silenceMs: number
}

const times: IppTimes = { answerMs: 10_000, pollMs: 1_000, silenceMs: 600_000 }

const maxResponseBytes = 1_048_576
const stopped = 5
const JobState = { canceled: 7, aborted: 8, completed: 9 } as const
/** busy, not accepting jobs, temporary error, device error: it took no job, and may take one later */
const passing = [0x0504, 0x0505, 0x0506, 0x0507]

/** A printer at an address such as `ipp://192.168.1.20/ipp/print`. */
export function ippPrinter(
  uri: string,
  { acceptAnyCertificate = false, ...given }: Partial<IppTimes> & { acceptAnyCertificate?: boolean } = {},
): Driver {
  const { answerMs, pollMs, silenceMs } = { ...times, ...given }
  const target: Attribute = ['printer-uri', 'uri', uri]
  const user: Attribute = ['requesting-user-name', 'name', 'waybill']
  const agent = { uri, rejectUnauthorized: !acceptAnyCertificate }
  let requestId = 0

  const ask = (operation: number, attributes: readonly Attribute[], job?: readonly Attribute[]) =>
    exchange(agent, [encode(operation, ++requestId, [target, user, ...attributes], job)], answerMs)

  async function attributes(): Promise<Attributes> {
    const answer = await ask(Operation.GetPrinterAttributes, [
      ['requested-attributes', 'keyword', 'all', 'media-col-database'],
    ])
    if (answer.status >= 0x0100)
      throw new Error(`The printer refused to tell its state (${hex(answer.status)}).`)
    return groupOf(answer, 0x04)
  }

  async function jobAttributes(jobId: number): Promise<Attributes | 'unknown'> {
    const answer = await ask(Operation.GetJobAttributes, [
      ['job-id', 'integer', jobId],
      ['requested-attributes', 'keyword', 'job-state', 'job-state-reasons', 'job-impressions-completed'],
    ])
    // Not found, or gone: it has forgotten the job.
    if (answer.status === 0x0406 || answer.status === 0x0407) return 'unknown'
    if (answer.status >= 0x0100)
      throw new Error(`The printer refused to tell of the job (${hex(answer.status)}).`)
    return groupOf(answer, 0x02)
  }

  /** Follows a job that the printer has, to its end. */
  async function follow(jobId: number): Promise<Outcome> {
    let before = ''
    for (let silentSince = performance.now(); ; ) {
      try {
        const job = await jobAttributes(jobId)
        if (job === 'unknown') return doubt(`The printer has forgotten its job ${jobId}.`)
        const outcome = outcomeOf(job)
        if (outcome !== undefined) return outcome
        const now = JSON.stringify([...job])
        if (now !== before) silentSince = performance.now()
        before = now
        if (performance.now() - silentSince > silenceMs)
          return doubt(`Nothing has changed for ${minutes(silenceMs)}: the printer says ${reasonsOf(job)}.`)
      } catch (error) {
        if (performance.now() - silentSince > silenceMs)
          return doubt(`The printer has not been heard of for ${minutes(silenceMs)}: ${inWords(error)}`)
      }
      await pause(pollMs)
    }
  }

  /** What is wrong before anything is sent; the attributes that a job is sent with, where nothing is. */
  async function prepare(job: Job): Promise<Outcome | { operation: Attribute[]; job: Attribute[] }> {
    const printer = await attributes()
    const reachability = reachabilityOf(printer)
    if (!reachability.isReachable) return { kind: 'refused', message: reachability.reason }
    const fault = faultOf(printer, job)
    if (fault !== undefined) return { kind: 'failed', message: fault }
    const operation: Attribute[] = [
      ['job-name', 'name', jobNameOf(job)],
      ['ipp-attribute-fidelity', 'boolean', true],
      ['document-format', 'mimeType', formatOf(job)],
    ]
    const wanted = wantedOf(printer, job)
    const { status, groups } = await ask(Operation.ValidateJob, operation, wanted)
    if (status < 0x0100) return { operation, job: wanted }
    const unsupported = groups.filter(({ tag }) => tag === 0x05).flatMap(group => [...group.attributes])
    const named = unsupported.map(([name, values]) => `${name} ${values.join(', ')}`).join('; ')
    const message = `The printer would not take it: ${named || hex(status)}.`
    return { kind: passing.includes(status) ? 'refused' : 'failed', message }
  }

  return {
    look: () => attributes().then(reachabilityOf, error => ({ isReachable: false, reason: inWords(error) })),

    async print(job, steps: Steps) {
      const prepared = await prepare(job).catch(
        (error): Outcome => ({ kind: 'refused', message: inWords(error) }),
      )
      if ('kind' in prepared) return prepared
      await steps.sending()
      const head = encode(
        Operation.PrintJob,
        ++requestId,
        [target, user, ...prepared.operation],
        prepared.job,
      )
      let answer: Answer
      try {
        answer = await exchange(agent, [head, job.content], silenceMs)
      } catch (error) {
        return doubt(`The connection to the printer broke while it was sent: ${inWords(error)}`)
      }
      // Such an answer says that no job was made of it.
      if (answer.status >= 0x0100)
        return {
          kind: passing.includes(answer.status) ? 'refused' : 'failed',
          message: `The printer refused the job (${hex(answer.status)}).`,
        }
      const jobId = groupOf(answer, 0x02).get('job-id')?.[0]
      if (typeof jobId !== 'number') return doubt('The printer took the job and gave it no number.')
      await steps.sent(String(jobId))
      return follow(jobId)
    },

    recall: reference => follow(Number(reference)),
  }
}

const doubt = (message: string): Outcome => ({ kind: 'in doubt', message })
const hex = (status: number) => `0x${status.toString(16).padStart(4, '0')}`
const minutes = (ms: number) => `${ms / 60_000} minutes`
const groupOf = ({ groups }: Answer, tag: number): Attributes =>
  groups.find(group => group.tag === tag)?.attributes ?? new Map<string, Value[]>()

/** The words of reasons, without the ones that say nothing. */
const reasonsOf = (attributes: Attributes, name = 'job-state-reasons'): string =>
  (attributes.get(name) ?? []).filter(reason => reason !== 'none').join(', ') || 'nothing'

function reachabilityOf(printer: Attributes): Reachability {
  const said = reasonsOf(printer, 'printer-state-reasons')
  if (printer.get('printer-is-accepting-jobs')?.[0] === false)
    return { isReachable: false, reason: `It takes no jobs: ${said}.` }
  if (printer.get('printer-state')?.[0] === stopped)
    return { isReachable: false, reason: `It has stopped: ${said}.` }
  return { isReachable: true }
}

function outcomeOf(job: Attributes): Outcome | undefined {
  const reasons = reasonsOf(job)
  switch (job.get('job-state')?.[0]) {
    case JobState.completed:
      return { kind: 'printed' }
    case JobState.canceled:
      return { kind: 'failed', message: `It was cancelled at the printer: ${reasons}.` }
    case JobState.aborted:
      return { kind: 'failed', message: `The printer gave it up: ${reasons}.` }
    default:
      return undefined
  }
}

/** Printers know ZPL by no common name. */
const formatOf = ({ contentType }: Job): string =>
  contentType === 'application/zpl' ? 'application/octet-stream' : contentType

/** By its number a job can be found in the list of the printer. */
const jobNameOf = ({ name, printJobId }: Job): string => {
  let text = `${name} ${printJobId}`
  while (Buffer.byteLength(text) > 255) text = `${[...text].slice(0, -38).join('')} ${printJobId}`
  return text
}

/** What the printer says that it cannot do of this job. */
function faultOf(printer: Attributes, { media, copies, ...job }: Job): string | undefined {
  const formats = printer.get('document-format-supported')
  const format = formatOf({ ...job, media, copies })
  if (formats !== undefined && !formats.includes(format)) return `The printer does not take ${format}.`
  const supported = printer.get('media-supported')
  if (media !== null && supported !== undefined && !supported.includes(media))
    return `The printer has no ${media}.`
  const most = printer.get('copies-supported')?.[0]
  if (copies > 1 && !(isRange(most) && most.to >= copies)) return `The printer makes no ${copies} copies.`
  return undefined
}

const isRange = (value: Value | undefined): value is { from: number; to: number } =>
  typeof value === 'object' && value !== null

/** What is asked of the printer beside the document: only what it knows, for it refuses the rest. */
function wantedOf(printer: Attributes, { media, copies, orientation }: Job): Attribute[] {
  const wanted: Attribute[] = []
  if (copies > 1) wanted.push(['copies', 'integer', copies])
  if (media !== null) wanted.push(['media', 'keyword', media])
  const turned = orientation === 2 ? 4 : 3
  if (orientation !== null && printer.get('orientation-requested-supported')?.includes(turned))
    wanted.push(['orientation-requested', 'enum', turned])
  // Bars that are scaled to fit a page cannot be read.
  if (printer.get('print-scaling-supported')?.includes('none'))
    wanted.push(['print-scaling', 'keyword', 'none'])
  return wanted
}

/** Sends a message, and reads the answer. Throws where there is none within the time. */
function exchange(
  { uri, rejectUnauthorized }: { uri: string; rejectUnauthorized: boolean },
  parts: readonly Buffer[],
  silenceMs: number,
): Promise<Answer> {
  const url = new URL(uri.replace(/^ipp/, 'http'))
  if (url.port === '') url.port = '631'
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      // A connection of its own: one that was kept may be closed by the printer at this very moment.
      agent: false,
      rejectUnauthorized,
      timeout: silenceMs,
      headers: {
        'content-type': 'application/ipp',
        'content-length': parts.reduce((sum, part) => sum + part.length, 0),
      },
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('The printer does not answer.')))
    outgoing.on('error', reject)
    outgoing.on('response', response => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length > maxResponseBytes) response.destroy(new Error('The answer of the printer is too long.'))
      })
      response.on('end', () => {
        try {
          if (response.statusCode !== 200)
            throw new Error(`The printer answered HTTP ${response.statusCode}.`)
          resolve(decode(Buffer.concat(chunks)))
        } catch (error) {
          reject(error)
        }
      })
    })
    for (const part of parts) outgoing.write(part)
    outgoing.end()
  })
}
