// The weight and volume of goods that are taken back: each line takes back its own, whatever the average of
// the row of stock that the goods are in. Spec 2.14.

import { type Db, sql } from '../../platform/database/db.ts'
import { decimalText, divide, scale, smaller } from '../../platform/decimal.ts'
import type { SerialInRow } from '../../stock/commands/read-serials.ts'
import type { StockRow } from '../../stock/commands/read-stock-rows.ts'
import { oneItem, type StockMove } from '../../stock/ledger/movement.ts'
import { MovementCause, TransactionType } from '../../vocabulary/stock.ts'

/** A part of a row of stock that is taken back for a line. */
export interface UnreceivedPart {
  row: StockRow
  lineId: string
  /** ten-thousandths */
  quantity: bigint
  items: readonly SerialInRow[]
}

/** A weight in ten-thousandths of a kg, and a volume in millionths of a m³. */
interface Measures {
  weight: bigint
  volume: bigint
}

/** What was received for a line and not taken back. */
export interface ReceivedMeasures extends Measures {
  quantity: bigint
}

/** Reads what was received for the lines of consignments and not taken back, by line id. */
export async function readReceivedMeasures(
  db: Db,
  organisationId: string,
  consignmentIds: readonly string[],
): Promise<Map<string, ReceivedMeasures>> {
  const rows = await db.rows<{ id: string; quantity: number; weight: number; volume: number }>(sql`
    select id, received_quantity as quantity, received_weight_kg as weight, received_volume_m3 as volume
    from consignment_product
    where organisation_id = ${organisationId} and consignment_id = any(${consignmentIds})`)
  return new Map(
    rows.map(({ id, quantity, weight, volume }) => [
      id,
      { quantity: scale(4, quantity), weight: scale(4, weight), volume: scale(6, volume) },
    ]),
  )
}

const toMove = ({ weight, volume }: Measures) => ({
  weightKG: Number(decimalText(4, weight)),
  volumeM3: Number(decimalText(6, volume)),
})

/**
 * The weight and volume of each part: its share of what its line received, and the rest for the last part.
 */
export function measureParts(
  parts: readonly UnreceivedPart[],
  received: ReadonlyMap<string, ReceivedMeasures>,
): Measures[] {
  const left = new Map([...received].map(([id, measures]) => [id, { ...measures }]))
  return parts.map(({ lineId, quantity, items }) => {
    const line = left.get(lineId) as ReceivedMeasures
    const weighed = items.filter(({ weightKG, volumeM3 }) => weightKG !== null && volumeM3 !== null)
    const others = quantity - BigInt(weighed.length) * oneItem
    const otherTotal = line.quantity - BigInt(weighed.length) * oneItem
    const shareOf = (total: bigint, own: bigint) => {
      if (quantity >= line.quantity) return total
      const rest = total - smaller(own, total)
      return total - rest + (otherTotal > 0n ? divide(rest * others, otherTotal) : 0n)
    }
    const sum = (places: 4 | 6, of: (item: SerialInRow) => number | null) =>
      weighed.reduce((all, item) => all + scale(places, of(item) ?? 0), 0n)
    const part = {
      weight: shareOf(
        line.weight,
        sum(4, ({ weightKG }) => weightKG),
      ),
      volume: shareOf(
        line.volume,
        sum(6, ({ volumeM3 }) => volumeM3),
      ),
    }
    line.quantity -= quantity
    line.weight -= part.weight
    line.volume -= part.volume
    return part
  })
}

/**
 * The moves that take parts back, with their weight and volume. Goods that left the row meanwhile took an
 * average along, so the row may not have the weight of those that are left. Then it is weighed anew first:
 * all of it goes out and comes in again with the weight of what is taken back and the average of what stays.
 */
export function toUnreceiptMoves(
  parts: readonly UnreceivedPart[],
  received: ReadonlyMap<string, ReceivedMeasures>,
  facts: Pick<StockMove, 'movementId' | 'reason' | 'occurredUtc' | 'source' | 'consignmentId'>,
): StockMove[] {
  const measures = measureParts(parts, received)
  const { consignmentId, ...common } = facts
  const taking = parts.map(
    ({ row, lineId, quantity, items }, i): StockMove => ({
      ...common,
      ...toMove(measures[i] as Measures),
      type: TransactionType.Receive,
      cause: MovementCause.ReceiptUndone,
      from: row.id,
      to: null,
      quantity,
      items: items.map(({ id }) => id),
      consignmentId: consignmentId ?? null,
      consignmentProductId: lineId,
    }),
  )
  const indexesByRow = Map.groupBy(parts.keys(), i => (parts[i] as UnreceivedPart).row.id)
  const weighing = [...indexesByRow.values()].flatMap((indexes): StockMove[] => {
    const { row } = parts[indexes[0] as number] as UnreceivedPart
    const before = { weight: scale(4, row.onHandWeightKG), volume: scale(6, row.onHandVolumeM3) }
    const after = indexes.reduce(
      (rest, i) => {
        const { weight, volume } = measures[i] as Measures
        const { quantity } = parts[i] as UnreceivedPart
        return {
          quantity: rest.quantity - quantity,
          weight: rest.weight - weight,
          volume: rest.volume - volume,
        }
      },
      { quantity: row.onHand, ...before },
    )
    const isRight = (left: bigint) => (after.quantity === 0n ? left === 0n : left >= 0n)
    if (isRight(after.weight) && isRight(after.volume)) return []
    const corrected = (total: bigint, left: bigint) =>
      isRight(left) ? total : total - left + divide(total * after.quantity, row.onHand)
    const weighed = {
      weight: corrected(before.weight, after.weight),
      volume: corrected(before.volume, after.volume),
    }
    const move = {
      ...common,
      type: TransactionType.Adjustment,
      cause: MovementCause.Correction,
      quantity: row.onHand,
      particulars: 'Weighed anew',
    }
    return [
      { ...move, ...toMove(before), from: row.id, to: null },
      { ...move, ...toMove(weighed), from: null, to: row.id },
    ]
  })
  return [...weighing, ...taking]
}

/** The weight and volume of a row after moves that tell theirs. */
export function measuresAfter(
  { id, onHandWeightKG, onHandVolumeM3 }: StockRow,
  moves: readonly StockMove[],
): Pick<StockRow, 'onHandWeightKG' | 'onHandVolumeM3'> {
  const sum = (places: 4 | 6, before: number, of: (move: StockMove) => number | null | undefined) =>
    Number(
      decimalText(
        places,
        moves.reduce(
          (left, move) => {
            const moved = scale(places, of(move) ?? 0)
            return left + (move.to === id ? moved : 0n) - (move.from === id ? moved : 0n)
          },
          scale(places, before),
        ),
      ),
    )
  return {
    onHandWeightKG: sum(4, onHandWeightKG, ({ weightKG }) => weightKG),
    onHandVolumeM3: sum(6, onHandVolumeM3, ({ volumeM3 }) => volumeM3),
  }
}
