// What the storage of goods comes to, day by day, whatever was moved, described anew or became known late.

import { centsFor } from '../notebook/money.ts'
import { levelsOf, type StoredDay } from '../notebook/storage.ts'
import { priceOf } from '../prices.ts'
import { ask, type World } from '../world.ts'
import { sameFigure, sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

/** What of a day counts, by the name of the rate, with the number that the service calls it by. */
const counts: Record<string, { count: number; of(day: StoredDay): number }> = {
  Closing: { count: 1, of: ({ closing }) => closing },
  Opening: { count: 2, of: ({ opening }) => opening },
  Greatest: { count: 3, of: ({ peak }) => peak },
}

const days = 7
const each = 0.123456

export async function storage(world: World): Promise<void> {
  const { notebook, clientId, books } = world
  const now = Date.now()
  const dates = Array.from({ length: days }, (_, n) => notebook.dayAt(now - (days - 1 - n) * 86_400_000))
  const rates = Object.entries(counts).map(([name, { count }]) => ({
    ...{ name, kind: 4, basis: 2, activityTypeId: books.activityTypeId },
    charges: [
      {
        ...{ metric: 2, application: 1, rateExclTax: each },
        storage: { count, method: 1, groupBy: ['product'] },
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
  for (const product of notebook.products) {
    const stored = levelsOf(notebook, product, dates)
    for (const [name, { of }] of Object.entries(counts)) {
      const metric = stored.reduce((all, day) => all + of(day), 0)
      const row = told.get(`${name} product=${product.id}`)
      const what = `the storage of ${product.code} by ${name}`
      sameFigure(row?.quantity ?? 0, Math.round(metric * 1e6) / 1e6, what)
      if (row === undefined) continue
      rows++
      const cents = centsFor(priceOf('items', each), row.quantity, 0)
      sameFigure(Math.round(row.amountExclTax * 100), cents, `${what}, in cents`)
    }
  }
  sameFigure(charges.length, rows, 'the rows of storage')
}
