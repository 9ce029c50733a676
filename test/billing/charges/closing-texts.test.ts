// The texts of a closing: its parts, and the copies that back-tests read instead of its charges.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { backTestsOf } from '../../support/given-back-tests.ts'
import { rulesBrokenBy } from '../../support/given-proofs.ts'
import { openRates } from '../../support/given-rates.ts'

const { world, ...given } = await openRates()
const { admin, database } = world
const { card, charge, content, createApprovedVersion, rate, goods, charges, close, include, made } = given
const { runBackTest } = backTestsOf(database, admin)

const label = await made('/v1/product-attributes', { name: 'ラベル' })
const pallet = await made('/v1/package-types', { code: 'PLT', name: 'Pallet' })
const description = '赤 "dark"\n\\ Größe'
const version = content(
  rate(
    [
      charge({
        rateExclTax: 2,
        when: { productAttributes: [{ productAttributeId: label, descriptions: [description] }] },
      }),
      charge({ rateExclTax: 1, when: { packageTypeCodes: ['PLT'] } }),
      charge({ rateExclTax: 0.5 }),
    ],
    { basis: 2 },
  ),
  {
    name: 'Wrapping',
    kind: 1,
    basis: 1,
    activityTypeId: given.activityTypeId,
    charges: [charge({ metric: 7, when: { taskTypeIds: [given.wrapping] } })],
  },
)
await createApprovedVersion(await card(), version)
await createApprovedVersion(
  await card(given.carrierId, 2),
  content(given.freight([charge({ metric: 3 })], 3)),
)

/**
 * A Closed consignment of four lines, one with attributes, one packed, one of unknown weight, and a task.
 */
async function closedWithEverything(): Promise<string> {
  const lines = [{ quantity: 7 }, { quantity: 5.5 }, { quantity: 3, productId: null }, { quantity: 1 }]
  const id = await goods(lines, { type: 0, status: 0, tasks: 2 })
  const attributes = JSON.stringify([{ name: 'ラベル', description }])
  await database.atomically(async tx => {
    await tx.run(sql`update consignment_product set attributes = ${attributes}::jsonb
      where consignment_id = ${id} and ordinal in (0, 3)`)
    await tx.run(sql`update consignment_product set package_type_id = ${pallet}
      where consignment_id = ${id} and ordinal in (1, 3)`)
  })
  const [, packed] = (await charges(id)).clientActivityCharges
  await include(id, packed.id, false)
  assert.equal((await close(id, '2026-03-31')).status, 200)
  return id
}

const id = await closedWithEverything()
await close(await goods([], { type: 0, status: 0, carrierId: null }), '2026-03-31')

test('a closing is stored as texts: the facts for selectors, its parts and its amounts', async () => {
  const [one] = await database.db.rows<Record<string, string>>(sql`
    select part_subjects, part_figures, client_amounts, carrier_amounts from charge_input
    where consignment_id = ${id}`)
  assert.deepEqual(
    one?.partFigures,
    '7.0000 14.0000 0.070000 x 0 5.5000 11.0000 0.055000 x 0 3.0000 x x x 0 1.0000 2.0000 0.010000 x 0 2.0000 x x 0 0',
  )
  assert.equal(one?.partSubjects?.split('\n').length, 5)
  assert.deepEqual([one?.clientAmounts, one?.carrierAmounts], ['16.00 x 1.50 2.00', '27.00'])
})

test('a back-test derives the billed amounts from them, in every script', async () => {
  const { control, totals } = await runBackTest({ content: version })
  assert.deepEqual([control, totals.difference], [{ checked: 2, differing: 0 }, 0])
})

test('copies that differ from the columns and charges are found', async () => {
  for (const [column, other] of Object.entries({
    selectorFacts: sql`selector_facts = selector_facts || ' '`,
    clientAmounts: sql`client_amounts = replace(client_amounts, 'x', '5.50')`,
    carrierAmounts: sql`carrier_amounts = ''`,
  }))
    assert.deepEqual(
      await rulesBrokenBy(database, sql`update charge_input set ${other} where consignment_id = ${id}`),
      ['The facts and amounts of a closing that back-tests read match its columns and charges.'],
      column,
    )
})
