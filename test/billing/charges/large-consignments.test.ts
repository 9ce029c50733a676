// A consignment of many lines is read and rated by the thread for large requests, so that others do not wait;
// so are long contents of rate cards.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChargedConsignment } from '../../../src/billing/charges/charged-consignment.ts'
import type { PassOn } from '../../../src/platform/http/endpoint.ts'
import { openRates } from '../../support/given-rates.ts'
import { endpoints } from '../../support/harness.ts'

const { world, ...given } = await openRates()
const { admin, database } = world
const other = await world.stranger()
const { card, charge, content, createApprovedVersion, rate, goods } = given

const passOn: PassOn = () => {
  throw new Error('passed on')
}
const linesOf = (count: number) => Array.from({ length: count }, () => ({ quantity: 2 }))
await createApprovedVersion(await card(), content(rate([charge()])))

test('the charges of more than 500 lines are left to the thread for large requests', async () => {
  const [small, large] = [await goods(linesOf(500)), await goods(linesOf(501))]
  const read = (id: string, by = admin, here: PassOn | undefined = passOn) =>
    readChargedConsignment(database.db, by.actor, id, here)
  assert.equal((await read(small)).charges[0]?.amountExclTax, '1000.00')
  await assert.rejects(read(large), /passed on/)
  assert.equal((await readChargedConsignment(database.db, admin.actor, large)).charges.length, 1)
  await assert.rejects(read(large, other), { status: 404 })
})

test('every endpoint that takes the content of a rate card leaves more than 64 KiB to that thread', () => {
  const taking = endpoints.filter(({ body }) =>
    JSON.stringify(body ?? {}).includes('"minimumSpendPerPeriod"'),
  )
  assert.deepEqual(taking.map(({ name, largeBodyBytes }) => `${name} ${largeBodyBytes}`).toSorted(), [
    'createRateCardBackTest 65536',
    'createRateCardVersion 65536',
    'previewStorageCharges 65536',
    'testRateCard 65536',
    'updateRateCardVersion 65536',
  ])
})
