// Commands that put goods on logistic units or move these, and share a transaction. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pickKind } from '../../../src/floor/picking/pick-kind.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { adjustKind } from '../../../src/stock/commands/adjust-kind.ts'
import { carryOutTogether } from '../../../src/stock/commands/carry-out.ts'
import { transferKind } from '../../../src/stock/commands/transfer.ts'
import { openAllocation } from '../../support/given-allocation.ts'
import fc from '../../support/properties.ts'
import { assertAlike, commandRequest, decideTogether } from '../../support/together.ts'

const world = await openAllocation()
const { admin, allocated, database, fresh, locations, ready, stored, unit, warehouseId } = world
const places = [locations.A1, locations.A2, locations.B1, locations.DOCK]

interface Wanted {
  what: number
  at: number
  to: number
  quantity: number
}
const wantedOf = fc.record({
  ...{ what: fc.nat(9), at: fc.nat(2), to: fc.nat(3), quantity: fc.integer({ min: 1, max: 4 }) },
})
const histories = fc.array(fc.array(wantedOf, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 7 })

let scenes = 0
/** Goods of a new product, loose in two rows and on a pallet, and an empty tote. */
async function openScene() {
  const scene = ++scenes
  const of = await fresh()
  const [pallet, tote] = [await unit(`PALLET${scene}`), await unit(`TOTE${scene}`, locations.A2)]
  const rows = [
    await stored(6, { ...of, expiryDate: '2030-01-01' }),
    await stored(4, { ...of, expiryDate: '2030-01-02' }),
    await stored(3, { ...of, expiryDate: '2030-01-03', logisticUnitId: pallet }),
  ]
  const crate = { referenceNumber: `CRATE${scene}` }
  const targets = [
    { referenceNumber: `TOTE${scene}` },
    { logisticUnitId: pallet },
    { ...crate, isNew: true },
    crate,
  ]
  const ids = [...rows, of.productId, pallet, tote]
  const named = (text: string) =>
    ids
      .reduce((rest, id, n) => rest.replaceAll(id, `#${n}`), text)
      .replaceAll(/[0-9a-f-]{36}/g, 'NEW')
      .replaceAll(/logistic unit \S+/g, 'logistic unit')
      .replaceAll(new RegExp(`(PALLET|TOTE|CRATE)${scene}\\b`, 'g'), '$1')
      .replaceAll(of.productCode, 'P')
      .replaceAll(/[A-Z]+-\d+-OUT/g, 'SSL')
  const readState = async () => ({
    rows: await database.db.rows(sql`
      select l.name, p.expiry_date, rtrim(u.reference_number, '0123456789') as unit, p.on_hand_quantity,
        p.allocated_quantity, p.version, m.name as stands
      from warehouse_product p join warehouse_location l on l.id = p.warehouse_location_id
      left join logistic_unit u on u.id = p.logistic_unit_id
      left join warehouse_location m on m.id = u.warehouse_location_id
      where p.product_id = ${of.productId} order by 1, 2, 3`),
    units: await database.db.rows(sql`
      select rtrim(u.reference_number, '0123456789') as unit, l.name from logistic_unit u
      join warehouse_location l on l.id = u.warehouse_location_id
      where u.reference_number = any(${['PALLET', 'TOTE', 'CRATE'].map(name => name + scene)}) order by 1`),
  })
  const rowOf = ({ at }: Wanted) => rows[at] as string
  const targetOf = ({ to }: Wanted) => targets[to] as (typeof targets)[number]
  return { of, pallet, tote, named, state: readState, rowOf, targetOf }
}

/** Asserts that sharing leaves what doing one after the other leaves, in random histories. */
async function assertShared(live: (history: Wanted[][]) => Promise<number>) {
  let shared = 0
  await fc.assert(
    fc.asyncProperty(histories, async history => {
      shared += await live(history)
    }),
    { numRuns: 25 },
  )
  assert.ok(shared > 0, 'nothing shared a transaction')
}

test('transfers of units and onto units that share a transaction leave what they leave one after another', async () => {
  const scene = async () => {
    const { pallet, tote, rowOf, targetOf, ...one } = await openScene()
    const entryOf = (wanted: Wanted) => {
      const { what, to, quantity } = wanted
      const toWarehouseLocationId = places[to] as string
      const row = { warehouseProductId: rowOf(wanted), quantity }
      if (what < 2) return { logisticUnitId: what === 0 ? pallet : tote, toWarehouseLocationId }
      if (what < 4) return { ...row, toWarehouseLocationId }
      if (what < 6) return { ...row, toLogisticUnit: targetOf(wanted), toWarehouseLocationId }
      return { ...row, toLogisticUnit: targetOf(wanted) }
    }
    const requestOf = (wanted: Wanted[]) =>
      commandRequest(admin.actor, {}, { transfers: wanted.map(entryOf) })
    return { ...one, requestOf }
  }
  await assertShared(async history =>
    assertAlike(
      ...([
        database,
        transferKind,
        history,
        [await scene(), await scene()] as const,
        textOfTransfers,
      ] as const),
    ),
  )
})

const textOfTransfers = ({ transfers }: { transfers: object[] }) => JSON.stringify(transfers)

test('picks onto units, and of stock that stands in, share transactions as if one after another', async () => {
  const scene = async () => {
    const { of, rowOf, targetOf, ...one } = await openScene()
    const made: { id: string; line: string }[] = []
    for (const quantity of [3, 3, 4]) {
      const id = await ready([{ ...of, quantity }])
      const [line] = await allocated(id)
      made.push({ id, line: line?.consignmentProductId as string })
    }
    const requestOf = (wanted: Wanted[]) => {
      const [first] = wanted as [Wanted]
      const { id, line } = made[(first.what + first.at) % 3] as (typeof made)[number]
      const picks = wanted.map(entry => {
        const pick = {
          ...{ consignmentProductId: line, warehouseProductId: rowOf(entry), quantity: entry.quantity },
        }
        if (entry.what < 3) return pick
        const onto = { ...pick, toLogisticUnit: targetOf(entry) }
        if (entry.what < 6) return onto
        if (entry.what < 8) return { ...onto, isOverride: true }
        const insteadOfWarehouseProductId = rowOf({ ...entry, at: (entry.at + 1) % 3 })
        return { ...pick, isOverride: true, insteadOfWarehouseProductId }
      })
      return commandRequest(admin.actor, { consignmentId: id }, { picks })
    }
    const readLines = () =>
      Promise.all(made.map(async ({ id }) => (await world.allocationsOf(id)).map(({ quantity }) => quantity)))
    return { ...one, requestOf, state: async () => ({ ...(await one.state()), lines: await readLines() }) }
  }
  await assertShared(async history =>
    assertAlike(database, pickKind, history, [await scene(), await scene()], ({ picks }) =>
      JSON.stringify(picks),
    ),
  )
})

test('what a pick frees where it stands in for other stock can be picked by one that comes with it', async () => {
  const of = await fresh()
  const first = await stored(2, { ...of, expiryDate: '2030-01-01' })
  const id = await ready([{ ...of, quantity: 2 }])
  const [line] = await allocated(id)
  const other = await ready([{ ...of, quantity: 2 }])
  const [otherLine] = await allocated(other)
  const second = await stored(2, { ...of, expiryDate: '2030-01-02' })
  const pick = (consignmentId: string, consignmentProductId = '', from = '', more = {}) => {
    const entry = { consignmentProductId, warehouseProductId: from, quantity: 2, isOverride: true }
    return commandRequest(admin.actor, { consignmentId }, { picks: [{ ...entry, ...more }] })
  }
  const standsIn = { insteadOfWarehouseProductId: first }
  const requests = [
    pick(id, line?.consignmentProductId, second, standsIn),
    pick(other, otherLine?.consignmentProductId, first),
  ]
  const { decided } = await decideTogether(database, pickKind, requests, ({ picks }) =>
    picks.map(({ quantity }) => quantity).join(),
  )
  assert.deepEqual(decided, [
    [0, '2'],
    [1, '2'],
  ])
})

test('goods are picked onto a pallet at the dock to which the same transaction has brought it', async () => {
  const of = await fresh()
  const pallet = await unit('BROUGHT')
  const onPallet = await stored(2, { ...of, expiryDate: '2030-01-01', logisticUnitId: pallet })
  const loose = await stored(2, { ...of, expiryDate: '2030-01-02' })
  const id = await ready([{ ...of, quantity: 4 }])
  const [line] = await allocated(id)
  const pick = (warehouseProductId: string, more = {}) => {
    const entry = { consignmentProductId: line?.consignmentProductId as string, warehouseProductId }
    return commandRequest(admin.actor, { consignmentId: id }, { picks: [{ ...entry, ...more }] })
  }
  const requests = [pick(onPallet), pick(loose, { toLogisticUnit: { logisticUnitId: pallet } })]
  const { decided } = await decideTogether(database, pickKind, requests, ({ picks }) =>
    picks.map(({ quantity }) => quantity).join(),
  )
  assert.deepEqual(decided, [
    [0, '2'],
    [1, '2'],
  ])
})

test('many picks into totes of their own share transactions', async () => {
  const of = await fresh()
  const stock = await stored(20, of)
  const made = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const id = await ready([{ ...of, quantity: 2 }])
      return { id, line: (await allocated(id))[0]?.consignmentProductId as string }
    }),
  )
  const requests = made.map(({ id, line }, n) => {
    const pick = { consignmentProductId: line, warehouseProductId: stock, quantity: 2 }
    const toLogisticUnit = { referenceNumber: `MINE-${n}`, isNew: true }
    return commandRequest(admin.actor, { consignmentId: id }, { picks: [{ ...pick, toLogisticUnit }] })
  })
  const outcomes = await database.atomically(tx => carryOutTogether(tx, pickKind, requests))
  assert.ok(outcomes.every(outcome => typeof outcome === 'object' && 'answer' in outcome))
})

test('goods are put on a unit that the same transaction has emptied, wherever they are', async () => {
  const of = await fresh()
  const id = await unit('EMPTIED')
  const onUnit = await stored(2, { ...of, logisticUnitId: id })
  const added = {
    ...{ partnerProductId: of.productId, warehouseId, locationName: 'B-01', quantity: 1 },
    logisticUnit: { logisticUnitId: id },
  }
  const requests = [{ warehouseProductId: onUnit, quantity: -2 }, added].map(adjustment =>
    commandRequest(admin.actor, {}, { adjustments: [adjustment], reason: 'Counted' }),
  )
  const [, second] = await database.atomically(tx => carryOutTogether(tx, adjustKind, requests))
  assert.equal(second, 'later')
  const [alone] = await database.atomically(tx => carryOutTogether(tx, adjustKind, requests.slice(1)))
  assert.ok(typeof alone === 'object' && 'answer' in alone, JSON.stringify(alone))
})
