// What a rehearsed act does to records, from the events that it raised: moves between statuses, jobs,
// schedules, imports and changed fields. Pure.

import type { Effect } from '../platform/http/rehearsal.ts'
import { ScheduleStatus } from '../vocabulary/billing.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { EventType } from '../vocabulary/events.ts'
import { inWords, nameInWords } from '../vocabulary/in-words.ts'
import { JobStatus } from '../vocabulary/jobs.ts'
import { type Note, type NotedEvent, notesAbout } from './notes.ts'
import { count, listOf } from './words.ts'

/** A kind of record whose events tell of a new status. */
interface StatusRecord {
  type: EventType
  kind: 'status' | 'job' | 'schedule'
  noun: string
  statuses: Readonly<Record<string, number>>
  /** the field of the event's data with its number */
  numberField: string
}

const statusRecords: readonly StatusRecord[] = [
  {
    ...{ type: EventType.ConsignmentStatusUpdated, kind: 'status', noun: 'consignment' },
    ...{ statuses: ConsignmentStatus, numberField: 'consignmentNumber' },
  },
  {
    ...{ type: EventType.JobStatusUpdated, kind: 'job', noun: 'job' },
    ...{ statuses: JobStatus, numberField: 'jobNumber' },
  },
  {
    ...{ type: EventType.PartnerScheduleStatusUpdated, kind: 'schedule', noun: 'schedule' },
    ...{ statuses: ScheduleStatus, numberField: 'partnerScheduleId' },
  },
]

/** The effects on records. What is in `subjects`, the records of the request's path, is not named again. */
export function recordEffects(notes: readonly Note[], subjects: ReadonlySet<string>): Effect[] {
  const events = notesAbout(notes, 'events').flatMap(note => note.events)
  return [
    ...statusRecords.flatMap(record =>
      moveEffects(
        record,
        events.filter(({ type }) => type === record.type),
        subjects,
      ),
    ),
    ...notesAbout(notes, 'status').map(({ id, from, to }) => ({
      kind: 'status',
      text: `move from ${nameInWords(from)} to ${nameInWords(to)}`,
      data: { id, from, to },
    })),
    ...jobEffects(events),
    ...importEffects(events),
    ...lineEffects(events),
    ...changeEffects(events),
    ...printEffects(notes),
  ]
}

/** Papers, by the printer that they go to. */
function printEffects(notes: readonly Note[]): Effect[] {
  const byPrinter = Map.groupBy(notesAbout(notes, 'printing'), ({ printerId }) => printerId)
  return [...byPrinter].map(([printerId, papers]) => ({
    kind: 'print',
    text: `print ${count(papers.length, 'paper')} on ${papers[0]?.printerName}`,
    data: { printerId, count: papers.length },
  }))
}

/** Of many moves that are alike, so many are named. */
const maxIds = 1_000

function moveEffects(
  { kind, noun, statuses, numberField }: StatusRecord,
  events: readonly NotedEvent[],
  subjects: ReadonlySet<string>,
): Effect[] {
  const moves = events.flatMap(({ subjectId, data, changes }) => {
    const change = changes.find(({ field }) => field === 'status')
    return change === undefined ? [] : [{ subjectId, number: String(data[numberField]), ...change }]
  })
  return [...Map.groupBy(moves, ({ from, to }) => `${from} ${to}`).values()].map(alike => {
    const [{ from, to, subjectId, number }] = alike as [(typeof alike)[number]]
    const one = subjects.has(subjectId) ? '' : `${noun} ${number} `
    const what = alike.length === 1 ? one : `${count(alike.length, noun)} `
    return {
      kind,
      text: `move ${what}from ${inWords(statuses, from)} to ${inWords(statuses, to)}`,
      data: { from, to, [`${noun}Ids`]: alike.slice(0, maxIds).map(move => move.subjectId) },
    }
  })
}

function jobEffects(events: readonly NotedEvent[]): Effect[] {
  return events.flatMap(({ type, subjectId, data, changes }): Effect[] => {
    const job = (text: string, more = {}): Effect[] => [
      { kind: 'job', text, data: { jobId: subjectId, jobNumber: data.jobNumber, ...more } },
    ]
    if (type === EventType.JobCreated) return job('create a job')
    if (type !== EventType.JobUpdated) return []
    const members = changes.find(({ field }) => field === 'consignments')
    if (members === undefined) return job(`change job ${data.jobNumber}`)
    const [from, to] = [members.from as string[], members.to as string[]]
    const consignmentNumbers = to.length > 0 ? to : from
    const what = count(consignmentNumbers.length, 'consignment')
    return job(
      to.length > 0 ? `add ${what} to job ${data.jobNumber}` : `remove ${what} from job ${data.jobNumber}`,
      { consignmentNumbers },
    )
  })
}

function importEffects(events: readonly NotedEvent[]): Effect[] {
  const ofType = (wanted: EventType) => events.filter(({ type }) => type === wanted)
  const tell = (found: readonly NotedEvent[], text: (n: string) => string): Effect[] =>
    found.length === 0
      ? []
      : [
          {
            kind: 'import',
            text: text(count(found.length, 'consignment')),
            data: { count: found.length },
          },
        ]
  return tell(ofType(EventType.ConsignmentCreated), n => `create ${n}`)
}

/** A line of a consignment, as far as an event tells that it changed. */
type Line = { productCode?: string; expectedQuantity?: number } | null

/** Lines that are added, corrected and removed. Others change with their stock, which is told there. */
function lineEffects(events: readonly NotedEvent[]): Effect[] {
  const changes = events
    .filter(({ type }) => type === EventType.ConsignmentProductsUpdated)
    .flatMap(event => event.changes)
    .map(({ from, to }) => ({ from: from as Line, to: to as Line }))
    .filter(({ from, to }) => (to ?? from)?.productCode !== undefined)
  const tell = (verb: string, found: typeof changes): Effect[] => {
    if (found.length === 0) return []
    const productCodes = found.map(({ from, to }) => (to ?? from)?.productCode ?? '')
    const one = verb === 'add' ? 'a line' : 'the line'
    const lines = found.length === 1 ? one : count(found.length, 'line')
    const [quantity, ...others] = found.map(({ from, to }) => [from?.expectedQuantity, to?.expectedQuantity])
    const isCorrected = others.length === 0 && quantity?.every(value => value !== undefined)
    const correction = isCorrected ? ` from ${quantity?.join(' to ')}` : ''
    const text = `${verb} ${lines} of ${listOf([...new Set(productCodes)])}${correction}`
    return [
      { kind: 'event', text, data: { lines: found.length, productCodes: productCodes.slice(0, maxIds) } },
    ]
  }
  return [
    ...tell(
      'add',
      changes.filter(({ from }) => from === null),
    ),
    ...tell(
      'change',
      changes.filter(({ from, to }) => from !== null && to !== null),
    ),
    ...tell(
      'remove',
      changes.filter(({ to }) => to === null),
    ),
  ]
}

/** What changed besides statuses, by type of event. Lines change with their stock, which is told there. */
const changedParts: Partial<Record<EventType, string>> = {
  [EventType.ConsignmentRouteUpdated]: 'the route',
  [EventType.ConsignmentContainerUpdated]: 'the container',
  [EventType.PartnerScheduleGeneralUpdated]: 'the schedule',
}

const inLowerCase = (field: string) => nameInWords(field).toLowerCase()

function changeEffects(events: readonly NotedEvent[]): Effect[] {
  const removed = events.filter(({ type }) => type === EventType.PartnerScheduleRemoved)
  const general = events.filter(({ type }) => type === EventType.ConsignmentGeneralUpdated)
  const fields = new Set(general.flatMap(({ changes }) => changes.map(({ field }) => field)))
  const of = (n: number) => (n > 1 ? ` of ${count(n, 'consignment')}` : '')
  return [
    ...removed.map(({ subjectId }) => ({
      kind: 'schedule',
      text: 'remove the schedule',
      data: { scheduleId: subjectId },
    })),
    ...(fields.size > 0
      ? [
          {
            kind: 'event',
            text: `change ${listOf([...fields].map(inLowerCase))}${of(general.length)}`,
            data: { fields: [...fields], count: general.length },
          },
        ]
      : []),
    ...[...Map.groupBy(events, ({ type }) => type)].flatMap(([type, ofType]) =>
      changedParts[type] === undefined
        ? []
        : [
            {
              kind: 'event',
              text: `change ${changedParts[type]}${of(ofType.length)}`,
              data: { count: ofType.length },
            },
          ],
    ),
  ]
}
