// Where each pallet stands, whether anything is on it, and with which consignment it left.

import { ask, type World } from '../world.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import { unitOf } from './rows.ts'

export async function units(world: World): Promise<void> {
  const { floor } = world.notebook
  const { logisticUnits } = await ask(world, 'get', '/v1/logistic-units?PageSize=500')
  const told = logisticUnits.map((row: Row) => ({
    ...{ id: row.id, logisticUnitNumber: row.logisticUnitNumber },
    ...{ logisticUnitReferenceNumber: row.referenceNumber, logisticUnitSsccNumber: row.ssccNumber },
    ...{ isEmpty: row.isEmpty, leftWith: row.leftWith?.consignmentNumber ?? null },
    // A pallet that left is told with the place from which it left.
    place: row.leftWith === null ? row.warehouseLocationName : null,
  }))
  const known = [...floor.units.values()].map(unit => ({
    ...{ id: unit.id, ...unitOf({ unit }), isEmpty: floor.onUnit(unit).length === 0 },
    leftWith: unit.leftWith?.number ?? null,
    place: unit.leftWith === null ? unit.place.name : null,
  }))
  sameText(byId(told), byId(known), 'the pallets')
}

const byId = (rows: readonly Row[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
