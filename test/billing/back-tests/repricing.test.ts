import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Comparison, type TestedCard } from '../../../src/billing/back-tests/compare.ts'
import { BilledAmounts, type TestedConsignment } from '../../../src/billing/back-tests/decode-page.ts'
import { SharedHeader } from '../../../src/billing/back-tests/shared-facts.ts'
import { ColumnBuffer } from '../../../src/billing/evaluator/array-columns.ts'
import { compileCard } from '../../../src/billing/evaluator/compiled-card.ts'
import { findCorrespondingCharges } from '../../../src/billing/evaluator/corresponding-charges.ts'
import { evaluate } from '../../../src/billing/evaluator/evaluate.ts'
import { textOf } from '../../../src/billing/evaluator/exact.ts'
import type { RateCardContent, RateChargeContent } from '../../../src/billing/evaluator/rate-card-content.ts'
import { RateKind } from '../../../src/vocabulary/billing.ts'
import { contents, headers, idOf, inputOf, parts } from '../../support/given-cards.ts'
import fc from '../../support/properties.ts'

/** A version with only the fields that a comparison reads. */
const versionOf = (number: number, content: RateCardContent) =>
  ({ id: idOf(30, number), content, card: compileCard(content) }) as TestedCard['version']

/**
 * The same content with other prices, some higher and some lower. Amounts that were too large may become
 * valid.
 */
function atOtherPrices(content: RateCardContent, more: number): RateCardContent {
  const times = (value: number | null | undefined, factor: number) =>
    value && (Math.round(value * factor * 100) / 100 || value)
  const chargeAt = (charge: RateChargeContent, rate: number): RateChargeContent => {
    const other = (value: number | null | undefined) =>
      times(value, value && value > 1e6 ? 1e-6 : rate % 2 === 0 ? 1 + more : 1 / (1 + more))
    return {
      ...charge,
      rateExclTax: other(charge.rateExclTax),
      baseExclTax: other(charge.baseExclTax),
      minExclTax: other(charge.minExclTax),
      maxExclTax: other(charge.maxExclTax),
      breaks: charge.breaks && {
        ...charge.breaks,
        bands: charge.breaks.bands.map(band => ({ ...band, rateExclTax: other(band.rateExclTax) })),
      },
    } as RateChargeContent
  }
  const rates = content.rates.map((rate, r) => ({
    ...rate,
    charges: rate.charges.map(charge => chargeAt(charge, r)),
  }))
  return { ...content, rates }
}

/**
 * The same content with an additional rate that applies to no consignment, so that it differs in more than
 * prices.
 */
const withAnotherRate = (content: RateCardContent): RateCardContent => ({
  ...content,
  rates: [
    ...content.rates,
    {
      ...{ id: idOf(20, 99), name: 'For nobody', kind: RateKind.Activity, basis: 1 },
      activityTypeId: idOf(12, 99),
      charges: [
        {
          ...{ id: idOf(21, 999), metric: 2, application: 1, rateExclTax: 1 },
          when: { carrierIds: [idOf(8, 99)] },
        },
      ],
    } as RateCardContent['rates'][number],
  ],
})

/** Two freight rates for the same goods, of which one is chosen by its price. */
const competing = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })).map(prices => ({
  defaultTaxRateId: idOf(11, 0),
  rates: prices.map((rateExclTax, r) => ({
    ...{ id: idOf(20, r), name: `Freight ${r}`, kind: RateKind.ClientFreight, basis: 2 },
    charges: [{ id: idOf(21, r), when: {}, metric: 2, application: 1, rateExclTax }],
  })),
})) as fc.Arbitrary<RateCardContent>

const raises = fc.integer({ min: -500_000, max: 1_000_000 })
const cases = fc.record({
  content: fc.oneof({ weight: 9, arbitrary: contents('client') }, { weight: 1, arbitrary: competing }),
  header: headers,
  // the header with the localities of the tested card, if they differ
  otherHeader: fc.option(headers),
  parts,
  more: fc.constantFrom(0.1, 0.5, 1, 3),
  faf: raises,
  raise: raises,
  resolution: fc.constantFrom(0 as const, 1 as const, 2 as const),
})

test('a card that differs in prices alone gives the same result repriced and evaluated again', () => {
  let priced = 0
  fc.assert(
    fc.property(cases, ({ content, header, otherHeader, parts, more, faf, raise, resolution }) => {
      const billed = versionOf(1, content)
      const input = inputOf(header, parts)
      const terms = { side: 'client', freightResolution: resolution, faf } as const
      const amounts = evaluate(billed.card, input, terms).charges.map(({ row }) => textOf(2, row.amount))
      const compared = (tried: RateCardContent) => {
        const kinds = new Set([RateKind.Activity, RateKind.ClientFreight])
        const comparison = new Comparison({
          ...{ version: versionOf(2, tried), side: 'client', kinds, activityTaxRates: new Map() },
          faf: () => raise,
        })
        comparison.prepare(billed)
        const shared = new SharedHeader(input.header)
        const consignment: TestedConsignment = {
          ...{ id: idOf(40, 1), closingNumber: 1, instant: 0, header: shared },
          testedHeader: otherHeader === null ? shared : new SharedHeader(inputOf(otherHeader, parts).header),
          terms: {
            ...{ partnerId: idOf(1, 1), versionId: billed.id, faf, freightResolution: resolution },
            evaluatorVersion: input.evaluatorVersion,
          },
          parts: [...input.parts],
          measurements: undefined,
          billed: new BilledAmounts(new ColumnBuffer().read(amounts.join(' ')), 0),
          adjusted: [],
        }
        const derived = comparison.derive(consignment, billed)
        comparison.add(consignment, '2026-03', derived, [])
        const { before, after, controlDiffering } = comparison
        const rows = comparison.rows().map(({ rate, ...row }) => ({ ...row, rate: rate.id }))
        const bills = comparison.differences().map(one => one.bills.map(bill => bill.amounts))
        return { before, after, controlDiffering, rows, bills, unrated: comparison.unrated() }
      }
      const tried = atOtherPrices(content, more)
      const again = withAnotherRate(tried)
      assert.equal(findCorrespondingCharges(billed.card.rates, compileCard(again).rates), undefined)
      if (findCorrespondingCharges(billed.card.rates, compileCard(tried).rates) !== undefined)
        priced += amounts.length
      const [found, wanted] = [compared(tried), compared(again)]
      // With an additional rate, an unrated part may have another reason.
      const counted = ({ unrated, ...rest }: typeof found) => ({
        ...rest,
        unrated: unrated.reduce((sum, { count }) => sum + count, 0),
      })
      assert.deepEqual(counted(found), counted(wanted))
      assert.equal(found.controlDiffering, 0)
    }),
    { numRuns: 2_000 },
  )
  assert.ok(priced > 500, `Only ${priced} charges were priced again.`)
})

test('a card that differs in more than prices is evaluated again', () => {
  const charge = {
    ...{ id: idOf(21, 1), metric: 2, application: 1, rateExclTax: 1, when: { consignmentTypes: [1] } },
  }
  const cardOf = (change: object, kind = 1) =>
    compileCard({
      rates: [{ id: idOf(20, 1), name: 'Handling', kind, basis: 2, charges: [{ ...charge, ...change }] }],
    } as unknown as RateCardContent).rates
  const areAlike = (change: object, kind?: number) =>
    findCorrespondingCharges(cardOf({}), cardOf(change, kind)) !== undefined
  for (const prices of [
    { rateExclTax: 2, baseExclTax: 3, minExclTax: 1, maxExclTax: 9 },
    { id: idOf(21, 2), isFafExempt: true },
  ])
    assert.equal(areAlike(prices), true, JSON.stringify(prices))
  for (const change of [
    { when: { consignmentTypes: [2] } },
    { when: {} },
    { when: { consignmentTypes: [1], productIds: [idOf(1, 1)] } },
    { metric: 3 },
    { application: 2 },
    { rateExclTax: 0 },
    { rounding: 1, roundTo: 5 },
    { isPerProduct: true },
    { breaks: { kind: 1, bands: [{ upTo: null, rateExclTax: 1 }] } },
    { storage: { count: 1, method: 1 } },
  ])
    assert.equal(areAlike(change), false, JSON.stringify(change))
  assert.equal(areAlike({}, 2), false, 'a rate of another kind')
  const bands = (upTo: number) => ({
    breaks: {
      kind: 1,
      bands: [
        { upTo, rateExclTax: 1 },
        { upTo: null, rateExclTax: 2 },
      ],
    },
  })
  assert.equal(findCorrespondingCharges(cardOf(bands(5)), cardOf(bands(6))), undefined)
  assert.notEqual(findCorrespondingCharges(cardOf(bands(5)), cardOf(bands(5))), undefined)
  assert.equal(findCorrespondingCharges(cardOf({}), [...cardOf({}), ...cardOf({})]), undefined)
})
