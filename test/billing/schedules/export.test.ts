// Exports of a schedule for other programs: amounts are exact to the cent, and no text is taken for a
// formula.

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { from } from 'pg-copy-streams'
import { type InvoiceLine, priceOf } from '../../../src/billing/schedules/export-rows.ts'
import { openBilling } from '../../support/given-billing.ts'
import { checkMoneyAfterEach } from '../../support/given-charges.ts'
import fc from '../../support/properties.ts'
import { openDirectClient } from '../../support/test-database.ts'

const { world, clientId, carrierId, taxRateId, revenueAccountId, costCentreId, ...given } =
  await openBilling()
checkMoneyAfterEach(world.database)
const { admin, as } = world
const [json, csv, xero, myob] = [1, 2, 3, 4]
const fetched = (id: string, format: number, caller = admin) =>
  caller.get(`/v1/schedules/${id}/export?Format=${format}`)
/** The headings of Xero's template for sales invoices. Xero requires all of them, in this order. */
const ofXero = [
  ...['*ContactName', 'EmailAddress', 'POAddressLine1', 'POAddressLine2', 'POAddressLine3', 'POAddressLine4'],
  ...['POCity', 'PORegion', 'POPostalCode', 'POCountry', '*InvoiceNumber', 'Reference', '*InvoiceDate'],
  ...['*DueDate', 'Total', 'InventoryItemCode', '*Description', '*Quantity', '*UnitAmount', 'Discount'],
  ...['*AccountCode', '*TaxType', 'TaxAmount', 'TrackingName1', 'TrackingOption1', 'TrackingName2'],
  ...['TrackingOption2', 'Currency', 'BrandingTheme'],
]
/** The headings of a professional sale of MYOB. */
const balanceDueDays = '           - Balance Due Days'
const ofMyob = [
  ...['Co./Last Name', 'Invoice No.', 'Date', 'Description', 'Account No.', 'Amount', 'Job', 'Tax Code'],
  ...['Currency Code', 'Terms - Payment is Due', balanceDueDays],
]

/**
 * Reads the rows of an export with PostgreSQL's CSV reader, which checks the headings and their order. An
 * empty cell without quotation marks is absent.
 */
async function table(id: string, format: number): Promise<Record<string, string>[]> {
  const headings = format === xero ? ofXero : ofMyob
  const { bytes } = await fetched(id, format)
  assert.ok(!/(?<!\r)\n/.test(bytes.toString()), 'lines end with CR LF')
  const client = await openDirectClient(world.databaseUrl)
  try {
    const columns = headings.map(heading => `"${heading}" text`).join(', ')
    await client.query(`create temp table exported (at serial, ${columns})`)
    const names = headings.map(heading => `"${heading}"`).join(', ')
    const copy = `copy exported (${names}) from stdin with (format csv, header match, encoding 'UTF8')`
    await pipeline(Readable.from([bytes]), client.query(from(copy)))
    const { rows } = await client.query<{ row: Record<string, string> }>(
      'select json_strip_nulls(to_json(e)) as row from exported e order by at',
    )
    return rows.map(({ row: { at: _, ...row } }) => row)
  } finally {
    await client.end()
  }
}
/** Creates a schedule of the pending transactions. */
const draft = async (date: string, more: object = {}, partnerId = clientId): Promise<string> =>
  (await admin.post('/v1/schedules', { partnerId, date, ...more })).body.partnerScheduleId
const approve = (id: string) => admin.put(`/v1/schedules/${id}/status`, { status: 2 })
/** Creates an Approved schedule of the pending transactions. */
async function schedule(...of: Parameters<typeof draft>): Promise<string> {
  const id = await draft(...of)
  assert.equal((await approve(id)).status, 200)
  return id
}
/** Enters a transaction with a revenue account. */
const enterTransaction = (date: string, more: object = {}, partnerId = clientId) =>
  given.enterTransaction(date, { revenueAccountId, ...more }, partnerId)
const refused = async (id: string, format: number = xero as number) => {
  const { status, body } = await fetched(id, format)
  return [status, ...body.ErrorMessages]
}

await admin.put(`/v1/tax-rates/${taxRateId}`, { accountingCode: '15% GST on Income' })

test('Xero gets a sales invoice with accounts, tax, tracking, currency and due date', async () => {
  await admin.put(`/v1/partners/${clientId}`, { accountingName: 'Kauri Foods Ltd', paymentTermsDays: 20 })
  await admin.put('/v1/organisation', { currencyCode: 'NZD', trackingCategory: 'Region' })
  const accounts = { revenueAccountId, costCentreId }
  const rate = { chargeApplication: 1, metricValue: 2.5, chargeRateExclTax: 3.1 }
  await enterTransaction('2026-01-05', { ...rate, ...accounts, particulars: 'Recount' })
  await enterTransaction('2026-01-06', { chargeRateExclTax: -12.5, particulars: '=cmd' })
  const id = await schedule('2026-01-31', { referenceNumber: 'MAR-26' })
  const invoice = {
    ...{ '*ContactName': 'Kauri Foods Ltd', '*InvoiceNumber': 'INV-000001', '*InvoiceDate': '31/01/2026' },
    ...{ Reference: 'MAR-26', '*AccountCode': '200' },
    ...{ '*DueDate': '20/02/2026', '*TaxType': '15% GST on Income', Currency: 'NZD' },
  }
  assert.deepEqual(await table(id, xero as number), [
    {
      ...{ ...invoice, '*Description': '2026-01-05 Recount', '*Quantity': '2.5', '*UnitAmount': '3.1' },
      ...{ TrackingName1: 'Region', TrackingOption1: 'N' },
    },
    { ...invoice, '*Description': '2026-01-06 =cmd', '*Quantity': '1', '*UnitAmount': '-12.5' },
  ])
  const sale = {
    ...{ 'Co./Last Name': 'Kauri Foods Ltd', 'Invoice No.': 'INV-000001', Date: '31/01/2026' },
    'Account No.': '200',
    ...{ 'Tax Code': '15% GST on Income', 'Currency Code': 'NZD', 'Terms - Payment is Due': '2' },
    [balanceDueDays]: '20',
  }
  assert.deepEqual(await table(id, myob as number), [
    {
      ...{ ...sale, Description: '2026-01-05 Recount (2.5 × 3.1)', Amount: '7.75' },
      Job: 'N',
    },
    { ...sale, Description: '2026-01-06 =cmd', Amount: '-12.50' },
  ])
  const { body } = await fetched(id, json as number)
  assert.deepEqual(
    [body.id, body.partner.accountingName, body.amountExclTax, body.currencyCode],
    [id, 'Kauri Foods Ltd', -4.75, 'NZD'],
  )
  assert.deepEqual(body.transactions, (await admin.get(`/v1/schedules/${id}`)).body.transactions)
  assert.deepEqual(
    (await fetched(id, csv as number)).bytes,
    (await admin.get(`/v1/schedules/${id}/transactions/csv`)).bytes,
  )
})

test('a text that looks like a formula is prefixed with an apostrophe, but a negative amount is not', async () => {
  await admin.put(`/v1/partners/${clientId}`, { accountingName: '@Kauri' })
  await enterTransaction('2026-02-05', { chargeRateExclTax: -1 })
  const id = await schedule('2026-02-28', { referenceNumber: '=1+1' })
  const [invoice] = await table(id, xero as number)
  assert.deepEqual(
    [invoice?.['*ContactName'], invoice?.Reference, invoice?.['*UnitAmount']],
    ["'@Kauri", "'=1+1", '-1'],
  )
  const [sale] = await table(id, myob as number)
  assert.deepEqual([sale?.['Co./Last Name'], sale?.Amount], ["'@Kauri", '-1.00'])
})

test('commas, quotation marks and other scripts stay in their cell, and line breaks are removed', async () => {
  await admin.put(`/v1/partners/${clientId}`, { accountingName: 'Kauri, "Foods" Tāmaki 食品' })
  const particulars = 'Recount,\r\n "half" of\tit;\nā'
  await enterTransaction('2026-05-05', { particulars })
  await enterTransaction('2026-05-06', { particulars: 'x'.repeat(400) })
  const id = await schedule('2026-05-31')
  const cells = (rows: Record<string, string>[], ...names: string[]) =>
    rows.map(row => names.map(name => row[name]))
  const name = 'Kauri, "Foods" Tāmaki 食品'
  const long = `2026-05-06 ${'x'.repeat(400)}`
  const first = '2026-05-05 Recount, "half" of it; ā'
  assert.deepEqual(cells(await table(id, xero as number), '*ContactName', '*Description'), [
    [name, first],
    [name, long],
  ])
  assert.deepEqual(cells(await table(id, myob as number), 'Co./Last Name', 'Description'), [
    [name, first],
    [name, long.slice(0, 255)],
  ])
})

test('credits and debits add up to the total of the schedule in both formats', async () => {
  for (const rate of [-0.004, 0.335, 12.3456, -99.995, 0.005]) {
    const product = { chargeApplication: 1, metricValue: 7.25, chargeRateExclTax: rate }
    await enterTransaction('2026-06-05', product)
  }
  const id = await schedule('2026-06-30')
  const { amountExclTax } = (await admin.get(`/v1/schedules/${id}`)).body
  const cents = (texts: (string | undefined)[]) =>
    texts.reduce((sum, text) => sum + Math.round(Number(text) * 100), 0)
  const sales = await table(id, myob as number)
  assert.equal(cents(sales.map(({ Amount }) => Amount)), Math.round(amountExclTax * 100))
  const lines = await table(id, xero as number)
  const products = lines.map(row => (Number(row['*Quantity']) * Number(row['*UnitAmount'])).toFixed(6))
  assert.equal(cents(products), Math.round(amountExclTax * 100))
})

test('lines without a revenue account or a tax code are refused, each by name', async () => {
  const taxRateId = await given.made('/v1/tax-rates', { name: 'Export', percent: 0 })
  await enterTransaction('2026-07-05', { revenueAccountId: null, particulars: 'Recount' })
  await enterTransaction('2026-07-06', { taxRateId, particulars: 'Sorting' })
  await enterTransaction('2026-07-07', { revenueAccountId: null, taxRateId })
  await enterTransaction('2026-07-08')
  const id = await schedule('2026-07-31')
  const noCode = 'has the tax rate Export, which has no accountingCode'
  for (const format of [xero, myob])
    assert.deepEqual(await refused(id, format as number), [
      400,
      'The line of 2026-07-05 (Recount) has no revenue account.',
      `The line of 2026-07-06 (Sorting) ${noCode}.`,
      `The line of 2026-07-07 has no revenue account, and ${noCode}.`,
    ])
  assert.equal((await fetched(id, csv as number)).status, 200)
})

test('a due date is that of the statement, and MYOB gets the days until then', async () => {
  await admin.put(`/v1/partners/${clientId}`, { paymentTermsDays: 45 })
  await enterTransaction('2026-08-05')
  const id = await schedule('2026-08-31')
  await admin.put(`/v1/partners/${clientId}`, { paymentTermsDays: 10 })
  const { dueDate } = (await admin.get(`/v1/schedules/${id}`)).body
  assert.equal(dueDate, '2026-10-15')
  assert.equal((await table(id, xero as number))[0]?.['*DueDate'], '15/10/2026')
  assert.equal((await table(id, myob as number))[0]?.[balanceDueDays], '45')
})

test('exporting changes nothing, and users of a partner can export its own schedules', async () => {
  await enterTransaction('2026-03-05')
  const id = await schedule('2026-03-31')
  const before = await admin.get(`/v1/schedules/${id}`)
  for (const format of [json, csv, xero, myob])
    assert.equal((await fetched(id, format as number)).status, 200)
  assert.deepEqual((await admin.get(`/v1/schedules/${id}`)).body, before.body)
  assert.equal(before.body.isExported, false)
  const [own, other] = [as(admin, { partnerId: clientId }), as(admin, { partnerId: carrierId })]
  assert.equal((await fetched(id, xero as number, own)).status, 200)
  assert.equal((await fetched(id, xero as number, other)).status, 404)
})

test("a carrier's schedule and a Draft are not exported as invoices", async () => {
  await enterTransaction('2026-04-05', {}, carrierId)
  await enterTransaction('2026-04-05')
  assert.deepEqual(await refused(await schedule('2026-04-30', {}, carrierId)), [
    ...[400, 'The schedule is what a carrier is owed, not a sales invoice.'],
  ])
  const id = await draft('2026-04-30')
  const isDraft = [400, 'The schedule is a Draft: its invoice gets a number when it is Approved.']
  assert.deepEqual(await refused(id), isDraft)
  await approve(id)
  assert.equal((await fetched(id, xero as number)).status, 200)
  await admin.put(`/v1/schedules/${id}/status`, { status: 1 })
  assert.deepEqual(await refused(id), isDraft, 'also where it has a number from before')
})

const line = (more: Partial<InvoiceLine>): InvoiceLine => ({
  ...{ date: '2026-01-05', consignmentNumber: null, consignmentReferenceNumber: null, particulars: 'X' },
  ...{ activityName: null, quantity: '1.000000', chargeRate: '1.000000', chargeBase: null, chargeMin: null },
  ...{ chargeMax: null, chargeApplication: 1, fafPercent: '0.000000', amountExclTax: '1.00' },
  ...{ revenueAccountCode: '200', costCentreCode: null, taxCode: 'GST' },
  ...more,
})

test('an amount that is not quantity × rate has quantity 1, with the arithmetic in the description', () => {
  const priced = (more: Partial<InvoiceLine>) => Object.values(priceOf(line(more)))
  assert.deepEqual(priced({ quantity: '3.000000', chargeRate: '0.350000', amountExclTax: '1.05' }), [
    ...['3', '0.35', null],
  ])
  const base = { quantity: '8.000000', chargeRate: '0.350000', chargeBase: '2.000000' }
  assert.deepEqual(priced({ ...base, amountExclTax: '4.80' }), ['1', '4.80', '8 × 0.35 + 2.00'])
  const freight = { chargeMin: '10.000000', chargeMax: '90.000000', fafPercent: '0.125000' }
  assert.deepEqual(priced({ ...freight, quantity: '2.000000', amountExclTax: '11.25' }), [
    ...['1', '11.25', '2 × 1, minimum 10.00, maximum 90.00, FAF 12.5 %'],
  ])
  const fee = { chargeApplication: 2, quantity: '3.000000', chargeRate: '9.000000' }
  assert.deepEqual(priced({ ...fee, amountExclTax: '9.00' }), ['1', '9.00', 'fee 9'])
  const fine = { quantity: '1000000.000000', chargeRate: '0.000049', amountExclTax: '49.00' }
  assert.deepEqual(priced(fine), ['1', '49.00', '1000000 × 0.000049'], 'four places are too few')
})

test('quantity × unit amount is always the amount to the cent', () => {
  const decimal = (max: number) => fc.integer({ min: -max, max }).map(n => (n / 1e6).toFixed(6))
  const cents = fc.integer({ min: -9_999_999, max: 9_999_999 }).map(n => (n / 100).toFixed(2))
  fc.assert(
    fc.property(
      decimal(5e9),
      decimal(5e9),
      cents,
      fc.boolean(),
      (quantity, chargeRate, anyAmount, isProduct) => {
        // The product of these whole numbers is exact in a double, and a half cent may be rounded either way.
        const product = (Math.round(Number(quantity) * 1e4) * Math.round(Number(chargeRate) * 1e4)) / 1e8
        const amountExclTax = isProduct ? product.toFixed(2) : anyAmount
        const { quantity: q, unitAmount: u } = priceOf(line({ quantity, chargeRate, amountExclTax }))
        const [exact, expected] = [
          BigInt(Math.round(Number(q) * 1e4)) * BigInt(Math.round(Number(u) * 1e4)),
          amountExclTax,
        ]
        const off = exact - BigInt(Math.round(Number(expected) * 100)) * 1_000_000n
        assert.ok(off <= 500_000n && off >= -500_000n, `${q} × ${u} is not ${expected}`)
      },
    ),
    { numRuns: 2_000 },
  )
})
