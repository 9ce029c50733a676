// Carriers tell where goods are, late and in another order than it happened, or again; and goods are proved to
// be delivered. On consignments that are closed nobody says anything any more.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { type Consignment, Status } from '../notebook/orders.ts'
import { tell } from '../notebook/tracking.ts'
import { carrierName } from '../statements/rows.ts'
import { ask, say, type World } from '../world.ts'

const statuses = [0, 2, 3, 4, 5, 7, 8, 10] as const
const hourMs = 3_600_000
/** Before which nothing of these worlds happened. */
const longAgo = Date.parse('2026-01-05T08:00:00Z')

/** Asks for something of a consignment, which is refused if it is closed. */
async function askFor(
  world: World,
  consignment: Consignment,
  method: 'post' | 'put',
  path: string,
  body: object,
) {
  const isClosed = consignment.status === Status.Closed
  const url = `/v1/consignments/${consignment.id}/${path}`
  world.way = 'once'
  const answer = await ask(world, method, url, body, {
    mayBe: isClosed ? ['wrong_status'] : [],
    mayBeSo: true,
  })
  assert.equal(answer === null, isClosed, `${path} of ${consignment.number}, which is closed`)
  return answer
}

const anyOf = ({ notebook }: World, choices: Choices): Consignment | undefined => {
  const all = Object.values(Status)
  const outwards = notebook.atHand('outwards', all)
  return choices.among(outwards.length > 0 ? outwards : notebook.consignments, ({ tag }) => tag)
}

async function track(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const consignment = anyOf(world, choices)
  if (consignment === undefined) return
  const number = choices.onceIn(4) ? null : notebook.newName('PARCEL')
  const carrier = choices.onceIn(3) ? null : carrierName
  const status = choices.onceIn(2) ? choices.of(statuses) : null
  say(world, `send ${number ?? 'a parcel'} of ${consignment.number} with ${carrier ?? 'nobody'}, ${status}`)
  const body = { carrierName: carrier, trackingNumber: number, ...(status === null ? {} : { status }) }
  const answer = await askFor(world, consignment, 'post', 'tracking', body)
  if (answer === null) return
  const { consignmentTrackingId: id } = answer
  notebook.tracking.records.push({ id, consignment, carrier, number, status: status ?? 0, events: [] })
}

async function follow(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const { records } = notebook.tracking
  const record = choices.among(records, ({ number, consignment }) => `${consignment.tag} ${number}`)
  if (record === undefined) return
  const { consignment, id } = record
  const status = choices.onceIn(4) ? null : choices.of(statuses)
  if (choices.onceIn(4)) {
    const number = notebook.newName('PARCEL')
    say(world, `the parcel ${record.number} is ${number}, ${status}`)
    const body = { trackingNumber: number, status }
    const answer = await askFor(world, consignment, 'put', `tracking/${id}`, body)
    if (answer !== null) Object.assign(record, { number, status: status ?? record.status })
    return
  }
  const details = choices.of([null, 'At the depot', 'Nobody at home'])
  const isTimed = !choices.onceIn(3)
  const at = isTimed ? longAgo + choices.below(4) * hourMs : Date.now()
  const when = isTimed ? new Date(at).toISOString() : 'now'
  say(world, `of the parcel ${record.number}: ${status} at ${when}${details === null ? '' : `, ${details}`}`)
  const time = isTimed ? { eventDateTime: when } : {}
  const body = { ...(status === null ? {} : { status }), details, ...time }
  const answer = await askFor(world, consignment, 'post', `tracking/${id}/event`, body)
  if (answer !== null) tell(record, { status: status ?? record.status, details, at, isTimed })
}

const evidence = Buffer.from('Signed for').toString('base64')

async function deliver(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const consignment = anyOf(world, choices)
  if (consignment === undefined) return
  const signatory = notebook.newName('Mere')
  const description = choices.onceIn(2) ? 'At the back door' : null
  const at = longAgo + choices.below(40) * hourMs
  const place = choices.onceIn(3) ? { latitude: -36.85, longitude: 174.76 } : null
  const file = choices.onceIn(3) ? `${signatory}.txt` : null
  say(world, `${signatory} signs for ${consignment.number} at ${new Date(at).toISOString()}`)
  const id = await askFor(world, consignment, 'post', 'pods', {
    ...{ signatoryName: signatory, description, eventUtc: new Date(at).toISOString(), ...place },
    ...(file === null
      ? {}
      : { attachmentFile: { fileName: file, contentType: 'text/plain', content: evidence } }),
  })
  if (id === null) return
  notebook.tracking.proofs.push({ id, consignment, at, signatory, description, place, file })
}

export const trackKinds: DeedKind[] = [
  { name: 'send a parcel', often: 1, perform: track },
  { name: 'follow a parcel', often: 2, perform: follow },
  { name: 'prove a delivery', often: 1, perform: deliver },
]
