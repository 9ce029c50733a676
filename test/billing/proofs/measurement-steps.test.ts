// A proof begins with the quantities that came or left: it shows how they became pallets, units or kilograms.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRates } from '../../support/given-rates.ts'

const { world, clientId, carrierId, ...given } = await openRates()
const { admin } = world
const { card, charge, content, createApprovedVersion, rate, freight, goods, charges, made, close } = given

const cardId = await card()
let days = 0
const prices = (of: object) => createApprovedVersion(cardId, of, `2020-01-${String(++days).padStart(2, '0')}`)

interface Proof {
  isVerified: boolean
  steps: { name: string; from: string; operation: string; to: string }[]
  inputs: { name: string; value: string; source: { kind: string; id: string } | null }[]
}
const proofs = async (id: string, kind = 'clientActivityCharges'): Promise<Proof[]> => {
  const shown: { id: string }[] = (await charges(id))[kind]
  return Promise.all(
    shown.map(async one => (await admin.get(`/v1/consignments/${id}/charges/${one.id}/proof`)).body),
  )
}
const ofMeasuring = ({ steps }: Proof) =>
  steps
    .filter(({ name }) => ['convert', 'measure', 'rounding'].includes(name))
    .map(({ name, from, operation, to }) => [name, from, operation, to])

test('a proof in pallets converts each line, rounds it as agreed, and adds up', async () => {
  const up = { metric: 5, rateExclTax: 12, rounding: 1, roundTo: 1 }
  await prices(content(rate([charge(up)])))
  const id = await goods([{ quantity: 584 }, { quantity: 288 }], { type: 0, status: 0 })
  const expected = [
    ['convert', '584.0000', 'PLUM: ÷ 576 to a pallet, up to a multiple of 1.000000', '2.000000'],
    ['convert', '288.0000', 'PLUM: ÷ 576 to a pallet, up to a multiple of 1.000000', '1.000000'],
    ['measure', '2 + 1', 'pallets of 2 parts', '3.000000'],
  ]
  const [open] = await proofs(id)
  assert.deepEqual(ofMeasuring(open as Proof), expected)
  assert.equal((await close(id, '2026-03-31')).status, 200)
  const [closed] = await proofs(id)
  assert.deepEqual([closed?.isVerified, ofMeasuring(closed as Proof)], [true, expected])
})

test('a proof in whole pallets shows what each charge took of a line', async () => {
  await prices(content(rate([charge({ metric: 5, metricResolution: 2, rateExclTax: 12 }), charge()])))
  const [pallets, items] = await proofs(await goods([{ quantity: 584 }]))
  assert.deepEqual(ofMeasuring(pallets as Proof), [
    ['convert', '576.0000', 'PLUM: ÷ 576 to a pallet, whole ones only', '1.000000'],
    ['measure', '1', 'pallets of PLUM', '1.000000'],
  ])
  assert.deepEqual(ofMeasuring(items as Proof), [['measure', '8', 'quantity of PLUM', '8.000000']])
})

test('a proof by weight adds the lines up before it rounds them; chargeable weight shows both', async () => {
  await prices(
    content(
      rate([charge({ metric: 3, rounding: 1, roundTo: 100 })]),
      rate([charge({ metric: 12, cubicKGPerM3: 333 })]),
    ),
  )
  const [weight, chargeable] = await proofs(
    await goods([{ quantity: 1, weightKG: 120.5, volumeM3: 1 }, { quantity: 5 }]),
  )
  assert.deepEqual(ofMeasuring(weight as Proof), [
    ['measure', '120.5 + 10', 'weight in kg of 2 parts', '130.500000'],
    ['rounding', '130.500000', 'up to a multiple of 100.000000', '200.000000'],
  ])
  assert.deepEqual(ofMeasuring(chargeable as Proof), [
    ['measure', '130.5 kg, 1.05 m³', 'the greater of the weight and 333 kg a m³', '349.650000'],
  ])
})

test('a long sum names its first ten values', async () => {
  await prices(content(rate([charge()])))
  const lines = Array.from({ length: 12 }, (_, i) => ({ quantity: i + 1 }))
  const [proof] = await proofs(await goods(lines))
  assert.deepEqual(ofMeasuring(proof as Proof), [
    ['measure', '1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + …', 'quantity of 12 parts', '78.000000'],
  ])
})

test('a proof of raised freight names the row of the FAF profile', async () => {
  const fafProfileId = await made('/v1/faf-profiles', { name: 'Fuel' })
  const rowId = await made(`/v1/faf-profiles/${fafProfileId}/rates`, {
    ...{ fafPercent: 0.125, effectiveFromUtc: '2020-01-01T00:00:00Z', carrierId },
  })
  await prices({ ...content(freight([charge({ metric: 1 })])), fafProfileId })
  const [raised] = await proofs(await goods([{ quantity: 1 }]), 'clientFreightCharges')
  const source = { kind: 'record', id: rowId, type: null, atUtc: null, by: null }
  assert.deepEqual(raised?.inputs.at(-1), { name: 'fafPercent', value: '0.125000', unit: null, source })
  await prices(content(freight([charge({ metric: 1 })])))
  const [plain] = await proofs(await goods([{ quantity: 1 }]), 'clientFreightCharges')
  assert.ok(plain?.inputs.every(({ name }) => name !== 'fafPercent'))
})
