import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConversionStep, unitChain, unitConversionFaults } from '../../src/partners/unit-conversion.ts'
import fc from '../support/properties.ts'

const [carton, inner, pallet] = ['carton', 'inner', 'pallet']

const step = (input: string | 1 | 2, rate: number, output: string | 1 | 2): ConversionStep => ({
  ...(typeof input === 'string'
    ? { inputMetricType: 3, inputUnitTypeId: input }
    : { inputMetricType: input }),
  ...(typeof output === 'string'
    ? { outputMetricType: 3, outputUnitTypeId: output }
    : { outputMetricType: output }),
  conversionRate: rate,
})
const faults = (...steps: ConversionStep[]) =>
  unitChain(steps).faults.map(({ path, problem }) => `unitConversions${path} ${problem}.`)
const rates = (...steps: ConversionStep[]) => unitChain(steps).itemConversionRates

test('the items in a unit are the product of the rates down the chain, whatever the order of the steps', () => {
  const steps = [step(2, 40, carton), step(carton, 12, inner), step(inner, 6, 1)]
  assert.deepEqual(rates(...steps), ['2880.000000', '72.000000', '6.000000'])
  assert.deepEqual(rates(...steps.toReversed()), ['6.000000', '72.000000', '2880.000000'])
  assert.deepEqual(rates(), [])
})

test('two units may lead to the same one', () => {
  assert.deepEqual(rates(step(2, 40, carton), step(pallet, 50, carton), step(carton, 12, 1)), [
    '480.000000',
    '600.000000',
    '12.000000',
  ])
})

test('decimals are exact and rounded once, half up, at the end', () => {
  assert.deepEqual(rates(step(carton, 0.1, inner), step(inner, 0.2, 1)), ['0.020000', '0.200000'])
  assert.deepEqual(rates(step(pallet, 0.001, carton), step(carton, 0.001, inner), step(inner, 1.5, 1)), [
    '0.000002',
    '0.001500',
    '1.500000',
  ])
})

test('a unit type is required if and only if the metric type is UnitType, and the case of its id is ignored', () => {
  assert.deepEqual(
    faults(
      { inputMetricType: 3, outputMetricType: 1, conversionRate: 2 },
      {
        inputMetricType: 2,
        inputUnitTypeId: carton,
        outputMetricType: 1,
        outputUnitTypeId: inner,
        conversionRate: 2,
      },
    ),
    [
      'unitConversions[0].inputUnitTypeId is required when inputMetricType is 3.',
      'unitConversions[1].inputUnitTypeId must be left out unless inputMetricType is 3.',
      'unitConversions[1].outputUnitTypeId must be left out unless outputMetricType is 3.',
    ],
  )
  assert.deepEqual(rates(step('ABC', 2, 'abc2'), step('ABC2', 3, 1)), ['6.000000', '3.000000'])
})

test('a unit has one output, and items have none', () => {
  assert.deepEqual(
    faults(
      step(carton, 2, 1),
      step(1, 2, carton),
      step('CARTON', 3, 1),
      step(2, 5, carton),
      step(2, 5, carton),
    ),
    [
      'unitConversions[1].inputMetricType must not be 1: items are what every unit leads to.',
      'unitConversions[2] must not convert the same unit as unitConversions[0].',
      'unitConversions[4] must not convert the same unit as unitConversions[3].',
    ],
  )
})

test('a chain that loops or does not lead to items is refused, step by step', () => {
  assert.deepEqual(faults(step(carton, 2, inner), step(inner, 0.5, carton), step(2, 10, carton)), [
    'unitConversions[0] must not lead back to its own unit.',
    'unitConversions[1] must not lead back to its own unit.',
    'unitConversions[2] must lead to items (metric type 1) by its own output or further steps.',
  ])
  assert.deepEqual(faults(step(carton, 2, carton)), [
    'unitConversions[0] must not lead back to its own unit.',
  ])
  assert.deepEqual(faults(step(carton, 2, inner)), [
    'unitConversions[0] must lead to items (metric type 1) by its own output or further steps.',
  ])
})

test('a chain whose numbers exceed the limits of storage is refused', () => {
  assert.deepEqual(faults(step(2, 99_999_999_999, carton), step(carton, 2, 1)), [
    'unitConversions[0] must hold at most 99,999,999,999 items in one input unit.',
  ])
  assert.deepEqual(faults(step(2, 0.000001, carton), step(carton, 0.1, 1)), [
    'unitConversions[0] must hold at least 0.000001 items in one input unit.',
  ])
})

test('the rule handles any value of a request', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        fc.array(
          fc.record({ inputMetricType: fc.nat(4), outputMetricType: fc.nat(4), conversionRate: fc.double() }),
        ),
      ),
      value => {
        assert.ok(Array.isArray(unitConversionFaults(value)))
      },
    ),
    { numRuns: 300 },
  )
})

test('a unit of any linear chain holds the product of the rates', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }), numbers => {
      const steps = numbers.map((rate, i) =>
        step(`unit ${i}`, rate, i === numbers.length - 1 ? 1 : `unit ${i + 1}`),
      )
      const expected = numbers.map((_, i) => numbers.slice(i).reduce((product, rate) => product * rate, 1))
      assert.deepEqual(rates(...steps).map(Number), expected)
    }),
  )
})
