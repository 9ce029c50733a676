// Where goods are by what was told last, all that was told of them, and the proofs that they were delivered.

import assert from 'node:assert/strict'
import type { Consignment } from '../notebook/orders.ts'
import type { Proof, TrackingEvent, TrackingRecord } from '../notebook/tracking.ts'
import { ask, untilNotBusy, type World } from '../world.ts'
import { readEvents } from './events.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

const integrationName = 'Test app'
const unsaid = { trackingUrl: null, integrationName }

export async function tracking(world: World): Promise<void> {
  const { consignments, tracking } = world.notebook
  const about = consignments.filter(
    one => tracking.recordsOf(one).length > 0 || tracking.proofsOf(one).length > 0,
  )
  const raised = about.length === 0 ? [] : await readEvents(world)
  for (const consignment of about) {
    await compareRecords(world, consignment)
    await compareProofs(world, consignment)
    const own = raised.filter(({ data }) => data.consignmentId === consignment.id)
    const proved = own.filter(({ type }) => type === 'consignment.pod.created')
    const what = `the events of ${consignment.number}, of its deliveries`
    sameText(proved.length, tracking.proofsOf(consignment).length, what)
  }
}

const factsOf = ({ id, carrier, number, status }: TrackingRecord) => ({
  ...{ id, carrierName: carrier, status, trackingNumber: number, ...unsaid },
})
const plain = ({ createdUtc: _, modifiedUtc: __, lastUpdatedDate: ___, ...row }: Row): Row => row

async function compareRecords(world: World, consignment: Consignment): Promise<void> {
  const { notebook } = world
  const own = notebook.tracking.recordsOf(consignment)
  const path = `/v1/consignments/${consignment.id}/tracking`
  const what = `the parcels of ${consignment.number}`
  const detail = await ask(world, 'get', `/v1/consignments/${consignment.id}`)
  const { consignmentTracking: told, total } = await ask(world, 'get', `${path}?PageSize=500`)
  sameText([told.map(plain), total], [own.map(factsOf), own.length], what)
  sameText(detail.consignmentTracking.map(plain), own.map(factsOf), `${what} in its detail`)
  for (const record of own) {
    const { trackingEvents, ...row } = await ask(world, 'get', `${path}/${record.id}`)
    sameText(plain(row), factsOf(record), `${what}, ${record.number}`)
    const known = record.events.toSorted((a, b) => a.at - b.at)
    const facts = trackingEvents.map(({ status, details }: Row) => ({ status, details }))
    sameText(
      facts,
      known.map(({ status, details }) => ({ status, details })),
      `${what}, what was told of ${record.number}`,
    )
    for (const [i, event] of known.entries()) sameTime(trackingEvents[i].eventDateTime, event, what)
  }
  const [latest] = own.filter(({ number }) => number !== null).slice(-1)
  if (latest === undefined) return
  const text = latest.number as string
  const found = await ask(world, 'get', `${path}?SearchText=${text.toLowerCase()}`)
  sameText(
    found.consignmentTracking.map(({ id }: Row) => id),
    own.filter(({ number }) => number?.includes(text)).map(({ id }) => id),
    `${what} that are ${text}`,
  )
}

/** What was told without a time happened when the service heard of it. */
function sameTime(told: string, { at, isTimed }: TrackingEvent, what: string): void {
  const difference = Date.parse(told) - at
  assert.ok(
    difference >= 0 && difference < (isTimed ? 1 : 60_000),
    `${what}, ${told} is not ${new Date(at).toISOString()}`,
  )
}

const factsOfProof = ({ id, at, signatory, description, place }: Proof) => ({
  ...{ id, eventUtc: new Date(at).toISOString(), deliveredByName: null, vehicleName: null },
  ...{ signatoryName: signatory, signatureDescription: description, externalUrl: null },
  ...{ latitude: place?.latitude ?? null, longitude: place?.longitude ?? null },
})

async function compareProofs(world: World, consignment: Consignment): Promise<void> {
  const own = world.notebook.tracking.proofsOf(consignment)
  const what = `the proofs that ${consignment.number} was delivered`
  const { pods } = await ask(world, 'get', `/v1/consignments/${consignment.id}`)
  sameText(
    pods.map(({ id, signatoryName, eventUtc }: Row) => [id, signatoryName, eventUtc]).toSorted(),
    own.map(({ id, signatory, at }) => [id, signatory, new Date(at).toISOString()]).toSorted(),
    what,
  )
  for (const proof of own) {
    const path = `/v1/consignments/${consignment.id}/pods/${proof.id}`
    sameText(await ask(world, 'get', path), factsOfProof(proof), `${what}, ${proof.signatory}`)
    const { status, bytes } = await untilNotBusy(() => world.caller.get(`${path}/attachment-file`))
    sameText(status, proof.file === null ? 404 : 200, `${what}, whether ${proof.signatory} left a file`)
    if (proof.file !== null)
      sameText(Buffer.from(bytes).toString('utf8'), 'Signed for', `${what}, the file of ${proof.signatory}`)
  }
}
