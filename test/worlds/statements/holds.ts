// The holds: which are open, of what kind, and how much is in them.

import { round4 } from '../notebook/goods.ts'
import { ask, type World } from '../world.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

export async function holds(world: World): Promise<void> {
  const { floor } = world.notebook
  const { holds: told } = await ask(world, 'get', '/v1/inventory/holds?PageSize=500')
  const known = floor.holds.flatMap(hold => {
    const quantity = round4(
      floor.live.filter(heap => heap.hold === hold).reduce((all, heap) => all + heap.quantity, 0),
    )
    return hold.id === null
      ? []
      : [{ id: hold.id, kind: hold.kind, reason: hold.reason, quantity, by: hold.by }]
  })
  const ids = new Set(known.map(({ id }) => id))
  const figures = told
    .filter(({ id }: Row) => ids.has(id))
    .map(({ id, kind, reason, heldQuantity, releasedUtc, createdByName }: Row) => ({
      ...{ id, kind, reason, quantity: heldQuantity, by: createdByName, isOpen: releasedUtc === null },
    }))
  const expected = known.map(hold => ({ ...hold, isOpen: hold.quantity > 0 }))
  sameText(byId(figures), byId(expected), 'the holds')
}

const byId = (rows: readonly { id: string }[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
