// What people do to stock in the warehouse, as steps: transfer, adjust, edit, hold, release.

import {
  freeOf,
  type Identity,
  isQuarantine,
  type Location,
  locations,
  type Product,
  type Promised,
  products,
  promisedOf,
  type Row,
  type StockModel,
  sumOf,
  take,
} from './model.ts'
import { type Act, type Dice, sameAs, someQuantity, someRow, someSerials, step } from './step.ts'

export const batches = [null, 'B1', 'B2'] as const
const names = Object.keys(locations) as Location[]
const someBatch = (dice: Dice) => dice.of(batches) ?? null

/**
 * Where goods come to lie that are put onto a unit: where it stands with goods on it; else where they are
 * wanted, or where it stands empty. Null where that cannot be.
 */
export function standing(model: StockModel, unit: string, wanted: Location | null): Location | null {
  const stands = model.units.get(unit) as Location
  if (model.onUnit(unit).length === 0) return wanted ?? stands
  return wanted === null || wanted === stands ? stands : null
}

/** Puts an empty unit where its goods are. */
export function settleUnit(model: StockModel, unit: string | null, location: Location): void {
  if (unit !== null) model.units.set(unit, location)
}

export const transfer: Act = (model, _, dice) => {
  const row = someRow(model, dice)
  if (!row) return null
  const quantity = someQuantity(dice, row.product, dice.once(3) ? row.onHand : freeOf(row))
  const serials = someSerials(row, quantity, dice)
  const unit = dice.once(3) ? (dice.of([...model.units.keys()]) as string) : null
  const wanted = unit !== null && dice.once(2) ? null : (dice.of(names) as Location)
  const taken = take(row, { quantity, serials }, 'everything')
  const location = unit === null ? wanted : standing(model, unit, wanted)
  const isThere = location === row.location && unit === row.unit
  const isRefused =
    taken === null || location === null || isThere || (isQuarantine(location) && taken.promises.length > 0)
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
          settleUnit(model, unit, location)
          const to = model.row({ ...sameAs(row), location, unit })
          model.move(row, to, taken.quantity, taken.serials)
          model.takeAlong(row, to, taken.promises)
        },
  )
}

export const transferUnit: Act = (model, named, dice) => {
  const unit = dice.of([...model.units.keys()]) as string
  const location = dice.of(names) as Location
  const rows = model.onUnit(unit)
  const isRefused = rows.some(
    row => row.location === location || (isQuarantine(location) && row.promises.length > 0),
  )
  return step(
    '/v1/inventory/transfer',
    { transfers: [{ logisticUnitId: named.units.get(unit), toLocationName: location }] },
    isRefused
      ? null
      : () => {
          settleUnit(model, unit, location)
          for (const row of rows) {
            const to = model.row({ ...sameAs(row), location })
            const promises = [...row.promises]
            model.move(row, to, row.onHand, row.serials)
            model.takeAlong(row, to, promises)
          }
        },
  )
}

/** Serials for goods that come in: new ones, and now and then one that is there or one too few. */
export function incomingSerials(model: StockModel, product: Product, quantity: number, dice: Dice) {
  if (products[product].tracking !== 'full') return { serials: undefined, isPossible: true }
  const serials = model.freshSerials(quantity)
  const away = [...model.away.keys()].filter(name => name.startsWith(`${product} `))
  const known = model.live.find(row => row.product === product)?.serials
  if (dice.once(8) && away.length > 0) serials[0] = (dice.of(away) as string).split(' ')[1] as string
  if (dice.once(12) && known?.size) serials[0] = [...known][0] as string
  // Goods without any serial may come in, which another test has.
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
  // Nothing comes to where a unit is no more, nor into a hold that it may be the first thing in.
  const isGone = row.unit !== null && model.units.get(row.unit) !== row.location
  const isOver = row.hold !== null && row.onHand === 0
  return step(
    '/v1/inventory/adjust',
    { reason, adjustments: [{ warehouseProductId: row.id, quantity, serials }] },
    isPossible && !isGone && !isOver ? () => model.move(null, row, quantity, serials) : null,
  )
}

export const find: Act = (model, named, dice) => {
  const product = dice.of(Object.keys(products)) as Product
  const unit = dice.once(3) ? (dice.of([...model.units.keys()]) as string) : null
  const wanted = unit !== null && dice.once(2) ? null : (dice.of(names) as Location)
  const location = unit === null ? wanted : standing(model, unit, wanted)
  const batch = someBatch(dice)
  const quantity = 1 + dice.upTo(20)
  const { serials, isPossible } = incomingSerials(model, product, quantity, dice)
  return step(
    '/v1/inventory/adjust',
    {
      reason,
      adjustments: [
        {
          partnerProductId: named.products[product],
          warehouseId: named.warehouseId,
          locationName: wanted,
          logisticUnit: unit === null ? undefined : { referenceNumber: unit },
          receivedDate: named.day,
          batch,
          quantity,
          serials,
        },
      ],
    },
    location === null || !isPossible
      ? null
      : () => {
          settleUnit(model, unit, location)
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
  const isBroken = taken?.promises.some(
    ({ line }) => line.batch !== null && line.batch === row.batch && line.batch !== batch,
  )
  const effect = () => {
    if (batch === row.batch || taken === null) return
    const to = model.row({ ...sameAs(row), batch })
    model.keep(row, to, taken.quantity, taken.serials)
    model.takeAlong(row, to, taken.promises)
    model.edits.push({ from: row, to, at: model.clock })
  }
  return step(
    '/v1/inventory/adjust-attributes',
    { reason, adjustments: [{ warehouseProductId: row.id, quantity, serials, batch }] },
    batch === row.batch || (taken && !isBroken) ? effect : null,
  )
}

/** The promises that give way to a hold: the youngest consignment's first, and of one those made last. */
export function yielding(row: Row, quantity: number | undefined): { left: Promised[]; released: Promised[] } {
  let missing = (quantity ?? row.onHand) - row.onHand + promisedOf(row)
  const left: Promised[] = []
  const released: Promised[] = []
  const inOrder = row.promises.toSorted((a, b) => a.line.consignment.number - b.line.consignment.number)
  for (const promise of inOrder.reverse()) {
    const gives = promise.isPicked || missing <= 0 ? 0 : Math.min(missing, promise.quantity)
    missing -= gives
    if (gives > 0) released.push({ ...promise, quantity: gives })
    if (gives < promise.quantity) left.push({ ...promise, quantity: promise.quantity - gives })
  }
  return { left, released }
}

export const hold: Act = (model, _, dice) => {
  // Which serials go when it is not said, and others are promised, is not foretold.
  const row = someRow(model, dice, one => one.hold === null || dice.once(8))
  if (!row) return null
  const isVague = products[row.product].tracking !== 'none' && promisedOf(row) > 0
  const releaseAllocations = dice.once(3)
  const most = releaseAllocations ? row.onHand : freeOf(row)
  const said = someQuantity(dice, row.product, most)
  const quantity = said ?? (isVague ? Math.max(1, freeOf(row)) : undefined)
  const serials = someSerials(row, quantity, dice)
  const { left, released } = releaseAllocations
    ? yielding(row, quantity)
    : { left: row.promises, released: [] }
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
        for (const promise of released) model.promise(row, { ...promise, quantity: -promise.quantity })
        const to = model.row({ ...sameAs(row), hold: model.makeHold() })
        model.keep(row, to, taken.quantity, taken.serials)
      }),
    { status: 201 },
  )
}

/** Takes what is held back to what is not. */
function unhold(model: StockModel, number: number, row: Row, quantity: number, serials: string[]): void {
  const free: Identity = { ...sameAs(row), hold: null }
  model.keep(row, model.row(free), quantity, serials)
  closeIfEmpty(model, number)
}

/** A hold that nothing is in is over. */
export function closeIfEmpty(model: StockModel, number: number): void {
  const record = model.holds[number]
  if (record && model.inHold(number).length === 0) record.isReleased = true
}

export const releaseHold: Act = (model, named, dice) => {
  const number = dice.upTo(Math.max(1, model.holds.length))
  const record = model.holds[number]
  if (!record) return null
  const path = `/v1/inventory/holds/${named.holds[number]}/release`
  if (dice.once(2)) {
    const rows = model.inHold(number)
    return step(
      path,
      {},
      record.isReleased
        ? null
        : () => {
            for (const row of rows) unhold(model, number, row, row.onHand, [...row.serials])
            closeIfEmpty(model, number)
          },
    )
  }
  const row = someRow(model, dice, one => one.hold === number || dice.once(8))
  if (!row) return null
  const quantity = someQuantity(dice, row.product, row.onHand)
  const serials = someSerials(row, quantity, dice)
  const taken =
    row.hold === number && !record.isReleased ? take(row, { quantity, serials }, 'everything') : null
  return step(
    path,
    { stock: [{ warehouseProductId: row.id, quantity, serials }] },
    taken && (() => unhold(model, number, row, taken.quantity, taken.serials)),
  )
}
