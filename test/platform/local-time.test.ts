// Warehouse-local times across clock changes. Spec 1, convention 4.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isDateTime,
  isTimeZone,
  localTimeAt,
  parseInstant,
  parseLocalTime,
} from '../../src/platform/local-time.ts'
import fc from '../support/properties.ts'

const auckland = 'Pacific/Auckland'
const newYork = 'America/New_York'
const lordHowe = 'Australia/Lord_Howe'
const zones = [
  auckland,
  newYork,
  lordHowe,
  'Europe/London',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'UTC',
]

const instant = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2199-12-30T00:00:00Z'),
  noInvalidDate: true,
})
const zone = fc.constantFrom(...zones)

/** Formats an instant with Intl, field by field, with another locale than the code uses. */
function byIntl(at: Date, timeZone: string): string {
  const style = { dateStyle: 'short', timeStyle: 'medium' } as const
  return new Intl.DateTimeFormat('sv-SE', { ...style, timeZone }).format(at).replace(' ', 'T')
}

test('without an offset, the digits are the wall-clock time', () => {
  for (const [text, local] of [
    ['2026-03-04T05:06:07Z', '2026-03-04T05:06:07'],
    ['2026-03-04T05:06:07', '2026-03-04T05:06:07'],
    ['2026-03-04T05:06:07.999Z', '2026-03-04T05:06:07'],
    ['2026-03-04T05:06:07.123456789', '2026-03-04T05:06:07'],
    ['2026-03-04T05:06Z', '2026-03-04T05:06:00'],
    ['2026-03-04', '2026-03-04T00:00:00'],
    ['2024-02-29', '2024-02-29T00:00:00'],
    ['2000-02-29T23:59:59Z', '2000-02-29T23:59:59'],
    ['1900-01-01', '1900-01-01T00:00:00'],
    ['0001-01-01', '0001-01-01T00:00:00'],
    ['0096-02-29T12:00Z', '0096-02-29T12:00:00'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59'],
  ] as const) {
    for (const timeZone of zones) assert.equal(parseLocalTime(text, timeZone), local)
  }
})

test('the digits stay the same even if a clock change skips or repeats them', () => {
  assert.equal(parseLocalTime('2026-09-27T02:30:00Z', auckland), '2026-09-27T02:30:00') // skipped in spring
  assert.equal(parseLocalTime('2026-03-08T02:30:00', newYork), '2026-03-08T02:30:00')
  assert.equal(parseLocalTime('2026-04-05T02:30:00Z', auckland), '2026-04-05T02:30:00') // twice in autumn
  assert.equal(parseLocalTime('2026-11-01T01:30:00', newYork), '2026-11-01T01:30:00')
})

test("with an offset it is an instant, converted to the warehouse's clock", () => {
  assert.equal(parseLocalTime('2026-03-04T05:06:07+11:00', auckland), '2026-03-04T07:06:07')
  assert.equal(parseLocalTime('2026-03-04T05:06:07.9+00:00', auckland), '2026-03-04T18:06:07')
  assert.equal(parseLocalTime('2026-12-31T23:00:00-05:00', auckland), '2027-01-01T17:00:00')
  assert.equal(parseLocalTime('2026-07-01T00:00:00+05:45', newYork), '2026-06-30T14:15:00')
  assert.equal(parseLocalTime('2026-07-01T00:00-00:00', 'UTC'), '2026-07-01T00:00:00')
})

test('an instant is converted correctly on both sides of each clock change', () => {
  for (const [timeZone, utc, local] of [
    [auckland, '2026-09-26T13:59:59Z', '2026-09-27T01:59:59'],
    [auckland, '2026-09-26T14:00:00Z', '2026-09-27T03:00:00'],
    [auckland, '2026-04-04T13:30:00Z', '2026-04-05T02:30:00'],
    [auckland, '2026-04-04T14:30:00Z', '2026-04-05T02:30:00'],
    [newYork, '2026-03-08T06:59:59Z', '2026-03-08T01:59:59'],
    [newYork, '2026-03-08T07:00:00Z', '2026-03-08T03:00:00'],
    [newYork, '2026-11-01T05:30:00Z', '2026-11-01T01:30:00'],
    [newYork, '2026-11-01T06:30:00Z', '2026-11-01T01:30:00'],
    [lordHowe, '2026-10-03T15:29:59Z', '2026-10-04T01:59:59'],
    [lordHowe, '2026-10-03T15:30:00Z', '2026-10-04T02:30:00'],
    [lordHowe, '2026-04-04T14:59:59Z', '2026-04-05T01:59:59'],
    [lordHowe, '2026-04-04T15:00:00Z', '2026-04-05T01:30:00'],
    ['UTC', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00'],
  ] as const) {
    assert.equal(localTimeAt(new Date(utc), timeZone), local, `${utc} in ${timeZone}`)
    assert.equal(parseLocalTime(utc.replace('Z', '+00:00'), timeZone), local)
  }
})

test('two warehouses show one instant each by its own season', () => {
  const at = [new Date('2026-01-15T12:00:00Z'), new Date('2026-07-15T12:00:00Z')]
  assert.deepEqual(
    at.map(instant => [localTimeAt(instant, auckland), localTimeAt(instant, newYork)]),
    [
      ['2026-01-16T01:00:00', '2026-01-15T07:00:00'],
      ['2026-07-16T00:00:00', '2026-07-15T08:00:00'],
    ],
  )
})

test('the wall-clock time of any instant agrees with Intl', () => {
  fc.assert(
    fc.property(instant, zone, (at, timeZone) =>
      assert.equal(localTimeAt(at, timeZone), byIntl(at, timeZone)),
    ),
  )
})

test('an instant is the same whatever offset it is written with', () => {
  fc.assert(
    fc.property(instant, zone, fc.integer({ min: -14 * 60, max: 14 * 60 }), (at, timeZone, offset) => {
      const digits = new Date(at.getTime() + offset * 60_000).toISOString().slice(0, 23)
      const minutes = Math.abs(offset)
      const two = (n: number) => String(n).padStart(2, '0')
      const text = `${digits}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
      assert.equal(parseLocalTime(text, timeZone), localTimeAt(at, timeZone))
    }),
  )
})

test('a formatted time parses to itself', () => {
  fc.assert(
    fc.property(instant, zone, (at, timeZone) => {
      const local = localTimeAt(at, timeZone)
      assert.equal(parseLocalTime(`${local}Z`, timeZone), local)
      assert.equal(isDateTime(`${local}Z`), true)
    }),
  )
})

test('a text that is not a date and time in the calendar is refused', () => {
  for (const text of [
    ...[
      '',
      'now',
      '20260304',
      '2026-3-4',
      '04/03/2026',
      '2026-03-04 05:06:07',
      '2026-03-04t05:06:07z',
      '2026-03-04T',
      '2026-03-04Z',
      '2026-03-04+01:00',
    ],
    ...['2026-02-29', '2100-02-29', '2026-04-31', '2026-00-10', '2026-13-10', '2026-01-00', '2026-01-32'],
    ...[
      '2026-01-01T24:00:00Z',
      '2026-01-01T23:60:00Z',
      '2016-12-31T23:59:60Z',
      '2026-01-01T5:06:07Z',
      '2026-01-01T05Z',
    ],
    ...[
      '2026-01-01T05:06:07+1100',
      '2026-01-01T05:06:07+11',
      '2026-01-01T05:06:07+24:00',
      '2026-01-01T05:06:07+10:60',
      '2026-01-01T05:06:07.Z',
    ],
    ...[
      '0000-12-31',
      '10000-01-01',
      '0001-01-01T12:00:00+13:00',
      '9999-12-31T12:00:00-11:00',
      '+002026-01-01',
      '-2026-01-01',
      '2026-01-01T05:06:07Z\n',
      ' 2026-01-01',
      '２０２６-01-01',
    ],
  ]) {
    assert.equal(parseLocalTime(text, auckland), null, text)
    assert.equal(isDateTime(text), false, text)
  }
})

test('the schema and the parser accept the same texts', () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)?$/))
  fc.assert(
    fc.property(texts, zone, (text, timeZone) => {
      const local = parseLocalTime(text, timeZone)
      assert.equal(local !== null, isDateTime(text))
      if (local !== null) assert.match(local, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    }),
  )
})

test('time zones are UTC and correctly spelt area/location names', () => {
  for (const name of [
    'UTC',
    ...zones,
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
    'Asia/Calcutta',
    'Antarctica/McMurdo',
  ]) {
    assert.equal(isTimeZone(name), true, name)
  }
  for (const name of [
    '',
    'utc',
    'GMT',
    'EST',
    '+05:00',
    'Etc/GMT+5',
    'US/Pacific',
    'pacific/auckland',
    'Pacific/AUCKLAND',
    'Mars/Olympus',
    'Europe/Atlantis',
    '../etc',
    'Europe/London ',
    'toString',
  ]) {
    assert.equal(isTimeZone(name), false, name)
  }
  for (const name of Intl.supportedValuesOf('timeZone')) assert.equal(isTimeZone(name), true, name)
})

test('an instant is parsed to the millisecond, as UTC if no zone is given', () => {
  assert.equal(parseInstant('2026-03-01'), '2026-03-01T00:00:00.000Z')
  assert.equal(parseInstant('2026-03-01T09:30'), '2026-03-01T09:30:00.000Z')
  assert.equal(parseInstant('2026-03-01T09:30:15.123456789'), '2026-03-01T09:30:15.123Z')
  assert.equal(parseInstant('2026-03-01T09:30:15.5Z'), '2026-03-01T09:30:15.500Z')
  assert.equal(parseInstant('2026-03-01T09:30:15.25+13:00'), '2026-02-28T20:30:15.250Z')
  assert.equal(parseInstant('2026-03-01T09:30-23:59'), '2026-03-02T09:29:00.000Z')
})

test('every accepted date and time can be parsed as an instant', () => {
  const part = (max: number, min = 0) => fc.integer({ min, max }).map(n => String(n).padStart(2, '0'))
  const offset = fc.oneof(
    fc.constant(''),
    fc.constant('Z'),
    fc.tuple(fc.constantFrom('+', '-'), part(23), part(59)).map(([s, h, m]) => `${s}${h}:${m}`),
  )
  const seconds = fc.oneof(
    fc.constant(''),
    part(59).map(s => `:${s}`),
    fc.tuple(part(59), fc.stringMatching(/^\d{1,9}$/)).map(([s, f]) => `:${s}.${f}`),
  )
  const text = fc
    .tuple(
      fc.integer({ min: 2, max: 9998 }).map(year => String(year).padStart(4, '0')),
      part(12, 1),
      part(28, 1),
      part(23),
      part(59),
      seconds,
      offset,
    )
    .map(
      ([year, month, day, hour, minute, rest, zone]) =>
        `${year}-${month}-${day}T${hour}:${minute}${rest}${zone}`,
    )
  fc.assert(
    fc.property(text, given => {
      assert.ok(isDateTime(given), given)
      assert.match(parseInstant(given), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }),
  )
})
