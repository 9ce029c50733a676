// The days of a storage charge as previews and proofs show them: the balances, what came and went, what each
// day counts, and the ledger lines behind it.

import { named, PlainDate, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { divideRounded, type ExactInteger, multiply, powerOfTen, textOf } from '../evaluator/exact.ts'
import type { MeasuredStorage } from './evaluate-storage.ts'
import type { LedgerLine } from './ledger-lines.ts'
import { dateOf, dayAt, type LocalCalendar } from './local-days.ts'
import type { Position, StockHistory } from './stock-history.ts'

const Figure = { ...Type.String(), description: 'A decimal, in units of the charged metric.' }

/** A reference to a ledger line: its stock row and its number there. */
export const LedgerLineReference = named(
  'StorageLedgerLine',
  Type.Object({ warehouseProductId: Uuid, version: Type.Integer() }),
)
type LedgerLineName = Static<typeof LedgerLineReference>

/** A day of a storage charge. */
export const StorageDay = named(
  'StorageDay',
  Type.Object({
    day: { ...PlainDate, description: 'A local day of the warehouse.' },
    opening: Figure,
    in: {
      ...Figure,
      description: 'What was received; not what was moved here from goods that the rate charges elsewhere.',
    },
    out: Figure,
    peak: Figure,
    closing: Figure,
    counted: { ...Type.String(), description: 'What the day counts for the charge.' },
    ledgerRows: Type.Array(LedgerLineReference, { description: 'The first hundred lines of the day.' }),
    ledgerRowCount: Type.Integer(),
  }),
)

/** The maximum number of lines that are listed for a day, and of late lines. */
export const maxListedLines = 100

/** The reference to a line. */
export const referenceOf = (
  { positions }: StockHistory,
  { position, version }: LedgerLine,
): LedgerLineName => ({
  warehouseProductId: (positions[position] as Position).id,
  version,
})

/** Converts the days of measured storage to those that the API shows. */
export function toStorageDays(
  { series, counted, group, parts }: MeasuredStorage,
  history: StockHistory,
  calendar: LocalCalendar,
): Static<typeof StorageDay>[] {
  const figure = (total: ExactInteger) => textOf(6, divideRounded(multiply(total, powerOfTen(6)), parts))
  const lines = Map.groupBy(group.lines, index => dayAt(calendar, history.lines.instantAt(index)))
  return series.map(({ day, ...figures }, n) => ({
    day: dateOf(day),
    opening: figure(figures.opening),
    in: figure(figures.in),
    out: figure(figures.out),
    peak: figure(figures.peak),
    closing: figure(figures.closing),
    counted: textOf(6, counted[n] as ExactInteger),
    ledgerRows: (lines.get(day) ?? [])
      .slice(0, maxListedLines)
      .map(index => referenceOf(history, history.lines.at(index))),
    ledgerRowCount: lines.get(day)?.length ?? 0,
  }))
}
