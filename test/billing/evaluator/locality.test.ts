import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Area, areaContains } from '../../../src/billing/evaluator/locality.ts'

const auckland: Area = { country: 'New Zealand', postcodeFrom: '0600', postcodeTo: '2999' }

test('a postcode range includes both ends, in its own country only', () => {
  for (const [postCode, isIn] of [
    ['0600', true],
    ['600', true],
    ['2999', true],
    [' 1010 ', true],
    ['3000', false],
    ['0599', false],
    ['ABC', false],
    ['', false],
    [null, false],
  ] as const)
    assert.equal(areaContains(auckland, { country: 'new zealand', postCode }), isIn, String(postCode))
  assert.equal(areaContains(auckland, { country: 'Australia', postCode: '1010' }), false)
  assert.equal(areaContains(auckland, { postCode: '1010' }), false)
})

test('postcodes with letters are compared as text', () => {
  const area: Area = { country: 'GB', postcodeFrom: 'EC1A', postcodeTo: 'EC4Y' }
  assert.equal(areaContains(area, { country: 'GB', postCode: 'ec2m' }), true)
  assert.equal(areaContains(area, { country: 'GB', postCode: 'N1' }), false)
})

test('states and suburbs match case-insensitively, and a city can stand in for a suburb', () => {
  const states: Area = { country: 'AU', states: ['NSW', 'ACT'] }
  assert.equal(areaContains(states, { country: 'AU', state: 'nsw' }), true)
  assert.equal(areaContains(states, { country: 'AU', state: 'VIC' }), false)
  const suburbs: Area = { country: 'NZ', suburbs: ['Penrose'] }
  assert.equal(areaContains(suburbs, { country: 'NZ', suburb: 'PENROSE', city: 'Auckland' }), true)
  assert.equal(areaContains(suburbs, { country: 'NZ', city: 'Penrose' }), true)
  assert.equal(areaContains(suburbs, { country: 'NZ', suburb: 'Newmarket', city: 'Penrose' }), false)
})

test('a circle contains addresses within the great-circle distance, but none without coordinates', () => {
  const circle: Area = { circle: { latitude: -36.85, longitude: 174.76, radiusKM: 12 } }
  assert.equal(areaContains(circle, { latitude: -36.9, longitude: 174.82 }), true)
  assert.equal(
    areaContains(circle, { latitude: -37.79, longitude: 175.28 }),
    false,
    'Hamilton is 114 km away',
  )
  assert.equal(areaContains(circle, { country: 'NZ' }), false)
  const far: Area = { circle: { latitude: -36.85, longitude: 174.76, radiusKM: 115 } }
  assert.equal(areaContains(far, { latitude: -37.79, longitude: 175.28 }), true)
})

const square = (south: number, west: number, north: number, east: number): Area => ({
  polygon: [
    [south, west],
    [south, east],
    [north, east],
    [north, west],
  ],
})

test('a polygon contains the points inside it, even across the 180th meridian', () => {
  const plain = square(-10, 10, 10, 30)
  for (const [latitude, longitude, isIn] of [
    [0, 20, true],
    [0, 9.9, false],
    [0, 30.1, false],
    [10.1, 20, false],
    [-10.1, 20, false],
    [0, -160, false],
  ] as const)
    assert.equal(areaContains(plain, { latitude, longitude }), isIn, `${latitude}, ${longitude}`)
  const chatham = square(-46, 170, -40, -170)
  assert.equal(areaContains(chatham, { latitude: -44, longitude: -176.5 }), true)
  assert.equal(areaContains(chatham, { latitude: -44, longitude: 175 }), true)
  assert.equal(areaContains(chatham, { latitude: -44, longitude: 0 }), false)
  assert.equal(areaContains(chatham, { latitude: -44, longitude: 169 }), false)
})

test('a concave polygon does not contain the points in its dent', () => {
  const dented: Area = {
    polygon: [
      [0, 0],
      [10, 0],
      [10, 10],
      [5, 5],
      [0, 10],
    ],
  }
  assert.equal(areaContains(dented, { latitude: 5, longitude: 2 }), true)
  assert.equal(areaContains(dented, { latitude: 5, longitude: 8 }), false)
})
