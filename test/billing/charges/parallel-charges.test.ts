import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRates } from '../../support/given-rates.ts'

const { world, ...given } = await openRates()
const { admin } = world
const { card, draft, approve, content, rate, charge, goods, charges, include, close, reopen, adhoc, raised } =
  given

const path = (id: string) => `/v1/consignments/${id}`

interface Shown {
  id: string
  isEffective: boolean
  amountExclTax: number
}

/** What is billed, and what is shown as billed, of a Closed consignment. */
async function both(id: string) {
  const { clientActivityCharges } = (await charges(id)) as { clientActivityCharges: Shown[] }
  const pending = (await raised(id)).filter(({ status }) => status === 1)
  return {
    billed: pending.map(one => [one.consignmentChargeId, one.amountExclTax]).toSorted(),
    shown: clientActivityCharges
      .flatMap(one => (one.isEffective ? [[one.id, one.amountExclTax]] : []))
      .toSorted(),
  }
}

test('whoever closes, excludes, enters, approves and reopens at the same moment: what is shown is what is billed', async () => {
  const cardId = await card()
  await approve(cardId, await draft(cardId, content(rate([charge({ rateExclTax: 1 })])), '2020-01-01'))
  for (let round = 1; round <= 6; round++) {
    const id = await goods([{ quantity: round }], { type: 0, status: 0 })
    const [first] = ((await charges(id)) as { clientActivityCharges: Shown[] }).clientActivityCharges
    const next = await draft(
      cardId,
      content(rate([charge({ rateExclTax: round + 1 })])),
      `2020-02-${String(round).padStart(2, '0')}`,
    )
    const answers = await Promise.all([
      close(id),
      include(id, first?.id as string, false),
      approve(cardId, next).then(() => ({ status: 200 })),
      admin.post(`${path(id)}/charges/client-activity/adhoc`, adhoc()),
      close(id),
      admin.post('/v1/consignments/close', { consignmentIds: [id] }),
    ])
    // 404: the charge is another by now, since another version counts.
    for (const { status } of answers) assert.ok([200, 304, 400, 404].includes(status), String(status))
    const { billed, shown } = await both(id)
    assert.deepEqual(billed, shown)
    await Promise.all([reopen(id), close(id), reopen(id)])
    await close(id)
    const again = await both(id)
    assert.deepEqual(again.billed, again.shown)
  }
})
