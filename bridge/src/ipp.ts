// The driver for printers with the Internet Printing Protocol (RFC 8011): office printers of the last twenty
// years, and CUPS queues. They report the outcome of a job.

import http from 'node:http'
import https from 'node:https'
import {
  type DeliveryOutcome,
  type DeliverySteps,
  type Driver,
  type Job,
  messageOf,
  pause,
  type Reachability,
} from './driver.ts'
import {
  type Attribute,
  type Attributes,
  decode,
  encode,
  groupTags,
  type IppResponse,
  Operation,
  type Value,
} from './ipp-message.ts'

/** Timings in milliseconds. */
export interface IppTimings {
  /** of a request without a document */
  responseTimeoutMs: number
  /** the interval between queries for the state of a job */
  pollMs: number
  /** the maximum time without a change of a job */
  stallTimeoutMs: number
}

const defaultTimings: IppTimings = { responseTimeoutMs: 10_000, pollMs: 1_000, stallTimeoutMs: 600_000 }

const maxResponseBytes = 1_048_576
const stoppedState = 5
const JobState = { canceled: 7, aborted: 8, completed: 9 } as const
/** busy, not accepting jobs, temporary error, device error: the job was not accepted, but may be later */
const transientStatuses = [0x0504, 0x0505, 0x0506, 0x0507]
/** not found, gone: the printer no longer knows the job */
const unknownJobStatuses = [0x0406, 0x0407]

/** A printer, and the number of the last request to it. */
interface IppTarget extends IppTimings {
  readonly uri: string
  readonly rejectUnauthorized: boolean
  lastRequestId: number
}

/** Creates the driver of a printer at an address such as `ipp://192.168.1.20/ipp/print`. */
export function ippPrinter(
  uri: string,
  { acceptAnyCertificate = false, ...timings }: Partial<IppTimings> & { acceptAnyCertificate?: boolean } = {},
): Driver {
  const target: IppTarget = {
    ...{ ...defaultTimings, ...timings },
    ...{ uri, rejectUnauthorized: !acceptAnyCertificate, lastRequestId: 0 },
  }
  return {
    probe: () =>
      readPrinterAttributes(target).then(reachabilityOf, error => ({
        isReachable: false,
        reason: messageOf(error),
      })),
    print: (job, steps) => printJob(target, job, steps),
    findOutcome: reference => awaitOutcome(target, Number(reference)),
  }
}

/** Encodes a request to a printer. A document, if any, follows these bytes. */
const encodeRequest = (
  target: IppTarget,
  operation: number,
  attributes: readonly Attribute[],
  job?: readonly Attribute[],
): Buffer =>
  encode(
    operation,
    ++target.lastRequestId,
    [['printer-uri', 'uri', target.uri], ['requesting-user-name', 'name', 'waybill'], ...attributes],
    job,
  )

/** Sends a request without a document. */
const request = (
  target: IppTarget,
  operation: number,
  attributes: readonly Attribute[],
  job?: readonly Attribute[],
): Promise<IppResponse> =>
  exchange(target, [encodeRequest(target, operation, attributes, job)], target.responseTimeoutMs)

async function readPrinterAttributes(target: IppTarget): Promise<Attributes> {
  const response = await request(target, Operation.GetPrinterAttributes, [
    ['requested-attributes', 'keyword', 'all', 'media-col-database'],
  ])
  if (response.status >= 0x0100)
    throw new Error(`The printer refused to report its state (${hex(response.status)}).`)
  return attributesOf(response, groupTags.printer)
}

/** Reads the state of a job; undefined if the printer no longer knows it. */
async function readJobAttributes(target: IppTarget, jobId: number): Promise<Attributes | undefined> {
  const response = await request(target, Operation.GetJobAttributes, [
    ['job-id', 'integer', jobId],
    ['requested-attributes', 'keyword', 'job-state', 'job-state-reasons', 'job-impressions-completed'],
  ])
  if (unknownJobStatuses.includes(response.status)) return undefined
  if (response.status >= 0x0100)
    throw new Error(`The printer refused to report on the job (${hex(response.status)}).`)
  return attributesOf(response, groupTags.job)
}

/** Polls the state of a job until it has ended. */
async function awaitOutcome(target: IppTarget, jobId: number): Promise<DeliveryOutcome> {
  const { pollMs, stallTimeoutMs } = target
  let previous = ''
  for (let changedAt = performance.now(); ; ) {
    const hasStalled = () => performance.now() - changedAt > stallTimeoutMs
    try {
      const job = await readJobAttributes(target, jobId)
      if (job === undefined) return inDoubt(`The printer no longer knows its job ${jobId}.`)
      const outcome = outcomeOf(job)
      if (outcome !== undefined) return outcome
      const current = JSON.stringify([...job])
      if (current !== previous) changedAt = performance.now()
      previous = current
      if (hasStalled())
        return inDoubt(
          `Nothing has changed for ${minutes(stallTimeoutMs)}: the printer says ${reasonsOf(job)}.`,
        )
    } catch (error) {
      if (hasStalled())
        return inDoubt(`The printer has not responded for ${minutes(stallTimeoutMs)}: ${messageOf(error)}`)
    }
    await pause(pollMs)
  }
}

/** The attributes with which a printer accepts a job. */
interface AcceptedAttributes {
  operation: Attribute[]
  job: Attribute[]
}

/** Asks a printer whether it would accept a job. Returns the attributes to send with it, or the refusal. */
async function validateJob(target: IppTarget, job: Job): Promise<DeliveryOutcome | AcceptedAttributes> {
  const printer = await readPrinterAttributes(target)
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
  const { status, groups } = await request(target, Operation.ValidateJob, operation, attributes)
  if (status < 0x0100) return { operation, job: attributes }
  const unsupported = groups
    .filter(({ tag }) => tag === groupTags.unsupported)
    .flatMap(group => [...group.attributes])
  const details = unsupported.map(([name, values]) => `${name} ${values.join(', ')}`).join('; ')
  return refusal(status, `The printer would not accept it: ${details || hex(status)}.`)
}

async function printJob(target: IppTarget, job: Job, steps: DeliverySteps): Promise<DeliveryOutcome> {
  const accepted = await validateJob(target, job).catch(
    (error): DeliveryOutcome => ({ kind: 'refused', message: messageOf(error) }),
  )
  if ('kind' in accepted) return accepted
  await steps.beginSending()
  const message = encodeRequest(target, Operation.PrintJob, accepted.operation, accepted.job)
  let response: IppResponse
  try {
    response = await exchange(target, [message, job.content], target.stallTimeoutMs)
  } catch (error) {
    return inDoubt(`The connection to the printer broke while it was sent: ${messageOf(error)}`)
  }
  // An error status means that the printer has not created a job.
  if (response.status >= 0x0100)
    return refusal(response.status, `The printer refused the job (${hex(response.status)}).`)
  const jobId = attributesOf(response, groupTags.job).get('job-id')?.[0]
  if (typeof jobId !== 'number') return inDoubt('The printer accepted the job and gave it no number.')
  await steps.finishSending(String(jobId))
  return awaitOutcome(target, jobId)
}

const refusal = (status: number, message: string): DeliveryOutcome => ({
  kind: transientStatuses.includes(status) ? 'refused' : 'failed',
  message,
})
const inDoubt = (message: string): DeliveryOutcome => ({ kind: 'in doubt', message })
const hex = (status: number) => `0x${status.toString(16).padStart(4, '0')}`
const minutes = (ms: number) => `${ms / 60_000} minutes`
const attributesOf = ({ groups }: IppResponse, tag: number): Attributes =>
  groups.find(group => group.tag === tag)?.attributes ?? new Map<string, Value[]>()

/** Returns the state reasons as text, without `none`. */
const reasonsOf = (attributes: Attributes, name = 'job-state-reasons'): string =>
  (attributes.get(name) ?? []).filter(reason => reason !== 'none').join(', ') || 'nothing'

function reachabilityOf(printer: Attributes): Reachability {
  const reasons = reasonsOf(printer, 'printer-state-reasons')
  if (printer.get('printer-is-accepting-jobs')?.[0] === false)
    return { isReachable: false, reason: `It is not accepting jobs: ${reasons}.` }
  if (printer.get('printer-state')?.[0] === stoppedState)
    return { isReachable: false, reason: `It has stopped: ${reasons}.` }
  return { isReachable: true }
}

function outcomeOf(job: Attributes): DeliveryOutcome | undefined {
  const reasons = reasonsOf(job)
  switch (job.get('job-state')?.[0]) {
    case JobState.completed:
      return { kind: 'printed' }
    case JobState.canceled:
      return { kind: 'failed', message: `It was cancelled at the printer: ${reasons}.` }
    case JobState.aborted:
      return { kind: 'failed', message: `The printer aborted it: ${reasons}.` }
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
  if (formats !== undefined && !formats.includes(format)) return `The printer does not accept ${format}.`
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

/** Sends a message and reads the response. Throws if nothing arrives for `timeoutMs`. */
function exchange(
  { uri, rejectUnauthorized }: { uri: string; rejectUnauthorized: boolean },
  parts: readonly Buffer[],
  timeoutMs: number,
): Promise<IppResponse> {
  const url = new URL(uri.replace(/^ipp/, 'http'))
  if (url.port === '') url.port = '631'
  const { request: open } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const outgoing = open(url, {
      method: 'POST',
      // A new connection each time, because the printer might just be closing a kept-alive one.
      agent: false,
      rejectUnauthorized,
      timeout: timeoutMs,
      headers: {
        'content-type': 'application/ipp',
        'content-length': parts.reduce((sum, part) => sum + part.length, 0),
      },
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('The printer does not respond.')))
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
