// Goods come, and are taken back.

import type { Load } from './floor.ts'
import { type Hold, keyOf, type Look, type Place, type Product, round4, round6, type Unit } from './goods.ts'
import type { Notebook } from './notebook.ts'
import { type Consignment, cameFor, type Line } from './orders.ts'

/** Goods of one line that came together. */
export interface Receipt {
  line: Line
  quantity: number
  serials: readonly string[]
  /** as weighed at the door; null if nobody did */
  weight: number | null
  volume: number | null
  look: Look
  /** null: where its pallet stands, or the receiving place */
  place: Place | null
  unit: { name: string; isSscc: boolean } | null
  /** undefined: as is usual for the consignment */
  hold?: { kind: number; reason: string } | null | undefined
}

/** A line for goods that nobody announced. */
export function addUnannouncedLine(consignment: Consignment, product: Product, id: string): Line {
  const line: Line = {
    ...{ id, consignment, ordinal: consignment.lines.length, product, code: product.code },
    ...{ unitName: null, isSscc: false, expected: 0, expectedWeight: null, expectedVolume: null },
    ...{ serials: [], arrivals: [], lateSerials: [], departures: [], origins: [], returnOf: null },
    look: {
      ...{ batch: null, bestBeforeDate: null, expiryDate: null, packagingDate: null },
      ...{ productionDate: null, sellByDate: null, attributes: {} },
    },
  }
  consignment.lines.push(line)
  return line
}

/** Where the pallet of a receipt stands, or its goods are put. */
export function placeFor(notebook: Notebook, { place, unit }: Pick<Receipt, 'place' | 'unit'>): Place {
  const known = unit && notebook.floor.units.get(unit.name)
  if (known && notebook.floor.onUnit(known).length > 0) return known.place
  return place ?? notebook.receiving
}

/** Writes down goods that came. Those of one line that are held for one reason are in one hold. */
export function receive(
  notebook: Notebook,
  consignment: Consignment,
  receipts: readonly Receipt[],
  at: number,
  receivedDate: string,
): void {
  const { floor } = notebook
  const usual = consignment.returnOf ? { kind: 3, reason: `Return of ${consignment.returnOf.number}` } : null
  const holds = new Map<string, Hold>()
  for (const receipt of receipts) {
    const { line, quantity, serials, look, unit: named } = receipt
    const place = placeFor(notebook, receipt)
    const unit: Unit | null = named && notebook.unitNamed(named.name, named.isSscc, place)
    const wanted = receipt.hold === undefined ? usual : receipt.hold
    const key = JSON.stringify([line.id, wanted])
    const hold = wanted && (holds.get(key) ?? floor.hold(wanted.kind, wanted.reason, line))
    if (hold) holds.set(key, hold)
    const load: Load = {
      ...{ quantity, serials },
      weight: receipt.weight ?? shareOfAnnounced(line, quantity, 'weight'),
      volume: receipt.volume ?? shareOfAnnounced(line, quantity, 'volume'),
    }
    const identity = { product: line.product, place, unit, hold, look, receivedDate }
    floor.put(identity, load, at, { kind: 'came', consignment })
    line.arrivals.push({ ...load, identity })
  }
}

/** What goods weigh or fill that nobody measured: their share of what was announced, else as the product. */
function shareOfAnnounced(line: Line, quantity: number, what: 'weight' | 'volume'): number {
  const round = what === 'weight' ? round4 : round6
  const ofLine = what === 'weight' ? line.expectedWeight : line.expectedVolume
  const came = cameFor(line).quantity
  const upTo = (amount: number) =>
    ofLine !== null && line.expected > 0
      ? round((ofLine * amount) / line.expected)
      : round((line.product[what] ?? 0) * amount)
  return round(upTo(came + quantity) - upTo(came))
}

/** What came for a line into one heap and was not taken back. */
export const cameInto = (line: Line, key: string): number =>
  round4(
    line.arrivals
      .filter(({ identity }) => keyOf(identity) === key)
      .reduce((all, { quantity }) => all + quantity, 0),
  )

/** Writes down goods that were taken back from one heap: each line takes back its own weight. */
export function unreceive(
  notebook: Notebook,
  key: string,
  parts: readonly { line: Line; quantity: number; serials: readonly string[] }[],
  at: number,
): void {
  const heap = notebook.floor.heaps.get(key)
  if (heap === undefined) throw new Error('There is no such heap.')
  const before = { quantity: heap.quantity, weight: heap.weight, volume: heap.volume }
  const taken = { quantity: 0, weight: 0, volume: 0 }
  for (const { line, quantity, serials } of parts) {
    const came = cameFor(line)
    const isAll = quantity === came.quantity
    const load = {
      ...{ quantity, serials },
      weight: isAll ? came.weight : round4((came.weight * quantity) / came.quantity),
      volume: isAll ? came.volume : round6((came.volume * quantity) / came.quantity),
    }
    notebook.floor.takeWeighed(heap, load, at, { kind: 'came', consignment: line.consignment })
    taken.quantity += load.quantity
    taken.weight += load.weight
    taken.volume += load.volume
    line.arrivals.push({
      identity: heap,
      serials,
      quantity: -load.quantity,
      weight: -load.weight,
      volume: -load.volume,
    })
  }
  // Goods that left the heap meanwhile took an average along. What stays keeps the average then.
  const rest = round4(before.quantity - taken.quantity)
  const isRight = (left: number) => (rest === 0 ? left === 0 : left >= 0)
  const [weight, volume] = [round4(before.weight - taken.weight), round6(before.volume - taken.volume)]
  notebook.floor.weighAnew(
    heap,
    isRight(weight) ? weight : round4((before.weight / before.quantity) * rest),
    isRight(volume) ? volume : round6((before.volume / before.quantity) * rest),
    at,
  )
}
