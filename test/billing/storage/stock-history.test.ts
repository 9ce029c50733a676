// Spans cut out of a history, compared with simply adding up random lines.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ColumnBuffer } from '../../../src/billing/evaluator/array-columns.ts'
import { LedgerLines } from '../../../src/billing/storage/ledger-lines.ts'
import { HistorySpans, type Position, type StockHistory } from '../../../src/billing/storage/stock-history.ts'
import fc from '../../support/properties.ts'

interface Line {
  position: number
  at: number
  quantity: number
}

const position = (_: unknown, n: number): Position => ({
  id: `P${n}`,
  productId: 'product',
  locationId: 'location',
  logisticUnitId: null,
  attributes: [],
  receivedDay: 0,
})

function historyOf(openings: readonly number[], lines: readonly Line[]): StockHistory {
  const column = (numbers: readonly number[]) => new ColumnBuffer().read(`{${numbers.join(',')}}`)
  const zeros = column(lines.map(() => 0))
  return {
    positions: openings.map(position),
    openings: openings.map(quantity => ({ quantity, weight: 0, volume: 0 })),
    lines: new LedgerLines({
      positions: column(lines.map(line => line.position)),
      versions: column(lines.map((_, n) => n + 1)),
      instants: column(lines.map(({ at }) => at)),
      begins: 0,
      movements: Int32Array.from(lines.keys()),
      quantities: column(lines.map(({ quantity }) => quantity)),
      weights: zeros,
      volumes: zeros,
    }),
  }
}

/** A span as text: the opening balance of each position, and the lines. */
const asText = ({ positions, openings, lines }: StockHistory) => ({
  openings: positions.map(({ id }, n) => `${id}: ${openings[n]?.quantity}`),
  lines: [...lines].map(({ position, at, quantity }) => `${positions[position]?.id} ${at}: ${quantity}`),
})

/** The expected text of a span, computed by adding up all lines before it. */
function expected(openings: readonly number[], lines: readonly Line[], begins: number, ends: number) {
  const between = lines.filter(({ at }) => at >= begins && at < ends)
  const held = openings.map((opening, n) =>
    lines
      .filter(({ position, at }) => position === n && at < begins)
      .reduce((sum, { quantity }) => sum + quantity, opening),
  )
  const isUsed = held.map((quantity, n) => quantity !== 0 || between.some(({ position }) => position === n))
  return {
    openings: held.flatMap((quantity, n) => (isUsed[n] ? [`P${n}: ${quantity}`] : [])),
    lines: between.map(({ position, at, quantity }) => `P${position} ${at}: ${quantity}`),
  }
}

const instant = fc.integer({ min: 0, max: 20 })
const quantity = fc.integer({ min: -3, max: 3 })

test('spans of a history have the right opening balances and lines, in whatever order they are cut', () => {
  fc.assert(
    fc.property(
      fc.array(quantity, { minLength: 1, maxLength: 4 }),
      fc.array(fc.record({ position: fc.nat(3), at: instant, quantity }), { maxLength: 25 }),
      fc.array(fc.tuple(instant, instant), { minLength: 1, maxLength: 6 }),
      (openings, drawn, spans) => {
        const lines = drawn
          .map(line => ({ ...line, position: line.position % openings.length }))
          .toSorted((a, b) => a.at - b.at)
        const cut = new HistorySpans(historyOf(openings, lines))
        for (const [a, b] of spans) {
          const [begins, ends] = [Math.min(a, b), Math.max(a, b)]
          assert.deepEqual(asText(cut.between(begins, ends)), expected(openings, lines, begins, ends))
        }
      },
    ),
    { numRuns: 500 },
  )
})
