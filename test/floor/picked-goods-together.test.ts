// Picked goods that many people put back or stage at the same time, in shared transactions. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stageKind } from '../../src/floor/stage.ts'
import { unpickKind } from '../../src/floor/unpick.ts'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { type CommandRequest, carryOutTogether } from '../../src/stock/commands/carry-out.ts'
import { MovementCause } from '../../src/vocabulary/stock.ts'
import { openPicking } from '../support/given-picking.ts'
import fc from '../support/properties.ts'
import { assertAlike, commandRequest } from '../support/together.ts'

const world = await openPicking()
const { admin, database, events, fresh, locations, newConsignment, run, stored, unit } = world

let scenes = 0
/**
 * Four consignments that have picked goods of one product: two of loose goods, one of a part of a pallet and
 * one of all that was left on it, which took the pallet to the dock.
 */
async function openScene() {
  const scene = ++scenes
  const of = await fresh()
  const pallet = await unit(`PALLET${scene}`)
  const tote = await unit(`TOTE${scene}`, locations.DOCK)
  const made: Awaited<ReturnType<typeof newConsignment>>[] = []
  const rows: string[] = []
  for (const { stock, quantities } of [
    { stock: {}, quantities: [4, 3] },
    { stock: { logisticUnitId: pallet }, quantities: [2, 4] },
  ]) {
    const quantity = quantities.reduce((sum, one) => sum + one)
    // What stood on the pallet is heavier.
    const weightKG = quantity * (rows.length + 1)
    rows.push(await stored(quantity, { ...of, ...stock, batch: 'A' }, { weightKG }))
    for (const one of quantities) {
      const consignment = await newConsignment({ ...of, quantity: one })
      const { id, line } = consignment
      await run(id, 'pick', { picks: [{ consignmentProductId: line, warehouseProductId: rows.at(-1) }] })
      made.push(consignment)
    }
  }
  const named = (text: string) =>
    [...rows, of.productId, pallet, tote]
      .reduce((rest, id, n) => rest.replaceAll(id, `#${n}`), text)
      .replaceAll(/[0-9a-f-]{36}/g, 'NEW')
      .replaceAll(/LU-\d+/g, 'LU')
      .replaceAll(/so say which: .*/g, 'so say which')
      .replaceAll(new RegExp(`(PALLET|TOTE|CRATE)${scene}\\b`, 'g'), '$1')
      .replaceAll(new RegExp(`\\b${of.productCode}\\b`, 'g'), 'P')
      .replaceAll(/[A-Z]+-\d+-OUT/g, 'SSL')
  const readState = async () => ({
    rows: await database.db.rows(sql`
      select l.name, p.batch, rtrim(u.reference_number, '0123456789') as unit, p.on_hand_quantity,
        p.on_hand_weight_kg, p.allocated_quantity, p.version, m.name as stands
      from warehouse_product p join warehouse_location l on l.id = p.warehouse_location_id
      left join logistic_unit u on u.id = p.logistic_unit_id
      left join warehouse_location m on m.id = u.warehouse_location_id
      where p.product_id = ${of.productId} order by 1, 2, 3, 4`),
    lines: await database.db.rows(sql`
      select allocated_quantity, picked_quantity, c.is_picking_confirmed
      from consignment_product l join consignment c on c.id = l.consignment_id
      where l.id = any(${made.map(({ line }) => line)}) order by c.number`),
    events: await Promise.all(made.map(({ id }) => events(id))),
    ledger: await database.db.rows(sql`
      select t.type, t.cause, t.quantity, t.particulars, t.user_id is not null as is_known, c.number - (
        select min(number) from consignment where id = any(${made.map(({ id }) => id)})) as consignment
      from inventory_transaction t join warehouse_product p on p.id = t.warehouse_product_id
      join consignment c on c.id = t.consignment_id
      where p.product_id = ${of.productId} order by t.movement_id, t.move_number, t.quantity`),
  })
  const crate = { referenceNumber: `CRATE${scene}` }
  const units = [
    null,
    { referenceNumber: `TOTE${scene}` },
    { logisticUnitId: pallet },
    { ...crate, isNew: true },
  ]
  return {
    ...{ made, of, readState, named },
    unitOf: (n: number) => (n < units.length ? { toLogisticUnit: units[n] ?? null } : {}),
  }
}
type Scene = Awaited<ReturnType<typeof openScene>>

interface Wanted {
  at: number
  by: 'line' | 'stock' | 'other line'
  quantity: number
  to: string | null
  unit: number
  isReleased: boolean
}

const wantedOf = fc.record<Wanted>({
  at: fc.nat(3),
  by: fc.constantFrom('line', 'line', 'line', 'stock', 'stock', 'other line'),
  quantity: fc.nat(5),
  to: fc.constantFrom(null, null, 'A-01', 'A-02', 'DOCK', 'NOWHERE'),
  unit: fc.nat(4),
  isReleased: fc.boolean(),
})
const histories = fc.array(wantedOf, { minLength: 2, maxLength: 8 })

function selection({ made, of }: Scene, { at, by, quantity }: Wanted) {
  const owner = made[by === 'other line' ? (at + 1) % made.length : at] as (typeof made)[0]
  return {
    consignmentProductId: owner.line,
    ...(by === 'stock'
      ? { stock: { partnerProductId: of.productId, locationName: 'DISPATCH', batch: 'A' } }
      : {}),
    quantity: quantity === 0 ? null : quantity,
  }
}

const paramsOf = ({ made }: Scene, { at }: Wanted) => ({ consignmentId: made[at]?.id as string })

/** Runs histories in two scenes, and returns how many transactions were saved. */
async function assertAllAlike<Request extends CommandRequest, Answer>(
  kind: Parameters<typeof assertAlike<Wanted, Request, Answer>>[1],
  toRequest: (scene: Scene, wanted: Wanted) => Request,
  textOf: (answer: Answer) => string,
) {
  let shared = 0
  await fc.assert(
    fc.asyncProperty(histories, async all => {
      const open = async () => {
        const scene = await openScene()
        const { named, readState: state } = scene
        return { named, state, requestOf: (wanted: Wanted) => toRequest(scene, wanted) }
      }
      shared += await assertAlike(database, kind, all, [await open(), await open()], textOf)
    }),
    { numRuns: 10 },
  )
  assert.ok(shared > 0, 'nothing shared a transaction')
}

test('goods that are put back in shared transactions lie where they lie one after another', () =>
  assertAllAlike(
    unpickKind,
    (scene, wanted) =>
      commandRequest(admin.actor, paramsOf(scene, wanted), {
        unpicks: [{ ...selection(scene, wanted), toLocationName: wanted.to, release: wanted.isReleased }],
        reason: wanted.isReleased ? 'Wrong goods' : null,
      }),
    ({ consignmentProducts }) =>
      JSON.stringify(consignmentProducts.map(({ consignmentProductId: _, ...figures }) => figures)),
  ))

test('goods that are staged in shared transactions stand where they stand one after another', () =>
  assertAllAlike(
    stageKind,
    (scene, wanted) =>
      commandRequest(admin.actor, paramsOf(scene, wanted), {
        toLocationName: wanted.to ?? 'DISPATCH',
        ...scene.unitOf(wanted.unit),
        lines: wanted.isReleased ? null : [selection(scene, wanted)],
      }),
    ({ warehouseProductIds }) => `${warehouseProductIds.length} rows`,
  ))

test('of two who put goods of one consignment back, the second comes in the next transaction', async () => {
  const { made } = await openScene()
  const [one, two] = made as [(typeof made)[0], (typeof made)[0]]
  const requestOf = ({ id, line }: (typeof made)[0], quantity: number) =>
    commandRequest(
      admin.actor,
      { consignmentId: id },
      { unpicks: [{ consignmentProductId: line, quantity }] },
    )
  const requests = [requestOf(one, 1), requestOf(two, 9), requestOf(one, 4), requestOf(two, 2)]
  const unknown = requestOf({ ...one, id: newId() }, 1)
  const outcomes = await database.atomically(tx => carryOutTogether(tx, unpickKind, [...requests, unknown]))
  assert.deepEqual(
    outcomes.map(outcome => (typeof outcome === 'string' ? outcome : Object.keys(outcome)[0])),
    ['answer', 'refusal', 'later', 'later', 'alone'],
  )
})

test('goods wait for what moves into their row, and descriptions for what moves at all', async () => {
  const { made, of, unitOf } = await openScene()
  const [one, two, , onPallet] = made as [
    (typeof made)[0],
    (typeof made)[0],
    (typeof made)[0],
    (typeof made)[0],
  ]
  const stageOf = ({ id, line }: (typeof made)[0], more: object, entry: object = {}) =>
    commandRequest(
      admin.actor,
      { consignmentId: id },
      { toLocationName: 'DISPATCH', lines: [{ consignmentProductId: line, ...entry }], ...more },
    )
  const stock = { partnerProductId: of.productId, locationName: 'DISPATCH' }
  const outcomesOf = async (requests: ReturnType<typeof stageOf>[]) => {
    const outcomes = await database.atomically(tx => carryOutTogether(tx, stageKind, requests))
    return outcomes.map(outcome => (typeof outcome === 'string' ? outcome : Object.keys(outcome)[0]))
  }
  assert.deepEqual(
    await outcomesOf([stageOf(one, unitOf(1), { quantity: 1 }), stageOf(two, {}, { stock })]),
    ['answer', 'later'],
  )
  assert.deepEqual(
    await outcomesOf([
      stageOf(onPallet, { toLogisticUnit: null }),
      stageOf(two, { toLocationName: 'DOCK' }, { quantity: 1 }),
    ]),
    ['answer', 'later'],
  )
})

test('goods wait for the pallet that another moves: onto which they go, or from which they were picked', async () => {
  const { made, unitOf } = await openScene()
  const [loose, , ofPallet, onPallet] = made as [
    (typeof made)[0],
    (typeof made)[0],
    (typeof made)[0],
    (typeof made)[0],
  ]
  const requestOf = ({ id }: (typeof made)[0], body: object) =>
    commandRequest(admin.actor, { consignmentId: id }, body as never)
  const namesOf = (outcomes: readonly (string | object)[]) =>
    outcomes.map(outcome => (typeof outcome === 'string' ? outcome : Object.keys(outcome)[0]))
  const staged = await database.atomically(tx =>
    carryOutTogether(tx, stageKind, [
      requestOf(onPallet, { toLocationName: 'DOCK', lines: null }),
      requestOf(loose, { toLocationName: 'DISPATCH', ...unitOf(2), lines: null }),
    ]),
  )
  assert.deepEqual(namesOf(staged), ['answer', 'later'])
  const putBack = await database.atomically(tx =>
    carryOutTogether(tx, unpickKind, [
      requestOf(onPallet, { unpicks: [{ consignmentProductId: onPallet.line }] }),
      requestOf(ofPallet, { unpicks: [{ consignmentProductId: ofPallet.line }] }),
    ]),
  )
  assert.deepEqual(namesOf(putBack), ['answer', 'later'])
})

test('many who put goods back at once are served together, each in a movement of its own', async () => {
  const { made, of } = await openScene()
  const answers = await Promise.all(
    made.map(({ id, line }) =>
      admin.post(`/v1/consignments/${id}/unpick`, { unpicks: [{ consignmentProductId: line }] }),
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.equal(new Set(answers.map(({ body }) => body.movementId)).size, 4)
  const { requests } = await database.db.row<{ requests: string[] }>(sql`
    select array_agg(distinct t.request_id) as requests from inventory_transaction t
    join warehouse_product p on p.id = t.warehouse_product_id
    where p.product_id = ${of.productId} and t.cause = ${MovementCause.Unpicked}`)
  assert.deepEqual(requests.toSorted(), answers.map(({ headers }) => headers['x-request-id']).toSorted())
})
