// The driver for printers with the Internet Printing Protocol (RFC 8011): office printers of the last twenty
// years, and CUPS queues. They report the outcome of a job.

import http from 'node:http'
import https from 'node:https'
import {
  type DeliverySteps,
  type Driver,
  type Job,
  messageOf,
  type Outcome,
  pause,
  type Reachability,
} from './driver.ts'
import {
  type Attribute,
  type Attributes,
  decode,
  encode,
  type IppResponse,
  Operation,
  type Value,
} from './ipp-message.ts'

/** Timings in milliseconds. */
export interface IppTimings {
  /** the timeout of a request without a document */
  answerMs: number
  /** the interval between queries for the state of a job */
  pollMs: number
  /** the maximum time without a change of a job */
  silenceMs: number
}

const defaultTimings: IppTimings = { answerMs: 10_000, pollMs: 1_000, silenceMs: 600_000 }

const maxResponseBytes = 1_048_576
const stopped = 5
const JobState = { canceled: 7, aborted: 8, completed: 9 } as const
/** busy, not accepting jobs, temporary error, device error: the job was not accepted, but may be later */
const transientStatuses = [0x0504, 0x0505, 0x0506, 0x0507]

/** Creates the driver of a printer at an address such as `ipp://192.168.1.20/ipp/print`. */
export function ippPrinter(
  uri: string,
  { acceptAnyCertificate = false, ...given }: Partial<IppTimings> & { acceptAnyCertificate?: boolean } = {},
): Driver {
  const { answerMs, pollMs, silenceMs } = { ...defaultTimings, ...given }
  const target: Attribute = ['printer-uri', 'uri', uri]
  const user: Attribute = ['requesting-user-name', 'name', 'waybill']
  const endpoint = { uri, rejectUnauthorized: !acceptAnyCertificate }
  let requestId = 0

  const send = (operation: number, attributes: readonly Attribute[], job?: readonly Attribute[]) =>
    exchange(endpoint, [encode(operation, ++requestId, [target, user, ...attributes], job)], answerMs)

  async function printerAttributes(): Promise<Attributes> {
    const response = await send(Operation.GetPrinterAttributes, [
      ['requested-attributes', 'keyword', 'all', 'media-col-database'],
    ])
    if (response.status >= 0x0100)
      throw new Error(`The printer refused to report its state (${hex(response.status)}).`)
    return groupOf(response, 0x04)
  }

  async function jobAttributes(jobId: number): Promise<Attributes | 'unknown'> {
    const response = await send(Operation.GetJobAttributes, [
      ['job-id', 'integer', jobId],
      ['requested-attributes', 'keyword', 'job-state', 'job-state-reasons', 'job-impressions-completed'],
    ])
    // client-error-not-found or client-error-gone: the printer has forgotten the job.
    if (response.status === 0x0406 || response.status === 0x0407) return 'unknown'
    if (response.status >= 0x0100)
      throw new Error(`The printer refused to report on the job (${hex(response.status)}).`)
    return groupOf(response, 0x02)
  }

  /** Polls the state of a job until it has ended. */
  async function follow(jobId: number): Promise<Outcome> {
    let previous = ''
    for (let silentSince = performance.now(); ; ) {
      try {
        const job = await jobAttributes(jobId)
        if (job === 'unknown') return inDoubt(`The printer has forgotten its job ${jobId}.`)
        const outcome = outcomeOf(job)
        if (outcome !== undefined) return outcome
        const current = JSON.stringify([...job])
        if (current !== previous) silentSince = performance.now()
        previous = current
        if (performance.now() - silentSince > silenceMs)
          return inDoubt(`Nothing has changed for ${minutes(silenceMs)}: the printer says ${reasonsOf(job)}.`)
      } catch (error) {
        if (performance.now() - silentSince > silenceMs)
          return inDoubt(`The printer has not been heard of for ${minutes(silenceMs)}: ${messageOf(error)}`)
      }
      await pause(pollMs)
    }
  }

  /**
   * Checks whether the printer would accept a job. Returns the attributes to send with it, or the refusal.
   */
  async function prepare(job: Job): Promise<Outcome | { operation: Attribute[]; job: Attribute[] }> {
    const printer = await printerAttributes()
    const reachability = reachabilityOf(printer)
    if (!reachability.isReachable) return { kind: 'refused', message: reachability.reason }
    const fault = faultOf(printer, job)
    if (fault !== undefined) return { kind: 'failed', message: fault }
    const operation: Attribute[] = [
      ['job-name', 'name', jobNameOf(job)],
      ['ipp-attribute-fidelity', 'boolean', true],
      ['document-format', 'mimeType', formatOf(job)],
    ]
    const attributes = jobAttributesOf(printer, job)
    const { status, groups } = await send(Operation.ValidateJob, operation, attributes)
    if (status < 0x0100) return { operation, job: attributes }
    const unsupported = groups.filter(({ tag }) => tag === 0x05).flatMap(group => [...group.attributes])
    const details = unsupported.map(([name, values]) => `${name} ${values.join(', ')}`).join('; ')
    const message = `The printer would not take it: ${details || hex(status)}.`
    return { kind: transientStatuses.includes(status) ? 'refused' : 'failed', message }
  }

  return {
    probe: () =>
      printerAttributes().then(reachabilityOf, error => ({ isReachable: false, reason: messageOf(error) })),

    async print(job, steps: DeliverySteps) {
      const prepared = await prepare(job).catch(
        (error): Outcome => ({ kind: 'refused', message: messageOf(error) }),
      )
      if ('kind' in prepared) return prepared
      await steps.beginSending()
      const head = encode(
        Operation.PrintJob,
        ++requestId,
        [target, user, ...prepared.operation],
        prepared.job,
      )
      let response: IppResponse
      try {
        response = await exchange(endpoint, [head, job.content], silenceMs)
      } catch (error) {
        return inDoubt(`The connection to the printer broke while it was sent: ${messageOf(error)}`)
      }
      // An error status means that the printer has not created a job.
      if (response.status >= 0x0100)
        return {
          kind: transientStatuses.includes(response.status) ? 'refused' : 'failed',
          message: `The printer refused the job (${hex(response.status)}).`,
        }
      const jobId = groupOf(response, 0x02).get('job-id')?.[0]
      if (typeof jobId !== 'number') return inDoubt('The printer took the job and gave it no number.')
      await steps.finishSending(String(jobId))
      return follow(jobId)
    },

    findOutcome: reference => follow(Number(reference)),
  }
}

const inDoubt = (message: string): Outcome => ({ kind: 'in doubt', message })
const hex = (status: number) => `0x${status.toString(16).padStart(4, '0')}`
const minutes = (ms: number) => `${ms / 60_000} minutes`
const groupOf = ({ groups }: IppResponse, tag: number): Attributes =>
  groups.find(group => group.tag === tag)?.attributes ?? new Map<string, Value[]>()

/** Returns the state reasons as text, without `none`. */
const reasonsOf = (attributes: Attributes, name = 'job-state-reasons'): string =>
  (attributes.get(name) ?? []).filter(reason => reason !== 'none').join(', ') || 'nothing'

function reachabilityOf(printer: Attributes): Reachability {
  const reasons = reasonsOf(printer, 'printer-state-reasons')
  if (printer.get('printer-is-accepting-jobs')?.[0] === false)
    return { isReachable: false, reason: `It is not accepting jobs: ${reasons}.` }
  if (printer.get('printer-state')?.[0] === stopped)
    return { isReachable: false, reason: `It has stopped: ${reasons}.` }
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

/** ZPL has no common MIME type among printers. */
const formatOf = ({ contentType }: Job): string =>
  contentType === 'application/zpl' ? 'application/octet-stream' : contentType

/** Returns a job name of at most 255 bytes. Its id lets people find the job in the printer's list. */
const jobNameOf = ({ name, printJobId }: Job): string => {
  let text = `${name} ${printJobId}`
  while (Buffer.byteLength(text) > 255) text = `${[...text].slice(0, -38).join('')} ${printJobId}`
  return text
}

/** Returns a reason why the printer does not support the job, if there is one. */
function faultOf(printer: Attributes, { media, copies, ...job }: Job): string | undefined {
  const formats = printer.get('document-format-supported')
  const format = formatOf({ ...job, media, copies })
  if (formats !== undefined && !formats.includes(format)) return `The printer does not take ${format}.`
  const supported = printer.get('media-supported')
  if (media !== null && supported !== undefined && !supported.includes(media))
    return `The printer has no ${media}.`
  const supportedCopies = printer.get('copies-supported')?.[0]
  if (copies > 1 && !(isRange(supportedCopies) && supportedCopies.to >= copies))
    return `The printer cannot make ${copies} copies.`
  return undefined
}

const isRange = (value: Value | undefined): value is { from: number; to: number } =>
  typeof value === 'object' && value !== null

/** Returns the job attributes: only supported ones, because the printer refuses a job with any other. */
function jobAttributesOf(printer: Attributes, { media, copies, orientation }: Job): Attribute[] {
  const attributes: Attribute[] = []
  if (copies > 1) attributes.push(['copies', 'integer', copies])
  if (media !== null) attributes.push(['media', 'keyword', media])
  const requested = orientation === 2 ? 4 : 3
  if (orientation !== null && printer.get('orientation-requested-supported')?.includes(requested))
    attributes.push(['orientation-requested', 'enum', requested])
  // Barcodes that are scaled to fit the page may become unreadable.
  if (printer.get('print-scaling-supported')?.includes('none'))
    attributes.push(['print-scaling', 'keyword', 'none'])
  return attributes
}

/** Sends a message and reads the response. Throws if the connection is silent for `silenceMs`. */
function exchange(
  { uri, rejectUnauthorized }: { uri: string; rejectUnauthorized: boolean },
  parts: readonly Buffer[],
  silenceMs: number,
): Promise<IppResponse> {
  const url = new URL(uri.replace(/^ipp/, 'http'))
  if (url.port === '') url.port = '631'
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      // A new connection each time, because the printer might just be closing a kept-alive one.
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
        if (length > maxResponseBytes) response.destroy(new Error('The response of the printer is too long.'))
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
