// What the storage of goods comes to, day by day and by whatever it is charged, whatever was moved, described
// anew or became known late.

import { centsFor } from '../notebook/money.ts'
import { type GroupedBy, levelsOf, type Stored, type StoredDay } from '../notebook/storage.ts'
import { groups, priceOf, storedMetrics } from '../prices.ts'
import { ask, type World } from '../world.ts'
import { sameFigure, sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

interface Kind {
  /** the number that the service calls it by, and what of a day counts */
  count: number
  of(day: StoredDay): number
  by: readonly GroupedBy[]
  counted: Stored
}

const closing = { count: 1, of: ({ closing }: StoredDay) => closing }
const opening = { count: 2, of: ({ opening }: StoredDay) => opening }
const greatest = { count: 3, of: ({ peak }: StoredDay) => peak }
const byProduct = { by: ['product'], counted: 'items' } as const

// What leaves passes a dock, so the greatest is compared of what is charged wherever it lies.
/** What is asked for, by the name of the rate. */
const kinds: Record<string, Kind> = {
  Closing: { ...closing, ...byProduct },
  Opening: { ...opening, ...byProduct },
  Greatest: { ...greatest, ...byProduct },
  Zones: { ...closing, by: ['zone', 'product'], counted: 'items' },
  Places: { ...closing, by: ['place'], counted: 'items' },
  Pallets: { ...closing, by: ['pallet'], counted: 'items' },
  House: { ...greatest, by: [], counted: 'items' },
  Racks: { ...closing, by: ['zone'], counted: 'places' },
}

const days = 7
const each = 0.123456

export async function storage(world: World): Promise<void> {
  const { notebook, clientId, books } = world
  const now = Date.now()
  const dates = Array.from({ length: days }, (_, n) => notebook.dayAt(now - (days - 1 - n) * 86_400_000))
  const rates = Object.entries(kinds).map(([name, { count, by, counted }]) => ({
    ...{ name, kind: 4, basis: 2, activityTypeId: books.activityTypeId },
    charges: [
      {
        ...{ metric: storedMetrics[counted], application: 1, rateExclTax: each },
        storage: { count, method: 1, groupBy: by.map(name => groups[name]) },
      },
    ],
  }))
  const { charges, unrated } = await ask(world, 'post', '/v1/storage-charges/preview', {
    ...{ partnerId: clientId, dateFrom: dates[0], dateTo: dates.at(-1) },
    content: { defaultTaxRateId: books.taxRateId, rates },
  })
  sameText(unrated, [], 'stored goods that nobody pays for')
  const told = new Map<string, Row>(
    charges.map((row: Row) => [`${row.particulars.split(',')[0]} ${row.groupKey}`, row]),
  )
  let rows = 0
  for (const [name, kind] of Object.entries(kinds))
    for (const [key, stored] of levelsOf(notebook, dates, kind)) {
      const metric = stored.reduce((all, day) => all + kind.of(day), 0)
      const groupKey = key.replace('place=', 'location=').replace('pallet=', 'logisticUnit=')
      const row = told.get(`${name} ${groupKey}`)
      const what = `the storage of ${groupKey} by ${name}`
      sameFigure(row?.quantity ?? 0, Math.round(metric * 1e6) / 1e6, what)
      if (row === undefined) continue
      rows++
      const cents = centsFor(priceOf('items', each), row.quantity, 0)
      sameFigure(Math.round(row.amountExclTax * 100), cents, `${what}, in cents`)
    }
  sameFigure(charges.length, rows, 'the rows of storage')
}
