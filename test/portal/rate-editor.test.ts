// The editor of rate cards without a browser: what it offers is what the service accepts, and its sentences say
// what a charge is for and what it costs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateBasis, RateKind } from '../../client/src/waybill.ts'
import { metricsOf, partsOf, selectorsOf } from '../../portal/src/charge-rules.ts'
import { moved, newCharge, newRate, ofKind, ofMetric } from '../../portal/src/edit-content.ts'
import { type Rate, type RateCharge, sentenceOf } from '../../portal/src/words/rate-charges.ts'
import { placeInWords } from '../../portal/src/words/rate-editor.ts'
import { contentFaults } from '../../src/billing/evaluator/content-faults.ts'

const id = '018f0000-0000-7000-8000-00000000aaaa'
const faultsOf = (rate: Rate) => contentFaults({ defaultTaxRateId: id, rates: [rate] })

const kinds = Object.values(RateKind)
/** The bases that the editor offers for a kind. */
const basesOf = (kind: Rate['kind']) =>
  kind === RateKind.Storage || kind === RateKind.Periodic
    ? [newRate('Rate', kind, id).basis]
    : Object.values(RateBasis)

/** A charge of a rate with every condition and measure that the editor offers. */
function fullCharge(rate: Rate, metric: RateCharge['metric']): RateCharge {
  const charge = ofMetric(newCharge(rate), metric)
  const { hasUnit, hasProducts } = partsOf(rate, charge)
  return {
    ...charge,
    ...(hasUnit ? { unitTypeId: id } : {}),
    ...(hasProducts ? { isPerProduct: true } : {}),
    when: Object.fromEntries(selectorsOf(rate, charge, true).map(name => [name, [id]])),
  }
}

test('every measure and condition that the editor offers is one that the service accepts', () => {
  for (const kind of kinds)
    for (const basis of basesOf(kind))
      for (const metric of metricsOf(kind)) {
        const rate = { ...newRate('Rate', kind, id), basis }
        const faults = faultsOf({ ...rate, charges: [fullCharge(rate, metric)] })
        assert.deepEqual(faults, [], `kind ${kind}, basis ${basis}, metric ${metric}`)
      }
})

test('a rate of another kind keeps nothing that this kind cannot have', () => {
  for (const from of kinds)
    for (const to of kinds) assert.deepEqual(faultsOf(ofKind(newRate('Rate', from, id), to, id)), [])
})

test('an item of a list is moved up and down', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a'])
  assert.deepEqual(moved(['a', 'b', 'c'], 2, 1), ['a', 'c', 'b'])
})

const names: Readonly<Record<string, string>> = {
  swf: 'SWF',
  carton: 'Carton',
  south: 'South Island',
  c: 'Chilled',
}
const sentence = (
  charge: object,
  { kind = RateKind.Activity, isLast = true }: { kind?: number; isLast?: boolean } = {},
) =>
  sentenceOf({ metric: 2, application: 1, ...charge } as RateCharge, kind, isLast, key => names[key] ?? key)

test('a charge is a sentence', () => {
  const cartons = { metric: 6, unitTypeId: 'carton', rateExclTax: 3.2, minExclTax: 12 }
  assert.equal(
    sentence({ ...cartons, when: { consignmentTypes: [2], carrierIds: ['swf'] } }, { isLast: false }),
    'For outwards by SWF: 3.20 a carton, at least 12.00. The rest falls to the next.',
  )
  assert.equal(
    sentence({ ...cartons, minExclTax: null, metricResolution: 2 }),
    '3.20 a carton. Only whole ones.',
  )
  assert.equal(sentence({ metric: 1, rateExclTax: 0 }, { isLast: false }), 'Free.')
  assert.equal(
    sentence({ metric: 1, application: 2, rateExclTax: 45 }, { kind: 5 }),
    '45.00 a billing period.',
  )
  assert.equal(
    sentence({ rateExclTax: 0.45, baseExclTax: 18, metric: 3, when: { destinationLocalityIds: ['south'] } }),
    'For goods to South Island: 18.00 plus 0.45 a kg.',
  )
  const bands = [
    { upTo: 24, rateExclTax: 0.85 },
    { upTo: null, rateExclTax: 0.6 },
  ]
  assert.equal(
    sentence({ breaks: { kind: 2, bands } }),
    '0.85 an item up to 24, 0.60 above, each part by its band.',
  )
  const storage = { count: 3, method: 1, freeHours: 72, groupBy: ['zone'] }
  assert.equal(
    sentence({ metric: 5, rateExclTax: 1.35, rounding: 1, storage, when: { zoneIds: ['c'] } }, { kind: 4 }),
    'For goods in zone Chilled: 1.35 a pallet a day, rounded up to whole ones, counted at the most of each day, ' +
      'the first 72 hours free, by zone.',
  )
})

test('what the service says of a place in the content names the rate and the charge', () => {
  const nameOf = (rate: number, charge: number | undefined) =>
    charge === undefined ? `Rate ${rate + 1}` : `Rate ${rate + 1}, charge ${charge + 1}`
  const told = [
    'content.rates[0].charges[1] is never reached: charges[0] leaves nothing for it.',
    'content.rates[1] (Storage) has no charge at its end that takes the rest.',
    'content.rates[1].charges[0].unitTypeId is required when metric is 6 (UnitType)',
  ]
  assert.deepEqual(
    told.map(text => placeInWords(text, nameOf)),
    [
      'Rate 1, charge 2 is never reached: charge 1 leaves nothing for it.',
      'Rate 2 has no charge at its end that takes the rest.',
      'Rate 2, charge 1: Unit is required when metric is 6 (UnitType)',
    ],
  )
})
