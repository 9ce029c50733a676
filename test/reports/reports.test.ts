// Every report returns what a simple model computes from the tables, with each filter alone and all together,
// for users of the organisation and of partners, in JSON, CSV and Excel.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { allReports } from '../../src/reports/all-reports.ts'
import { type Column, headingText } from '../../src/reports/columns.ts'
import { openReports, type Row } from '../support/given-reports.ts'
import { models, tablesAt } from '../support/report-model/models.ts'
import { StockModel } from '../support/report-model/stock.ts'
import { loadTables, removeFloatNoise, withoutOrderFields } from '../support/report-model/tables.ts'

const world = await openReports()
const { admin, as, clientId, carrierId, otherClientId, warehouseId, perthId, products, rowsOf } = world
const tables = await loadTables(world.table)
const model = new StockModel(tables, new Date())

/** A row to compare: its numbers rounded, and its suggestions replaced by the sum of their quantities. */
const comparable = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (name === 'replenSuggestions' && Array.isArray(value))
        return [
          name,
          removeFloatNoise(value.reduce((total: number, suggestion: Row) => total + suggestion.quantity, 0)),
        ]
      return [name, typeof value === 'number' ? removeFloatNoise(value) : value]
    }),
  )

/** The rows that the model computes. */
const expected = (name: string, filters: Row, of = model): Row[] =>
  (models[name]?.(of, filters) ?? []).map(row => comparable(withoutOrderFields(row)))

/** Values for each filter: some match rows, some do not. */
const values: Record<string, unknown[]> = {
  warehouseId: [warehouseId, perthId],
  partnerId: [clientId, otherClientId],
  partnerProductId: [products.APPLE, world.nutId],
  warehouseZoneId: [world.zoneId],
  warehouseLocationId: [world.locations.A1],
  includeZeroQuantity: [true, false],
  ageBrackets: [[1, 7, 400], [45]],
  // Around both changes of daylight saving in Auckland, and around midnight there and in Perth.
  dateFrom: [
    '2026-04-04',
    '2026-04-05',
    '2026-04-06',
    '2026-09-26',
    '2026-09-27',
    '2026-11-12',
    '2026-11-30',
  ],
  dateTo: ['2026-04-04', '2026-04-05', '2026-04-06', '2026-09-26', '2026-09-27', '2026-11-12', '2030-01-01'],
  consignmentType: [0, 1, 2],
  status: [-2, -1, 0, 1, 2, 4, 6],
  carrierId: [carrierId, world.otherCarrierId],
  consumableTypeId: [world.consumableTypeId],
  taskTypeId: [world.taskTypeId],
  modeType: [1, 2, 3],
  clientPartnerId: [clientId, otherClientId],
  carrierPartnerId: [carrierId, world.otherCarrierId],
  transactionType: [0, 1, 3],
  costCentreId: [world.costCentreId],
  revenueAccountId: [world.revenueAccountId],
  scheduleDateFrom: ['2026-11-30', '2026-12-01'],
  scheduleDateTo: ['2026-11-30', '2026-11-29'],
  scheduleStatus: [1, 2],
  partnerRelationship: [1, 2],
  isExported: [true, false],
  isBelowThreshold: [true, false],
  stockCountId: [world.stockCountId],
  isVariance: [true, false],
}
const isAllowed: Record<string, (name: string, value: unknown) => boolean> = {
  'cycle-count': (name, value) => name !== 'status' || [1, 2, 4].includes(value as number),
}

/** Every report of the specification, by chapter. */
const specified = {
  stock: ['stock-on-hand', 'stock-balance', 'stock-age', 'stock-position', 'stock-summary'],
  consignments: [
    ...['consignment-consumables', 'consignment-metrics', 'consignment-product-detail'],
    ...['consignment-product-dispatched', 'consignment-product-due', 'consignment-product-received'],
    ...['consignment-tasks', 'inward-consignment-summary', 'outward-consignment-summary'],
  ],
  operations: [
    ...['carrier-charges', 'client-charges', 'cycle-count', 'freight-margin', 'location-status'],
    ...['pickface-exception', 'pickface-replenishment', 'product-transaction-detail'],
    ...['scheduled-transactions', 'schedule-summary', 'unbilled-work'],
  ],
}

test('every report of the specification exists', () => {
  for (const [chapter, names] of Object.entries(specified))
    assert.deepEqual(
      allReports.filter(report => report.chapter === chapter).map(({ name }) => name),
      names,
    )
})

// Unbilled work needs rate cards, so it has test files of its own.
for (const { name, filters } of allReports.filter(report => report.name !== 'unbilled-work')) {
  const filterNames = Object.keys(filters).filter(filter => filter !== 'asOfUtc' && filter !== 'knownAtUtc')

  test(`${name} returns the rows that the model computes, and at least one`, async () => {
    const rows = await rowsOf(name)
    assert.deepEqual(rows.map(comparable), expected(name, {}))
    assert.ok(rows.length > 0)
  })

  test(`${name} is restricted by each of its filters, and by all of them together`, async () => {
    for (const filter of filterNames) {
      for (const value of values[filter] as unknown[]) {
        if (isAllowed[name]?.(filter, value) === false) continue
        const body = { [filter]: value }
        assert.deepEqual(
          (await rowsOf(name, body)).map(comparable),
          expected(name, body),
          JSON.stringify(body),
        )
      }
    }
    const all = Object.fromEntries(filterNames.map(filter => [filter, values[filter]?.[0]]))
    const status = name === 'cycle-count' ? { status: 4 } : 'status' in all ? { status: -1 } : {}
    const period = 'dateTo' in all ? { dateTo: '2030-01-01' } : {}
    const body = { ...all, ...status, ...period }
    assert.deepEqual((await rowsOf(name, body)).map(comparable), expected(name, body), JSON.stringify(body))
    assert.deepEqual(
      await rowsOf(name, Object.fromEntries(filterNames.map(filter => [filter, null]))),
      await rowsOf(name),
    )
  })
}

test('a period counts days in the zone of the warehouse of each row, around both changes of daylight saving', async () => {
  for (const [dateFrom, dateTo] of [
    ['2026-04-04', '2026-04-05'],
    ['2026-04-05', '2026-04-05'],
    ['2026-09-26', '2026-09-27'],
    ['2026-09-27', '2026-09-27'],
  ]) {
    for (const name of ['stock-balance', 'product-transaction-detail']) {
      const body = { dateFrom, dateTo }
      assert.deepEqual(
        (await rowsOf(name, body)).map(comparable),
        expected(name, body),
        `${name} ${dateFrom}`,
      )
    }
  }
  // One minute before midnight in Auckland on the 4th, and the repeated hour on the 5th.
  const days = async (day: string) =>
    (await rowsOf('product-transaction-detail', { dateFrom: day, dateTo: day })).map(row => row.quantity)
  assert.deepEqual([await days('2026-04-04'), await days('2026-04-05')], [[100], [7.25]])
  // The 27th has just begun in Perth, some hours after it began in Auckland.
  const [nuts] = await rowsOf('product-transaction-detail', { dateFrom: '2026-09-27', dateTo: '2026-09-27' })
  assert.equal(nuts?.transactionDateTime, '2026-09-27T00:30:00Z')
  assert.equal(nuts?.warehouseName, 'Perth')
})

test('a balance up to a day begins with the month of that day', async () => {
  const rows = (await rowsOf('stock-balance', { dateTo: '2026-04-05' })).map(comparable)
  assert.deepEqual(rows, expected('stock-balance', { dateFrom: '2026-04-01', dateTo: '2026-04-05' }))
  assert.notDeepEqual(rows, [])
})

test('stock reports show a past moment, as far as it was known at another', async () => {
  const names = ['stock-on-hand', 'stock-age', 'stock-position', 'stock-summary']
  const recorded = tables
    .all('inventory_transaction')
    .map(line => line.recorded_utc)
    .toSorted()
  const middle = new Date(Date.parse(recorded[Math.floor(recorded.length / 2)])).toISOString()
  const now = new Date().toISOString()
  for (const [asOfUtc, knownAtUtc] of [
    ['2026-04-05T00:00:00.000Z', now],
    ['2026-10-01T00:00:00.000Z', middle],
    [now, middle],
  ] as const) {
    const then = new StockModel(tablesAt(tables, asOfUtc, knownAtUtc), new Date(asOfUtc))
    for (const name of names)
      assert.deepEqual(
        (await rowsOf(name, { asOfUtc, knownAtUtc })).map(comparable),
        expected(name, {}, then),
        `${name} as of ${asOfUtc}, known at ${knownAtUtc}`,
      )
  }
  const refused = await admin.post('/v1/reports/stock-on-hand', { asOfUtc: '2030-01-01T00:00:00Z' })
  assert.equal(refused.status, 400)
})

test('users of a client see its own records, and users of a carrier the consignments that it carries', async () => {
  const client = as(admin, { partnerId: clientId })
  const carrier = as(admin, { partnerId: carrierId })
  for (const { name, chapter, filters, partners } of allReports) {
    const [ofClient, ofCarrier] = await Promise.all(
      [client, carrier].map(person => person.post(`/v1/reports/${name}`)),
    )
    assert.equal(ofClient?.status, ['all', 'clients'].includes(partners) ? 200 : 403, name)
    assert.equal(ofCarrier?.status, ['all', 'carriers'].includes(partners) ? 200 : 403, name)
    const isOfConsignments = chapter === 'consignments'
    const isOfMoney = 'scheduleDateFrom' in filters || name.endsWith('-charges')
    const partner = (id: string) => ({ partnerId: id, clientPartnerId: id, carrierPartnerId: id })
    if (ofClient?.status === 200 && name !== 'cycle-count')
      assert.deepEqual(
        ofClient.body.map(comparable),
        expected(name, { partnerId: clientId, ...(isOfMoney ? partner(clientId) : {}) }),
        name,
      )
    if (ofCarrier?.status === 200) {
      const own = isOfConsignments ? { carrierId } : partner(carrierId)
      assert.deepEqual(
        ofCarrier.body.map(comparable),
        isOfConsignments || isOfMoney ? expected(name, own) : [],
        name,
      )
    }
  }
  // A count of all clients' goods is hidden from one client, because it would reveal the others'.
  assert.deepEqual((await client.post('/v1/reports/cycle-count')).body, [])
})

test('a filter by another partner, or by an unknown id, is refused by name', async () => {
  const client = as(admin, { partnerId: clientId })
  const carrier = as(admin, { partnerId: carrierId })
  const stranger = await world.stranger()
  const refused = async (by: typeof admin, name: string, body: object) => {
    const answer = await by.post(`/v1/reports/${name}`, body)
    assert.equal(answer.status, 400, `${name} ${JSON.stringify(body)}`)
    return [answer.body.ErrorType, ...answer.body.ErrorMessages]
  }
  const unknown = (field: string, noun: string) => [
    'Verification Failed',
    `${field} does not refer to a ${noun}.`,
  ]
  assert.deepEqual(
    await refused(client, 'stock-on-hand', { partnerId: otherClientId }),
    unknown('partnerId', 'client'),
  )
  assert.deepEqual(
    await refused(client, 'consignment-metrics', { carrierId: world.otherCarrierId }),
    unknown('carrierId', 'carrier'),
  )
  assert.equal((await client.post('/v1/reports/consignment-metrics', { carrierId })).status, 200)
  assert.deepEqual(
    await refused(carrier, 'consignment-metrics', { partnerId: otherClientId }),
    unknown('partnerId', 'client'),
  )
  assert.equal((await carrier.post('/v1/reports/consignment-metrics', { partnerId: clientId })).status, 200)
  assert.deepEqual(
    await refused(carrier, 'stock-on-hand', { partnerProductId: world.nutId }),
    unknown('partnerProductId', 'product'),
  )
  assert.deepEqual(
    await refused(admin, 'stock-on-hand', { partnerId: carrierId }),
    unknown('partnerId', 'client'),
  )
  assert.deepEqual(
    await refused(admin, 'carrier-charges', { carrierPartnerId: clientId }),
    unknown('carrierPartnerId', 'carrier'),
  )
  assert.deepEqual(
    await refused(stranger, 'stock-on-hand', { warehouseId }),
    unknown('warehouseId', 'warehouse'),
  )
  assert.deepEqual(
    await refused(stranger, 'cycle-count', { stockCountId: world.stockCountId }),
    unknown('stockCountId', 'stock count'),
  )
})

test('all faults of a body are reported together', async () => {
  const { status, body } = await admin.post('/v1/reports/consignment-metrics', {
    ...{ warehouseId: 'here', dateFrom: '2026-02-30', dateTo: '2026-02-01', status: 77 },
  })
  assert.equal(status, 400)
  assert.equal(body.ErrorType, 'Validation Failed')
  const about = body.ErrorMessages.map((message: string) => message.split(' ')[0])
  assert.deepEqual(about.toSorted(), ['dateFrom', 'dateTo', 'status', 'warehouseId'])
  const brackets = await admin.post('/v1/reports/stock-age', { ageBrackets: [30, 30] })
  assert.deepEqual(brackets.body.ErrorMessages, ['ageBrackets must be in ascending order.'])
})

/** The expected cell of CSV. */
function csvText(value: unknown, column: Column): string {
  if (value === null) return ''
  const text = Array.isArray(value) ? value.join(', ') : String(value)
  return column.cell === 'text' && /^[-=+@\t\r]/.test(text) ? `'${text}` : text
}

/** The expected cell of Excel. */
function cellValue(value: unknown, column: Column): unknown {
  if (value === null || (Array.isArray(value) && value.length === 0)) return null
  if (column.values !== undefined)
    return headingText(Object.entries(column.values).find(([, candidate]) => candidate === value)?.[0] ?? '')
  if (Array.isArray(value)) return value.join(', ')
  if (column.cell === 'date') return new Date(`${value}T00:00:00Z`)
  if (column.cell === 'time') return new Date(`${String(value).slice(0, 19)}Z`)
  return value
}

for (const { name, title, columns } of allReports) {
  test(`${name} has the same rows in JSON, CSV and Excel`, async () => {
    const rows = await rowsOf(name)
    const csv = await admin.with({ accept: 'text/csv' }).post(`/v1/reports/${name}`)
    assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8; header=present')
    assert.match(
      String(csv.headers['content-disposition']),
      new RegExp(`^attachment; filename="${name} 20\\d\\d-\\d\\d-\\d\\d\\.csv"$`),
    )
    assert.deepEqual([...csv.bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
    const lines: Row[] = parse(csv.bytes, { columns: true, bom: true, record_delimiter: '\r\n' })
    const xlsx = await admin.post(`/v1/reports/${name}/xlsx`)
    assert.match(
      String(xlsx.headers['content-disposition']),
      new RegExp(`"${name} 20\\d\\d-\\d\\d-\\d\\d\\.xlsx"$`),
    )
    const [sheet, about] = (await readXlsx(xlsx.bytes)).sheets
    assert.equal(sheet?.name, title)
    assert.equal(about?.name, 'About')
    const [headings = [], ...cells] = sheet?.rows ?? []
    const shown = headings.filter(heading => heading !== 'Id')
    assert.deepEqual(shown, [...new Set(shown)], 'two columns have one heading')
    assert.deepEqual([lines.length, cells.length], [rows.length, rows.length])
    const plainColumns = Object.entries(columns).filter(([, { expand }]) => expand === undefined)
    for (const [i, row] of rows.entries()) {
      for (const [field, column] of plainColumns) {
        const isConverted = field === 'attributes' || field === 'replenSuggestions'
        if (isConverted) continue
        assert.equal(lines[i]?.[field], csvText(row[field], column), `${field} of row ${i}`)
        const cell = cells[i]?.[headings.indexOf(column.heading)] ?? null
        // All ids are called Id, and hidden.
        if (!column.isHidden) assert.deepEqual(cell, cellValue(row[field], column), `${field} of row ${i}`)
      }
    }
    const count = about?.rows.find(([label]) => label === 'Rows')?.[1]
    assert.equal(count, rows.length)
  })
}

test('CSV has a column for each bracket of stock age, and one text for replenishment suggestions', async () => {
  const csv = await admin.with({ accept: 'text/csv' }).post('/v1/reports/stock-age', { ageBrackets: [60] })
  const lines: Row[] = parse(csv.bytes, { columns: true, bom: true })
  const rows = await rowsOf('stock-age', { ageBrackets: [60] })
  assert.deepEqual(
    lines.map(line => [Number(line.age0To60Quantity), Number(line.ageFrom61Quantity)]),
    rows.map(row => row.ageBrackets.map((bracket: Row) => bracket.quantity)),
  )
  const suggested = await admin.with({ accept: 'text/csv' }).post('/v1/reports/pickface-replenishment')
  const [first]: Row[] = parse(suggested.bytes, { columns: true, bom: true })
  assert.match(first?.replenSuggestions, /^A-01: \d+/)
})

test('a text that looks like a formula stays a text in Excel, and is quoted in CSV', async () => {
  const { sheets } = await readXlsx((await admin.post('/v1/reports/inward-consignment-summary/xlsx')).bytes)
  const texts = sheets[0]?.rows.flat() ?? []
  assert.ok(texts.includes('=cmd|calc'))
  const csv = (await admin.with({ accept: 'text/csv' }).post('/v1/reports/inward-consignment-summary')).bytes
  assert.match(csv.toString(), /,"'=cmd\|calc",/)
})

test('the list of reports has their filters and columns, and only reports that the caller may run', async () => {
  const { reports } = (await admin.get('/v1/reports')).body
  assert.deepEqual(
    reports.map((report: Row) => [report.name, report.filters.length, report.columns.length]),
    allReports.map(report => [
      report.name,
      Object.keys(report.filters).length,
      Object.keys(report.columns).length,
    ]),
  )
  const status = reports
    .find((entry: Row) => entry.name === 'consignment-metrics')
    .filters.find((entry: Row) => entry.name === 'status')
  assert.equal(status.kind, 'enumeration')
  assert.ok(status.values.some((value: Row) => value.name === 'ReadyToPick' && value.value === 2))
  const ofClient = (await as(admin, { partnerId: clientId }).get('/v1/reports')).body.reports
  assert.ok(
    !ofClient.some((report: Row) =>
      ['freight-margin', 'carrier-charges', 'location-status'].includes(report.name),
    ),
  )
})
