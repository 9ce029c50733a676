// Random sequences of changes to a consignment and its prices: the charges shown match a simple model, the
// amounts billed are those shown, and Closed consignments do not change.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRates } from '../../support/given-rates.ts'
import fc from '../../support/properties.ts'

const { world, wrapping, activityTypeId, taxRateId, ...given } = await openRates()
const { admin } = world
const { card, createApprovedVersion, goods, charges, include, close, reopen, enter, transactionsOf } = given

const rule = { id: '018f0000-0000-7000-8000-00000000bbbb', metric: 7, application: 1 }
const rate = {
  id: '018f0000-0000-7000-8000-00000000aaaa',
  name: 'Wrapping',
  kind: 1,
  basis: 1,
  activityTypeId,
}
const cardId = await card()
const path = (id: string) => `/v1/consignments/${id}`

interface ChargeRow {
  id: string
  isAdhoc: boolean
  isEffective: boolean
  amountExclTax: number
}
const readShown = async (id: string) =>
  ((await charges(id)).clientActivityCharges as ChargeRow[]).map(
    ({ isAdhoc, isEffective, amountExclTax }) => ({
      isAdhoc,
      isEffective,
      amountExclTax,
    }),
  )

const command = fc.oneof(
  fc.record({ do: fc.constant('work' as const), n: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constant('price' as const), n: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constant('include' as const), n: fc.constantFrom(0, 1) }),
  fc.record({ do: fc.constant('enter' as const), n: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constant('close' as const), n: fc.constant(0) }),
  fc.record({ do: fc.constant('reopen' as const), n: fc.constant(0) }),
)

/** Days since 2000: each version takes effect a day after the previous one. */
let day = 0
const setPrice = (rateExclTax: number) => {
  const charge = { ...rule, rateExclTax, when: { taskTypeIds: [wrapping] } }
  const content = { defaultTaxRateId: taxRateId, rates: [{ ...rate, charges: [charge] }] }
  const date = new Date(Date.UTC(2000, 0, ++day)).toISOString().slice(0, 10)
  return createApprovedVersion(cardId, content, date)
}

test('any sequence of work, prices, exclusions, ad hoc charges, closings and reopenings yields the expected amounts', async () => {
  for (const commands of fc.sample(fc.array(command, { minLength: 12, maxLength: 25 }), 6)) {
    let price = 5
    await setPrice(price)
    const id = await goods([], { type: 0, tasks: 2, status: 0 })
    let work = 2
    let isIncluded = true
    const entered: number[] = []
    let closed: Awaited<ReturnType<typeof readShown>> | undefined
    const expected = () => [
      { isAdhoc: false, isEffective: isIncluded, amountExclTax: work * price },
      ...entered.map(amountExclTax => ({ isAdhoc: true, isEffective: true, amountExclTax })),
    ]
    for (const { do: action, n } of commands) {
      const isClosed = closed !== undefined
      if (action === 'price') {
        price = n
        await setPrice(n)
      } else if (action === 'work') {
        const { status } = await admin.put(`${path(id)}/tasks/${wrapping}`, { value: n })
        assert.equal(status, isClosed ? 400 : n === work ? 304 : 200)
        if (!isClosed) work = n
      } else if (action === 'include') {
        const computed = ((await charges(id)).clientActivityCharges as ChargeRow[]).find(
          ({ isAdhoc }) => !isAdhoc,
        )
        const { status } = await include(id, computed?.id as string, n === 1)
        assert.equal(status, isClosed ? 400 : (n === 1) === isIncluded ? 304 : 200)
        if (!isClosed) isIncluded = n === 1
      } else if (action === 'enter' && !isClosed) {
        await enter(id, 'client-activity', { metricValue: 1, chargeRateExclTax: n })
        entered.push(n)
      } else if (action === 'close' && !isClosed) {
        closed = await readShown(id)
        assert.equal((await close(id)).status, 200)
        const pending = (await transactionsOf(id)).filter(({ status }) => status === 1)
        assert.deepEqual(
          pending.map(({ amountExclTax }) => amountExclTax).toSorted(),
          closed.flatMap(charge => (charge.isEffective ? [charge.amountExclTax] : [])).toSorted(),
        )
      } else if (action === 'reopen' && isClosed) {
        assert.equal((await reopen(id)).status, 200)
        closed = undefined
        assert.ok((await transactionsOf(id)).every(({ status }) => status === 3))
      }
      assert.deepEqual(await readShown(id), closed ?? expected(), `${action} ${n}`)
    }
  }
})
