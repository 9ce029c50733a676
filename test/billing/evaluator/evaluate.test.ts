import assert from 'node:assert/strict'
import process from 'node:process'
import { test } from 'node:test'
import { chargeAmount } from '../../../src/billing/charges/charge-amount.ts'
import { compileCard } from '../../../src/billing/evaluator/compiled-card.ts'
import { contentFaults } from '../../../src/billing/evaluator/content-faults.ts'
import {
  type Evaluation,
  evaluate,
  evaluateCard,
  evaluateWithoutTrace,
} from '../../../src/billing/evaluator/evaluate.ts'
import { evaluatorVersion } from '../../../src/billing/evaluator/evaluator-version.ts'
import { type ExactInteger, textOf, wholeOf } from '../../../src/billing/evaluator/exact.ts'
import { matchCard } from '../../../src/billing/evaluator/match-card.ts'
import { createMeasurementCache } from '../../../src/billing/evaluator/rate-pool.ts'
import { UnratedReason } from '../../../src/vocabulary/billing.ts'
import { decimal, evaluateModel, type ModelPart, type Q } from '../../support/charge-model.ts'
import { contents, headerOf, headers, idOf, inputOf, parts } from '../../support/given-cards.ts'
import fc from '../../support/properties.ts'

// CHARGE_CASES=100000 tests ten times as many cases; PROPERTY_SEED chooses other ones.
const numRuns = Number(process.env.CHARGE_CASES ?? 10_000)

const fraction = ({ n, d }: Q) => `${n}/${d}`
const asFraction = (places: number, value: ExactInteger) => fraction(decimal(textOf(places, value)))

/** The result of the evaluator in the form of the model's result. */
const summaryOf = ({ charges, unrated, traces: rates }: Evaluation) => ({
  rows: charges.map(({ rate, charge, partKey, row }) => ({
    rateId: rate.content.id,
    chargeId: charge.content.id,
    key: partKey,
    metric: asFraction(6, row.metric),
    amount: asFraction(2, row.amount),
  })),
  left: rates.map(({ rate, left, isLeft }) => ({
    rateId: rate.content.id,
    parts: left.map((quantity, part) => (isLeft[part] ? asFraction(4, quantity) : null)),
  })),
  unrated: unrated.map(part => ({ ...part, quantity: asFraction(4, part.quantity) })),
})

const fafs = fc.oneof(
  fc.constant(0),
  fc.integer({ min: -1_000_000, max: 2_000_000 }).map(n => n / 1_000_000),
)
const resolutions = fc.constantFrom(0 as const, 1 as const, 2 as const)
const cases = fc
  .constantFrom('client' as const, 'client' as const, 'carrier' as const)
  .chain(side =>
    fc.record({ side: fc.constant(side), content: contents(side), header: headers, parts, faf: fafs }),
  )

// Compiling a card takes longer than evaluating it, so cards and consignments are created first and then
// combined.
test('the evaluator agrees with a model in plain fractions, for random cards and consignments', () => {
  const many = Math.ceil(Math.sqrt(numRuns) * 5)
  const cards = fc
    .sample(fc.tuple(cases, resolutions), many)
    .map(([drawn, resolution]) => ({ ...drawn, resolution, card: compileCard(drawn.content) }))
  const consignments = fc.sample(
    fc.record({ header: headers, parts, version: fc.constantFrom(1, evaluatorVersion) }),
    many,
  )
  for (const { content } of cards) assert.deepEqual(contentFaults(content), [])
  let charged = 0
  for (let run = 0; run < numRuns; run++) {
    const { side, content, card, faf, resolution } = cards[run % many] as (typeof cards)[number]
    const at = (run * 7 + Math.floor(run / many) * 31) % many
    const { header, parts, version } = consignments[at] as (typeof consignments)[number]
    const found = summaryOf(
      evaluate(card, inputOf(header, parts, version), {
        ...{ side, freightResolution: resolution, faf: wholeOf(6, faf) },
      }),
    )
    charged += found.rows.length
    const wanted = evaluateModel(content, header, parts, { side, resolution, faf, version })
    assert.deepEqual(
      found,
      wanted,
      JSON.stringify({ side, content, header, parts, resolution, faf, version }),
    )
  }
  assert.ok(charged > numRuns, `Only ${charged} charges were made.`)
})

test('what a rate takes and what it leaves of each part add up to the part', () => {
  fc.assert(
    fc.property(cases, ({ side, content, header, parts }) => {
      const input = inputOf(header, parts)
      const { traces } = evaluate(compileCard(content), input, { side, freightResolution: 2, faf: 0 })
      for (const { charges, left, isLeft } of traces) {
        const taken = input.parts.map(() => 0n)
        const wholly = input.parts.map(() => 0)
        for (const { measured } of charges.flatMap(({ rows }) => rows)) {
          for (const { part, quantity, isWhole } of measured.takes) {
            taken[part] = (taken[part] as bigint) + BigInt(quantity)
            wholly[part] = (wholly[part] as number) + Number(isWhole)
          }
        }
        for (const [part, { quantity }] of input.parts.entries()) {
          assert.equal((taken[part] as bigint) + BigInt(left[part] as ExactInteger), BigInt(quantity))
          assert.equal(wholly[part], isLeft[part] ? 0 : 1)
        }
      }
    }),
    { numRuns: numRuns / 20 },
  )
})

test('several cards evaluated on the same parts give the same results as each card alone', () => {
  fc.assert(
    fc.property(cases, fc.array(contents('client'), { minLength: 1, maxLength: 2 }), (drawn, others) => {
      const input = inputOf(drawn.header, drawn.parts)
      const terms = { side: 'client', freightResolution: 2, faf: 0 } as const
      const cache = createMeasurementCache(input)
      for (const content of [...others, drawn.content, ...others]) {
        const card = compileCard(content)
        const found = evaluateCard(matchCard(card, 'client', input.header), input, terms, cache)
        assert.deepEqual(summaryOf(found), summaryOf(evaluate(card, input, terms)))
        const { charges, unrated } = evaluateWithoutTrace(
          matchCard(card, 'client', input.header),
          input,
          terms,
          cache,
        )
        assert.deepEqual([charges, unrated], [found.charges, found.unrated])
      }
    }),
    { numRuns: numRuns / 20 },
  )
})

test('the order of the parts does not matter', () => {
  const shuffled = cases.chain(drawn =>
    fc.record({
      drawn: fc.constant(drawn),
      order: fc.shuffledSubarray(
        drawn.parts.map((_, i) => i),
        { minLength: drawn.parts.length },
      ),
    }),
  )
  fc.assert(
    fc.property(shuffled, ({ drawn: { side, content, header, parts, faf }, order }) => {
      const rowsOf = (someParts: ModelPart[]) =>
        summaryOf(
          evaluate(compileCard(content), inputOf(header, someParts), {
            side,
            freightResolution: 2,
            faf: wholeOf(6, faf),
          }),
        )
          .rows.map(row => JSON.stringify(row))
          .toSorted()
      assert.deepEqual(rowsOf(order.map(i => parts[i] as ModelPart)), rowsOf(parts))
    }),
    { numRuns: numRuns / 20 },
  )
})

test('splitting a line in two affects only Lines, LogisticUnits, Serials, rounded metrics and Cascade', () => {
  const indifferent = new Set([1, 2, 3, 4, 5, 6, 7, 8, 12])
  fc.assert(
    fc.property(cases, fc.nat(), ({ side, content, header, parts, faf }, seed) => {
      const plain = {
        ...content,
        rates: content.rates.flatMap(rate => {
          const charges = rate.charges
            .filter(({ metric }) => indifferent.has(metric))
            .map(charge => ({ ...charge, rounding: 0 as const, roundTo: null, metricResolution: 1 as const }))
          return charges.length === 0 ? [] : [{ ...rate, charges }]
        }),
      }
      const split = parts.flatMap(part => {
        if (part.kind !== 'line') return [part]
        const share = (value: number | null | undefined, places: number) => {
          if (value === null || value === undefined) return [value, value]
          const all = wholeOf(places, value)
          const first = BigInt(all) === 0n ? 0n : BigInt(seed) % (BigInt(all) + 1n)
          return [first, BigInt(all) - first].map(value => Number(textOf(places, value)))
        }
        const [quantity, weight, volume] = [
          share(part.quantity, 4),
          share(part.weight, 4),
          share(part.volume, 6),
        ]
        return [0, 1].map(i => ({
          ...part,
          quantity: quantity[i] as number,
          weight: weight[i] as number | null,
          volume: volume[i] as number | null,
        }))
      })
      const rowsOf = (someParts: ModelPart[]) =>
        summaryOf(
          evaluate(compileCard(plain), inputOf(header, someParts), {
            side,
            freightResolution: 2,
            faf: wholeOf(6, faf),
          }),
        ).rows
      assert.deepEqual(rowsOf(split), rowsOf(parts))
    }),
    { numRuns: numRuns / 20 },
  )
})

const tax = { defaultTaxRateId: idOf(11, 0) }
let lastId = 0
const charge = (more: object) => ({ id: idOf(21, ++lastId), metric: 2, application: 1, ...more })
const rate = (charges: object[], more: object = {}) => ({
  id: idOf(20, ++lastId),
  name: 'Handling',
  kind: 1,
  basis: 1,
  activityTypeId: idOf(12, 0),
  charges,
  ...more,
})
type Content = Parameters<typeof compileCard>[0]

function amounts(
  rates: object[],
  someParts: ModelPart[],
  {
    header = {},
    faf = 0,
    resolution = 0,
    version,
  }: { header?: object; faf?: number; resolution?: 0 | 1 | 2; version?: number } = {},
) {
  const content = { ...tax, rates } as Content
  assert.deepEqual(contentFaults(content), [])
  const input = inputOf(headerOf(header) as never, someParts, version)
  const { charges, unrated } = evaluate(compileCard(content), input, {
    side: 'client',
    freightResolution: resolution,
    faf: wholeOf(6, faf),
  })
  return {
    amounts: charges.map(({ row }) => textOf(2, row.amount)),
    metrics: charges.map(({ row }) => Number(textOf(6, row.metric))),
    unrated: unrated.map(({ reason, quantity }) => [reason, Number(textOf(4, quantity))]),
  }
}

const carton = idOf(6, 0)
const cartons = (quantity: number, more: object = {}): ModelPart => ({
  kind: 'line',
  productId: idOf(1, 1),
  units: [{ unitTypeId: null, items: 576 }],
  quantity,
  ...more,
})

test('584 cartons at 576 a pallet are charged as one pallet and eight pieces', () => {
  const {
    amounts: found,
    metrics,
    unrated,
  } = amounts(
    [
      rate([
        charge({ metric: 5, metricResolution: 2, rateExclTax: 12 }),
        charge({ metric: 2, rateExclTax: 0.35 }),
      ]),
    ],
    [cartons(584)],
  )
  assert.deepEqual([found, metrics, unrated], [['12.00', '2.80'], [1, 8], []])
})

test('what Cascade leaves is reported as a remainder if no other charge takes it', () => {
  const pallets = [rate([charge({ metric: 5, metricResolution: 2, rateExclTax: 12 })])]
  assert.deepEqual(amounts(pallets, [cartons(584)]).unrated, [[UnratedReason.Remainder, 8]])
  assert.deepEqual(amounts(pallets, [cartons(8)]).unrated, [[UnratedReason.Remainder, 8]])
})

const bands = [
  { upTo: 20, rateExclTax: 10 },
  { upTo: 30, rateExclTax: 8.5 },
  { upTo: 40, rateExclTax: 7 },
  { upTo: null, rateExclTax: 5.5 },
]

test('60 units in bands: Selective prices all by one band, Progressive each band by its own rate', () => {
  const by = (kind: number, quantity: number) =>
    amounts([rate([charge({ breaks: { kind, bands } })])], [cartons(quantity)]).amounts
  assert.deepEqual(by(1, 60), ['330.00'])
  assert.deepEqual(by(2, 60), ['200.00', '85.00', '70.00', '110.00'])
  assert.deepEqual(by(1, 20), ['200.00'], 'the end of a band belongs to it')
  assert.deepEqual(by(2, 20), ['200.00'])
  assert.deepEqual(by(1, 20.0001), ['170.00'])
})

test('half cents are rounded away from zero, once, for both signs and with a freight adjustment', () => {
  const amountOf = (rateExclTax: number, faf = 0) =>
    amounts([{ ...rate([charge({ metric: 1, rateExclTax })], { kind: 2 }), activityTypeId: null }], [], {
      faf,
      header: { carrierId: idOf(8, 0) },
    }).amounts[0]
  for (const [value, faf, wanted] of [
    [0.005, 0, '0.01'],
    [0.004999, 0, '0.00'],
    [-0.005, 0, '-0.01'],
    [-0.004999, 0, '0.00'],
    [1.005, 0, '1.01'],
    [-1.005, 0, '-1.01'],
    [2.675, 0, '2.68'],
    [10.045, 0, '10.05'],
    [0.01, 0.5, '0.02'],
    [-0.01, 0.5, '-0.02'],
    [0.01, 0.499999, '0.01'],
    [1.02, 0.125, '1.15'],
    [1.02, -1, '0.00'],
    [90071992.54741, 0.000001, '90072082.62'],
  ] as const)
    assert.equal(amountOf(value, faf), wanted, `${value} raised by ${faf}`)
})

test('without bands and freight, an amount equals that of a charge entered by hand', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9_000_000 }),
      fc.integer({ min: -9_000_000, max: 9_000_000 }),
      fc.option(fc.integer({ min: 0, max: 90_000 }), { nil: undefined }),
      (metric, price, base) => {
        const [quantity, rateExclTax] = [metric / 10_000, price / 1_000_000]
        const baseExclTax = base === undefined ? undefined : base / 100
        fc.pre(price !== 0)
        assert.deepEqual(
          amounts([rate([charge({ rateExclTax, baseExclTax })])], [cartons(quantity)]).amounts,
          [chargeAmount({ application: 1, metricValue: quantity, rate: rateExclTax, base: baseExclTax })],
        )
      },
    ),
    { numRuns: 1_000 },
  )
})

test('base, minimum and maximum are applied, and a fee is just its rate', () => {
  const by = (more: object, quantity: number) =>
    amounts([rate([charge({ rateExclTax: 2, ...more })])], [cartons(quantity)]).amounts[0]
  assert.equal(by({ baseExclTax: 5 }, 3), '11.00')
  assert.equal(by({ minExclTax: 20 }, 3), '20.00')
  assert.equal(by({ maxExclTax: 5 }, 3), '5.00')
  assert.equal(by({ application: 2 }, 3), '2.00')
})

test('a metric of zero makes no charge, whatever the minimum, and is reported', () => {
  const { amounts: found, unrated } = amounts(
    [rate([charge({ rateExclTax: 2, minExclTax: 20 })])],
    [cartons(0)],
  )
  assert.deepEqual([found, unrated], [[], [[UnratedReason.NotPositive, 0]]])
})

test('free work is neither charged nor reported as unrated', () => {
  const { amounts: found, unrated } = amounts([rate([charge({ rateExclTax: 0 })])], [cartons(4)])
  assert.deepEqual([found, unrated], [[], []])
})

test('a rate of zero with a base charges the base', () => {
  assert.deepEqual(amounts([rate([charge({ rateExclTax: 0, baseExclTax: 7 })])], [cartons(4)]).amounts, [
    '7.00',
  ])
})

test('the first matching charge takes a part, and the next takes the rest', () => {
  const dear = { ...cartons(4), productGroupId: idOf(3, 1) }
  const { amounts: found } = amounts(
    [
      rate(
        [charge({ when: { productGroupIds: [idOf(3, 1)] }, rateExclTax: 10 }), charge({ rateExclTax: 1 })],
        { basis: 2 },
      ),
    ],
    [dear, cartons(5)],
  )
  assert.deepEqual(found, ['40.00', '5.00'])
})

test('a flat fee is charged once, even if no lines are left, and leaves no line unrated', () => {
  const fee = charge({ metric: 1, application: 2, rateExclTax: 9 })
  assert.deepEqual(amounts([rate([fee])], [cartons(4), cartons(1)]), {
    amounts: ['9.00'],
    metrics: [1],
    unrated: [],
  })
  assert.deepEqual(amounts([rate([charge({ rateExclTax: 1 }), fee, fee2()])], [cartons(4)]).amounts, [
    '4.00',
    '9.00',
  ])
  assert.deepEqual(amounts([rate([fee])], []).amounts, ['9.00'])
})
const fee2 = () => charge({ metric: 1, application: 2, rateExclTax: 11 })

test('two half pallets count 1 as decimals, and 2 if each line is rounded up', () => {
  const by = (more: object) =>
    amounts([rate([charge({ metric: 5, rateExclTax: 10, ...more })])], [cartons(288), cartons(288)]).metrics
  assert.deepEqual(by({}), [1])
  assert.deepEqual(by({ rounding: 1 }), [2])
  assert.deepEqual(by({ rounding: 2 }), [2], 'halves go away from zero')
})

test('other metrics are rounded on their sum', () => {
  const lines = [cartons(1, { weight: 0.4 }), cartons(1, { weight: 0.5 })]
  const by = (more: object) =>
    amounts([rate([charge({ metric: 3, rateExclTax: 1, ...more })])], lines).metrics
  assert.deepEqual(by({ rounding: 1 }), [1])
  assert.deepEqual(by({ rounding: 1, roundTo: 0.25 }), [1])
  assert.deepEqual(by({ rounding: 2, roundTo: 0.25 }), [1], 'to the nearest quarter')
})

test('a line without weight falls through to the next charge, or else is reported as not measured', () => {
  const lines = [cartons(2, { weight: 8 }), cartons(3)]
  const by = charge({ metric: 3, rateExclTax: 1 })
  assert.deepEqual(amounts([rate([by])], lines).unrated, [[UnratedReason.NotMeasured, 3]])
  assert.deepEqual(amounts([rate([by, charge({ rateExclTax: 2 })])], lines).amounts, ['8.00', '6.00'])
})

test('loose goods beside a pallet fall through to the next charge, or else are reported', () => {
  const lines = [cartons(576, { logisticUnits: 1 }), cartons(8, { logisticUnits: null })]
  const [byUnit, byItem] = [charge({ metric: 10, rateExclTax: 12 }), charge({ metric: 2, rateExclTax: 0.35 })]
  assert.deepEqual(amounts([rate([byUnit, byItem])], lines).amounts, ['12.00', '2.80'])
  assert.deepEqual(amounts([rate([byUnit])], lines).unrated, [[UnratedReason.NotMeasured, 8]])
  const shared = [cartons(300, { logisticUnits: 1 }), cartons(276, { logisticUnits: 0 })]
  assert.deepEqual(amounts([rate([byUnit, byItem])], shared).amounts, ['12.00'], 'a pallet of two lines')
})

test('a line without serials falls through to the next charge', () => {
  const lines = [cartons(2, { serials: 2 }), cartons(3)]
  const rates = [rate([charge({ metric: 11, rateExclTax: 5 }), charge({ metric: 2, rateExclTax: 1 })])]
  assert.deepEqual(amounts(rates, lines).amounts, ['10.00', '3.00'])
  assert.deepEqual(amounts(rates, lines, { version: 1 }).amounts, ['10.00'], 'bills by the earlier rules')
})

test('freight is charged by the cheapest or dearest rate with an amount, or by all', () => {
  const freight = (rateExclTax: number, when = {}) => ({
    ...rate([charge({ metric: 1, rateExclTax, when })], { kind: 2 }),
    activityTypeId: null,
  })
  const rates = [freight(30), freight(20), freight(20), freight(5, { weekdays: [7] })]
  const by = (resolution: 0 | 1 | 2) => amounts(rates, [], { resolution }).amounts
  assert.deepEqual([by(0), by(1), by(2)], [['20.00'], ['30.00'], ['30.00', '20.00', '20.00']])
})

test('the first of two equal freight rates is charged', () => {
  const freight = (fields: object) => ({ ...rate([charge(fields)], { kind: 2 }), activityTypeId: null })
  const rates = [freight({ metric: 1, rateExclTax: 20 }), freight({ metric: 2, rateExclTax: 10 })]
  const by = (resolution: 0 | 1) => amounts(rates, [cartons(2)], { resolution }).metrics
  assert.deepEqual([by(0), by(1)], [[1], [1]])
})

test('the traces distinguish charges that were not reached from charges that matched nothing', () => {
  const content = {
    ...tax,
    rates: [
      rate([
        charge({ rateExclTax: 1 }),
        charge({ rateExclTax: 2 }),
        charge({ metric: 1, rateExclTax: 3 }),
        charge({ rateExclTax: 4 }),
      ]),
    ],
  } as Content
  const input = inputOf(headerOf() as never, [cartons(2)])
  const { traces } = evaluate(compileCard(content), input, { side: 'client', freightResolution: 0, faf: 0 })
  assert.deepEqual(
    traces[0]?.charges.map(({ outcome }) => outcome),
    [1, 4, 1, 5],
  )
})

test('an address in no locality gets another reason than an address that does not match', () => {
  const freight = {
    ...rate([charge({ metric: 1, rateExclTax: 9, when: { destinationLocalityIds: [idOf(7, 1)] } })], {
      kind: 2,
    }),
    activityTypeId: null,
  }
  const by = (header: object) =>
    amounts([freight], [], { header: { carrierId: idOf(8, 0), ...header } }).unrated
  assert.deepEqual(by({}), [[UnratedReason.NoLocality, 0]])
  assert.deepEqual(by({ destinationLocalityIds: [idOf(7, 2)] }), [[UnratedReason.NothingMatches, 0]])
  assert.deepEqual(amounts([freight], []).unrated, [], 'without a carrier there is no freight to charge')
})

test('work that no rate of the card measures is reported as NoRate', () => {
  const wrapping: ModelPart = { kind: 'task', typeId: idOf(2, 1), quantity: 2 }
  assert.deepEqual(amounts([rate([charge({ rateExclTax: 1 })])], [wrapping]).unrated, [
    [UnratedReason.NoRate, 2],
  ])
  const otherTask = charge({ metric: 7, rateExclTax: 1, when: { taskTypeIds: [idOf(2, 2)] } })
  assert.deepEqual(amounts([rate([otherTask])], [wrapping]).unrated, [[UnratedReason.NothingMatches, 2]])
})

test('amounts too large to be exact are reported as not measured', () => {
  const { amounts: found, unrated } = amounts(
    [rate([charge({ rateExclTax: 99_999_999_999 })])],
    [cartons(99_999_999_999)],
  )
  assert.deepEqual([found, unrated], [[], [[UnratedReason.NotMeasured, 99_999_999_999]]])
  const cubic = charge({ metric: 12, cubicKGPerM3: 250, rateExclTax: 0.000001 })
  const room = cartons(1, { weight: 1, volume: 9_000_000_000 })
  assert.deepEqual(amounts([rate([cubic])], [room]), {
    ...{ amounts: [], metrics: [], unrated: [[UnratedReason.NotMeasured, 1]] },
  })
})

test('ids in capitals match', () => {
  const groupId = '018f0000-0000-7000-8000-00000000abcd'
  const selecting = charge({ when: { productGroupIds: [groupId.toUpperCase()] }, rateExclTax: 3 })
  const line = cartons(2, { productGroupId: groupId })
  assert.deepEqual(amounts([rate([selecting], { basis: 2 })], [line]).amounts, ['6.00'])
})

test("units are counted by the product's own conversion chain", () => {
  const line = cartons(30, { units: [{ unitTypeId: carton, items: 12 }] })
  assert.deepEqual(
    amounts([rate([charge({ metric: 6, unitTypeId: carton.toUpperCase(), rateExclTax: 1 })])], [line])
      .metrics,
    [2.5],
  )
})
