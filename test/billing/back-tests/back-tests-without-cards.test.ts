// Back-tests of consignments that no card charged.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backTestsOf } from '../../support/given-back-tests.ts'
import { openRates } from '../../support/given-rates.ts'

const { world, ...given } = await openRates()
const { admin, database } = world
const { charge, content, rate, goods, enter, close } = given
const { runBackTest } = backTestsOf(database, admin)

const byHand = await goods([{ quantity: 8 }], { type: 0, status: 0, carrierId: null })
await enter(byHand, 'client-activity')
assert.equal((await close(byHand)).status, 200)

test('charges entered for consignments without a card are shown separately, and are in no total', async () => {
  const later = await goods([{ quantity: 3 }], { type: 0, status: 0, carrierId: null })
  assert.equal((await close(later)).status, 200)
  const { withoutCard, totals, control } = await runBackTest({ content: content(rate([charge()])) })
  assert.deepEqual(withoutCard, { count: 2, byHandExclTax: 21 })
  assert.deepEqual(totals, { before: 0, after: 11, difference: 11 })
  assert.deepEqual(control, { checked: 2, differing: 0 })
})
