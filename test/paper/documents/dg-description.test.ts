import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type DangerousGoods,
  describeFaults,
  descriptionOf,
  transportClasses,
} from '../../../src/paper/documents/dg-description.ts'

const newZealand = { ghs: 1, dg: 3 }
const australia = { ghs: 2, dg: 4 }
const hazard = (standard: number, code: string, category: string | null = null) => ({
  standard,
  code,
  category,
})

/** A DangerousGoods of paint, with some fields changed. */
const goods = (more: Partial<DangerousGoods> = {}): DangerousGoods => ({
  productCode: 'PAINT',
  unNumber: '1263',
  properShippingName: 'Paint',
  technicalName: null,
  hazardClasses: [hazard(newZealand.dg, '3')],
  packingGroup: 2,
  isMarinePollutant: false,
  flashpoint: '23',
  packages: '12 Drum',
  grossKG: 240,
  ...more,
})

const descriptions: [title: string, goods: Partial<DangerousGoods>, expected: string, country?: string][] = [
  ['a flammable liquid', {}, '12 Drum UN 1263, PAINT, 3, PG II, (23 °C c.c.)'],
  ['UN before the number', { unNumber: 'UN 1263' }, '12 Drum UN 1263, PAINT, 3, PG II, (23 °C c.c.)'],
  [
    'a subsidiary hazard, a technical name and a marine pollutant',
    {
      unNumber: '1992',
      properShippingName: 'Flammable liquid, toxic, n.o.s.',
      technicalName: 'methanol',
      hazardClasses: [hazard(newZealand.dg, '3'), hazard(newZealand.dg, '6', '6.1')],
      isMarinePollutant: true,
      flashpoint: '−18',
    },
    '12 Drum UN 1992, FLAMMABLE LIQUID, TOXIC, N.O.S. (methanol), 3 (6.1), PG II, MARINE POLLUTANT, ' +
      '(-18 °C c.c.)',
  ],
  [
    'a subsidiary class 3, whose flashpoint counts',
    { hazardClasses: [hazard(newZealand.dg, '8'), hazard(newZealand.dg, '3')], flashpoint: '55.5' },
    '12 Drum UN 1263, PAINT, 8 (3), PG II, (55.5 °C c.c.)',
  ],
  ['a flashpoint above 60', { flashpoint: '61' }, '12 Drum UN 1263, PAINT, 3, PG II'],
  ['no flashpoint', { flashpoint: null }, '12 Drum UN 1263, PAINT, 3, PG II'],
  [
    'a class that does not require a flashpoint',
    { hazardClasses: [hazard(newZealand.dg, '8')], packingGroup: 3 },
    '12 Drum UN 1263, PAINT, 8, PG III',
  ],
  [
    'a gas, which has no packing group',
    {
      unNumber: '1950',
      properShippingName: 'Aerosols',
      hazardClasses: [hazard(australia.dg, '2.1', 'Aerosol')],
      packingGroup: null,
    },
    '12 Drum UN 1950, AEROSOLS, 2.1',
  ],
  [
    'an explosive with its compatibility group',
    {
      unNumber: '0336',
      properShippingName: 'Fireworks',
      hazardClasses: [hazard(australia.dg, '1.4', '1.4G')],
      packingGroup: null,
    },
    '12 Drum UN 0336, FIREWORKS, 1.4G',
  ],
  [
    'an organic peroxide',
    {
      unNumber: '3105',
      properShippingName: 'Organic peroxide type D, liquid',
      hazardClasses: [hazard(newZealand.dg, '5', '5.2')],
      packingGroup: null,
    },
    '12 Drum UN 3105, ORGANIC PEROXIDE TYPE D, LIQUID, 5.2',
  ],
  [
    'a self-reactive substance',
    {
      unNumber: '3226',
      properShippingName: 'Self-reactive solid type D',
      hazardClasses: [hazard(australia.dg, '4.1', 'SR D')],
      packingGroup: null,
    },
    '12 Drum UN 3226, SELF-REACTIVE SOLID TYPE D, 4.1',
  ],
  [
    'GHS classes, which are not transport classes',
    { hazardClasses: [hazard(newZealand.ghs, '2.6', '2'), hazard(newZealand.dg, '3')] },
    '12 Drum UN 1263, PAINT, 3, PG II, (23 °C c.c.)',
  ],
  [
    'both standards, of which the one of the country of origin is used',
    { hazardClasses: [hazard(newZealand.dg, '8'), hazard(australia.dg, '3')] },
    '12 Drum UN 1263, PAINT, 3, PG II, (23 °C c.c.)',
    'Australia',
  ],
]

for (const [title, change, expected, country = 'New Zealand'] of descriptions) {
  test(`box 14: ${title}`, () => {
    assert.equal(describeFaults(goods(change), country), null)
    assert.equal(descriptionOf(goods(change), country), expected)
  })
}

const refusals: [title: string, goods: Partial<DangerousGoods>, sentence: string][] = [
  ['no UN number', { unNumber: null }, 'PAINT has no UN number of four digits.'],
  ['three digits', { unNumber: '126' }, 'PAINT has no UN number of four digits.'],
  ['no name', { properShippingName: ' ' }, 'PAINT has no proper shipping name.'],
  [
    'GHS classes only',
    { hazardClasses: [hazard(newZealand.ghs, '2.6')] },
    'PAINT has no transport class or division.',
  ],
  [
    'a class without its division',
    { hazardClasses: [hazard(newZealand.dg, '6')] },
    'PAINT has no transport class or division.',
  ],
  ['no packing group', { packingGroup: null }, 'PAINT has no packing group.'],
  [
    'an explosive without a compatibility group',
    { hazardClasses: [hazard(newZealand.dg, '1', '1.4')], packingGroup: null },
    'PAINT has no compatibility group.',
  ],
  [
    'N.O.S. without a technical name',
    { properShippingName: 'Corrosive liquid, N.O.S.' },
    'PAINT has no technical name, which its proper shipping name (N.O.S.) needs.',
  ],
  ['a mass of 0', { grossKG: 0 }, 'PAINT has a mass that is not known.'],
  ['an unknown mass', { grossKG: null }, 'PAINT has a mass that is not known.'],
  [
    'all faults together in one sentence',
    { unNumber: null, properShippingName: null, hazardClasses: [], packingGroup: null, grossKG: null },
    'PAINT has no UN number of four digits, no proper shipping name, no transport class or division, a ' +
      'mass that is not known.',
  ],
]

for (const [title, change, sentence] of refusals)
  test(`not declared: ${title}`, () => assert.equal(describeFaults(goods(change), 'New Zealand'), sentence))

test('of the two transport standards, New Zealand’s is used unless the goods come from Australia', () => {
  const both = goods({ hazardClasses: [hazard(australia.dg, '3'), hazard(newZealand.dg, '8')] })
  assert.deepEqual(transportClasses(both, 'New Zealand'), ['8'])
  assert.deepEqual(transportClasses(both, null), ['8'])
  assert.deepEqual(transportClasses(both, 'AU'), ['3'])
})
