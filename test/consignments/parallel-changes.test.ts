// Parallel changes of one consignment: none is lost, readers see whole sets, and no-ops are reported as such.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { openSubRecords } from '../support/given-sub-records.ts'
import type { ApiResponse } from '../support/harness.ts'
import { untilServed } from '../support/until-served.ts'

const { world, consignment, eventsOf, types, made } = await openSubRecords()
const { admin, database } = world

const count = (answers: ApiResponse[], status: number) =>
  answers.filter(answer => answer.status === status).length
const inParallel = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)))

/**
 * A request and its response with their times, which are numbers of one counter, so that "ended before the
 * other began" is certain. `began` is the time of the attempt that was served.
 */
interface Recorded {
  began: number
  ended: number
  answer: ApiResponse
}

/** The entries of a consignment by type id. */
type State = Record<string, number>

interface Entry {
  consumableTypeId: string
  value: number
}

const stateOf = (entries: Entry[]): State =>
  Object.fromEntries(
    entries.map(({ consumableTypeId, value }) => [consumableTypeId, value] as const).toSorted(),
  )

/**
 * The states that result from the changes of the events, starting with an empty one, each with the request
 * that led to it. Fails if a change does not start from the state before.
 */
async function statesOf(path: string): Promise<{ state: State; requestId: string | null }[]> {
  const events = await database.db.rows<{
    requestId: string
    changes: { from: Entry | null; to: Entry | null }[]
  }>(sql`
    select request_id, changes from event where subject_id = ${path.split('/')[3]} and type = 107
      order by id`)
  let state: State = {}
  const states: { state: State; requestId: string | null }[] = [{ state, requestId: null }]
  for (const { requestId, changes } of events) {
    const next = { ...state }
    for (const { from, to } of changes) {
      const id = (to ?? from)?.consumableTypeId as string
      assert.equal(next[id], from?.value, 'a change starts from the state before')
      if (to === null) delete next[id]
      else next[id] = to.value
    }
    state = Object.fromEntries(Object.entries(next).toSorted())
    states.push({ state, requestId })
  }
  return states
}

test('parallel replacements and additions have one serial order that explains every response and every read', async () => {
  const path = `${await consignment()}/consumables`
  const inSet = await inParallel(5, i => made('/v1/consumable-types', { name: `Of the set ${i}` }))
  let clock = 0
  const recorded = async (ask: () => Promise<ApiResponse>): Promise<Recorded> => {
    let began = clock
    const answer = await untilServed(() => {
      began = clock++
      return ask()
    })
    return { began, ended: clock++, answer }
  }
  // Every state has values that no other has.
  const replacing = inParallel(30, i =>
    recorded(() =>
      admin.put(path, { consumables: inSet.map(consumableTypeId => ({ consumableTypeId, value: i + 1 })) }),
    ),
  )
  const adding = inParallel(30, i =>
    recorded(() => admin.post(`${path}/${[types.film, types.strap][i % 2]}`, { value: 100 + i })),
  )
  const reading = inParallel(10, async () => {
    const reads: Recorded[] = []
    for (let i = 0; i < 12; i++) reads.push(await recorded(() => admin.get(path)))
    return reads
  })
  const writes = [...(await replacing), ...(await adding)]
  const reads = [...(await reading).flat(), await recorded(() => admin.get(path))]

  const states = await statesOf(path)
  const placeOf = new Map(states.map(({ requestId }, place) => [requestId, place]))
  const placed = writes.map(write => ({
    ...write,
    place: placeOf.get(String(write.answer.headers['x-request-id'])) as number,
  }))
  for (const { answer, place } of placed) {
    assert.equal(answer.status, 200)
    assert.ok(place > 0, 'every change with a response took effect and raised an event')
  }
  assert.equal(states.length, 61)
  for (const { began, ended, place } of placed) {
    for (const other of placed)
      if (other.ended < began) assert.ok(other.place < place, 'what ended before another began comes first')
    assert.ok(began < ended)
  }
  for (const { began, ended, answer } of reads) {
    const seen = stateOf(answer.body.consumables)
    const values = new Set(inSet.map(id => seen[id]))
    assert.equal(values.size, 1, 'the set is complete')
    const place = states.findIndex(({ state }) => JSON.stringify(state) === JSON.stringify(seen))
    assert.notEqual(place, -1, `a state that never existed: ${JSON.stringify(seen)}`)
    const earliest = Math.max(0, ...placed.filter(write => write.ended < began).map(write => write.place))
    const latest = Math.max(0, ...placed.filter(write => write.began < ended).map(write => write.place))
    assert.ok(
      place >= earliest && place <= latest,
      `a read saw state ${place}, not one from ${earliest} to ${latest}`,
    )
  }
})

test('of many equal parallel changes one takes effect and raises an event, and the others change nothing', async () => {
  const path = await consignment()
  const tracking = `${path}/tracking/${await made(`${path}/tracking`, {})}`
  const note = `${path}/notes/${(await admin.post(`${path}/notes`, { note: 'One' })).body}`
  await admin.post(`${path}/tasks/${types.label}`, { value: 1 })
  const already = (await eventsOf(path)).length
  const equal: [number, () => Promise<ApiResponse>][] = [
    [
      107,
      () => admin.put(`${path}/consumables`, { consumables: [{ consumableTypeId: types.film, value: 2 }] }),
    ],
    [106, () => admin.put(`${path}/tasks/${types.label}`, { value: 7 })],
    [113, () => admin.put(`${path}/service-types`, { serviceTypeIds: [types.cold, types.tail] })],
    [114, () => admin.put(tracking, { status: 5, trackingNumber: 'SW-1' })],
    [114, () => admin.post(`${tracking}/event`, { status: 4, details: 'Out for delivery' })],
    [102, () => admin.put(note, { note: 'Two' })],
  ]
  for (const [, change] of equal) {
    const answers = await inParallel(20, () => untilServed(change))
    assert.deepEqual([count(answers, 200), count(answers, 304)], [1, 19])
  }
  assert.deepEqual(
    (await eventsOf(path)).slice(already).map(({ type }) => type),
    equal.map(([type]) => type),
  )
})

test('all parallel additions are kept', async () => {
  const path = await consignment()
  const answers = await inParallel(20, i =>
    untilServed(() => admin.post(`${path}/notes`, { note: `Note ${i}` })),
  )
  assert.equal(new Set(answers.map(({ body }) => body)).size, 20)
  const tracking = `${path}/tracking/${await made(`${path}/tracking`, {})}`
  await inParallel(20, i =>
    untilServed(() => admin.post(`${tracking}/event`, { details: `Event ${i}`, status: i % 12 })),
  )
  const detail = (await admin.get(path)).body
  assert.equal(detail.notes.length, 20)
  const { trackingEvents, status } = (await admin.get(tracking)).body
  assert.equal(trackingEvents.length, 20)
  assert.equal(status, trackingEvents[19].status, 'the record has the status of the last event to arrive')
})

test('nothing changes after a consignment is closed, even with simultaneous requests', async () => {
  for (let round = 0; round < 6; round++) {
    const path = await consignment()
    const tracking = `${path}/tracking/${await made(`${path}/tracking`, {})}`
    await admin.put(`${path}/status`, { status: 0 })
    const before = (await eventsOf(path)).length
    const writes = (i: number) => [
      () => admin.post(`${path}/notes`, { note: `Note ${i}` }),
      () =>
        admin.put(`${path}/consumables`, { consumables: [{ consumableTypeId: types.film, value: i + 1 }] }),
      () => admin.post(`${path}/tasks/${types.weigh}`, { value: i + 1 }),
      () => admin.post(`${tracking}/event`, { details: `Event ${i}` }),
      () => admin.post(`${path}/pods`, {}),
    ]
    const all = Array.from({ length: 4 }, (_, i) => writes(i)).flat()
    const closing = Math.floor((all.length / 6) * round)
    const asked = [
      ...all.slice(0, closing),
      () => admin.put(`${path}/status`, { status: 6 }),
      ...all.slice(closing),
    ]
    const answers = await Promise.all(asked.map(untilServed))
    assert.equal(answers[closing]?.status, 200)
    assert.equal(count(answers, 200) + count(answers, 400), answers.length)
    const events = (await eventsOf(path)).slice(before)
    assert.equal(events.at(-1)?.type, 112, 'closing is the last event')
    assert.equal(events.length, count(answers, 200))
    assert.equal((await admin.post(`${path}/notes`, { note: 'Too late' })).status, 400)
  }
})
