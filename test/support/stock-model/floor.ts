// Steps on stock in the warehouse: transfer, adjust, edit, hold and release.

import {
  type Allocation,
  allocatedOf,
  freeOf,
  type Identity,
  isQuarantine,
  type Location,
  locations,
  type Product,
  products,
  type Row,
  type StockModel,
  sumOf,
  take,
} from './model.ts'
import { type Act, type Dice, identityOf, someQuantity, someRow, someSerials, step } from './step.ts'

export const batches = [null, 'B1', 'B2'] as const
const locationNames = Object.keys(locations) as Location[]
const someBatch = (dice: Dice) => dice.pickFrom(batches) ?? null

/**
 * Returns the location of goods that are put on a unit: that of the unit if it has goods on it, otherwise the
 * wanted location, or that of the empty unit. Null if that is refused.
 */
export function unitLocation(model: StockModel, unit: string, wanted: Location | null): Location | null {
  const stands = model.units.get(unit) as Location
  if (model.onUnit(unit).length === 0) return wanted ?? stands
  return wanted === null || wanted === stands ? stands : null
}

/** Moves a unit to a location. */
export function placeUnit(model: StockModel, unit: string | null, location: Location): void {
  if (unit !== null) model.units.set(unit, location)
}

export const transfer: Act = (model, _, dice) => {
  const row = someRow(model, dice)
  if (!row) return null
  const quantity = someQuantity(dice, row.product, dice.once(3) ? row.onHand : freeOf(row))
  const serials = someSerials(row, quantity, dice)
  const unit = dice.once(3) ? (dice.pickFrom([...model.units.keys()]) as string) : null
  const wanted = unit !== null && dice.once(2) ? null : (dice.pickFrom(locationNames) as Location)
  const taken = take(row, { quantity, serials }, 'everything')
  const location = unit === null ? wanted : unitLocation(model, unit, wanted)
  const isThere = location === row.location && unit === row.unit
  const isRefused =
    taken === null || location === null || isThere || (isQuarantine(location) && taken.allocations.length > 0)
  return step(
    '/v1/inventory/transfer',
    {
      transfers: [
        {
          warehouseProductId: row.id,
          quantity,
          serials,
          toLocationName: wanted,
          toLogisticUnit: unit === null ? undefined : { referenceNumber: unit },
        },
      ],
    },
    isRefused
      ? null
      : () => {
          placeUnit(model, unit, location)
          const to = model.row({ ...identityOf(row), location, unit })
          model.move(row, to, taken.quantity, taken.serials)
          model.moveAllocations(row, to, taken.allocations)
        },
  )
}

export const transferUnit: Act = (model, ids, dice) => {
  const unit = dice.pickFrom([...model.units.keys()]) as string
  const location = dice.pickFrom(locationNames) as Location
  const rows = model.onUnit(unit)
  const isRefused = rows.some(
    row => row.location === location || (isQuarantine(location) && row.allocations.length > 0),
  )
  return step(
    '/v1/inventory/transfer',
    { transfers: [{ logisticUnitId: ids.units.get(unit), toLocationName: location }] },
    isRefused
      ? null
      : () => {
          placeUnit(model, unit, location)
          for (const row of rows) {
            const to = model.row({ ...identityOf(row), location })
            const allocations = [...row.allocations]
            model.move(row, to, row.onHand, row.serials)
            model.moveAllocations(row, to, allocations)
          }
        },
  )
}

/** Draws serials for incoming goods: new ones, and now and then one that is in stock or one too few. */
export function incomingSerials(model: StockModel, product: Product, quantity: number, dice: Dice) {
  if (products[product].tracking !== 'full') return { serials: undefined, isPossible: true }
  const serials = model.freshSerials(quantity)
  const away = [...model.departedSerials.keys()].filter(name => name.startsWith(`${product} `))
  const known = model.live.find(row => row.product === product)?.serials
  if (dice.once(8) && away.length > 0) serials[0] = (dice.pickFrom(away) as string).split(' ')[1] as string
  if (dice.once(12) && known?.size) serials[0] = [...known][0] as string
  // Goods without any serial may come in, which another test covers.
  if (dice.once(12) && quantity > 1) serials.pop()
  const isPossible =
    serials.length === quantity && serials.every(serial => !model.rowOfSerial(product, serial))
  return { serials, isPossible }
}

const reason = 'Counted'

export const adjustDown: Act = (model, _, dice) => {
  const row = someRow(model, dice)
  if (!row) return null
  const quantity = someQuantity(dice, row.product, freeOf(row)) ?? 1
  const serials = someSerials(row, quantity, dice)
  const taken = take(row, { quantity, serials }, 'free')
  return step(
    '/v1/inventory/adjust',
    { reason, adjustments: [{ warehouseProductId: row.id, quantity: -quantity, serials }] },
    taken && (() => model.move(row, null, taken.quantity, taken.serials)),
  )
}

export const adjustUp: Act = (model, _, dice) => {
  const row = someRow(model, dice)
  if (!row) return null
  const quantity = 1 + dice.upTo(5)
  const { serials, isPossible } = incomingSerials(model, row.product, quantity, dice)
  // Goods cannot come in on a unit that has moved away, nor into an empty hold.
  const isGone = row.unit !== null && model.units.get(row.unit) !== row.location
  const isOver = row.hold !== null && row.onHand === 0
  return step(
    '/v1/inventory/adjust',
    { reason, adjustments: [{ warehouseProductId: row.id, quantity, serials }] },
    isPossible && !isGone && !isOver ? () => model.move(null, row, quantity, serials) : null,
  )
}

export const find: Act = (model, ids, dice) => {
  const product = dice.pickFrom(Object.keys(products)) as Product
  const unit = dice.once(3) ? (dice.pickFrom([...model.units.keys()]) as string) : null
  const wanted = unit !== null && dice.once(2) ? null : (dice.pickFrom(locationNames) as Location)
  const location = unit === null ? wanted : unitLocation(model, unit, wanted)
  const batch = someBatch(dice)
  const quantity = 1 + dice.upTo(20)
  const { serials, isPossible } = incomingSerials(model, product, quantity, dice)
  return step(
    '/v1/inventory/adjust',
    {
      reason,
      adjustments: [
        {
          partnerProductId: ids.products[product],
          warehouseId: ids.warehouseId,
          locationName: wanted,
          logisticUnit: unit === null ? undefined : { referenceNumber: unit },
          receivedDate: ids.day,
          batch,
          quantity,
          serials,
        },
      ],
    },
    location === null || !isPossible
      ? null
      : () => {
          placeUnit(model, unit, location)
          model.move(null, model.row({ product, location, unit, hold: null, batch }), quantity, serials)
        },
  )
}

export const editBatch: Act = (model, _, dice) => {
  const row = someRow(model, dice)
  if (!row) return null
  const batch = someBatch(dice)
  const quantity = someQuantity(dice, row.product, dice.once(3) ? row.onHand : freeOf(row))
  const serials = someSerials(row, quantity, dice)
  const taken = take(row, { quantity, serials }, 'everything')
  const isBroken = taken?.allocations.some(
    ({ line }) => line.batch !== null && line.batch === row.batch && line.batch !== batch,
  )
  const effect = () => {
    if (batch === row.batch || taken === null) return
    const to = model.row({ ...identityOf(row), batch })
    model.moveInPlace(row, to, taken.quantity, taken.serials)
    model.moveAllocations(row, to, taken.allocations)
    model.redescriptions.push({ from: row, to, at: model.clock })
  }
  return step(
    '/v1/inventory/adjust-attributes',
    { reason, adjustments: [{ warehouseProductId: row.id, quantity, serials, batch }] },
    batch === row.batch || (taken && !isBroken) ? effect : null,
  )
}

/** Chooses the allocations that a hold releases: those of the latest consignments first. */
export function chooseReleased(
  row: Row,
  quantity: number | undefined,
): { left: Allocation[]; released: Allocation[] } {
  let missing = (quantity ?? row.onHand) - row.onHand + allocatedOf(row)
  const left: Allocation[] = []
  const released: Allocation[] = []
  const inOrder = row.allocations.toSorted((a, b) => a.line.consignment.number - b.line.consignment.number)
  for (const allocation of inOrder.reverse()) {
    const gives = allocation.isPicked || missing <= 0 ? 0 : Math.min(missing, allocation.quantity)
    missing -= gives
    if (gives > 0) released.push({ ...allocation, quantity: gives })
    if (gives < allocation.quantity) left.push({ ...allocation, quantity: allocation.quantity - gives })
  }
  return { left, released }
}

export const hold: Act = (model, _, dice) => {
  // The model does not predict which serials are held if none are named and some are allocated.
  const row = someRow(model, dice, candidate => candidate.hold === null || dice.once(8))
  if (!row) return null
  const isVague = products[row.product].tracking !== 'none' && allocatedOf(row) > 0
  const releaseAllocations = dice.once(3)
  const most = releaseAllocations ? row.onHand : freeOf(row)
  const chosen = someQuantity(dice, row.product, most)
  const quantity = chosen ?? (isVague ? Math.max(1, freeOf(row)) : undefined)
  const serials = someSerials(row, quantity, dice)
  const { left, released } = releaseAllocations
    ? chooseReleased(row, quantity)
    : { left: row.allocations, released: [] }
  const isAllPromised = quantity === undefined && sumOf(left) === row.onHand
  const taken = row.hold === null && !isAllPromised ? take(row, { quantity, serials }, 'free', left) : null
  return step(
    '/v1/inventory/holds',
    {
      kind: 2,
      reason: 'Glass',
      stock: [{ warehouseProductId: row.id, quantity, serials }],
      releaseAllocations,
    },
    taken &&
      (() => {
        for (const allocation of released)
          model.changeAllocation(row, { ...allocation, quantity: -allocation.quantity })
        const to = model.row({ ...identityOf(row), hold: model.makeHold() })
        model.moveInPlace(row, to, taken.quantity, taken.serials)
      }),
    { status: 201 },
  )
}

/** Releases goods from a hold. */
function releaseGoods(
  model: StockModel,
  number: number,
  row: Row,
  quantity: number,
  serials: string[],
): void {
  const free: Identity = { ...identityOf(row), hold: null }
  model.moveInPlace(row, model.row(free), quantity, serials)
  closeIfEmpty(model, number)
}

/** Marks a hold as released if it is empty. */
export function closeIfEmpty(model: StockModel, number: number): void {
  const record = model.holds[number]
  if (record && model.inHold(number).length === 0) record.isReleased = true
}

export const releaseHold: Act = (model, ids, dice) => {
  const number = dice.upTo(Math.max(1, model.holds.length))
  const record = model.holds[number]
  if (!record) return null
  const path = `/v1/inventory/holds/${ids.holds[number]}/release`
  if (dice.once(2)) {
    const rows = model.inHold(number)
    return step(
      path,
      {},
      record.isReleased
        ? null
        : () => {
            for (const row of rows) releaseGoods(model, number, row, row.onHand, [...row.serials])
            closeIfEmpty(model, number)
          },
    )
  }
  const row = someRow(model, dice, candidate => candidate.hold === number || dice.once(8))
  if (!row) return null
  const quantity = someQuantity(dice, row.product, row.onHand)
  const serials = someSerials(row, quantity, dice)
  const taken =
    row.hold === number && !record.isReleased ? take(row, { quantity, serials }, 'everything') : null
  return step(
    path,
    { stock: [{ warehouseProductId: row.id, quantity, serials }] },
    taken && (() => releaseGoods(model, number, row, taken.quantity, taken.serials)),
  )
}
