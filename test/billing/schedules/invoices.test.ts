// Invoices: numbers without gaps, what an approval freezes, taxes, and what check-money finds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw, sql } from '../../../src/platform/database/db.ts'
import { billingOf, openBilling } from '../../support/given-billing.ts'
import { checkMoneyAfterEach } from '../../support/given-charges.ts'
import { rulesBrokenBy } from '../../support/given-proofs.ts'
import { textOf } from '../../support/pdf.ts'

const { world } = await openBilling()
const { database } = world
checkMoneyAfterEach(database)

/** The billing of a new organisation, with short ways to make and approve schedules. */
async function fresh() {
  const billing = await billingOf(world, await world.stranger())
  const { caller, clientId, enterTransaction } = billing
  const schedule = async (date: string, partnerId = clientId): Promise<string> => {
    const { status, body } = await caller.post('/v1/schedules', { partnerId, date })
    assert.equal(status, 201, JSON.stringify(body))
    return body.partnerScheduleId
  }
  const setStatus = (id: string, status: number) => caller.put(`/v1/schedules/${id}/status`, { status })
  return {
    ...billing,
    schedule,
    setStatus,
    read: async (id: string) => (await caller.get(`/v1/schedules/${id}`)).body,
    /** Enters 10.00 on a day, and creates a schedule of that day. */
    async billed(date: string, partnerId = clientId): Promise<string> {
      await enterTransaction(date, {}, partnerId)
      return schedule(date, partnerId)
    },
    async approved(id: string) {
      assert.equal((await setStatus(id, 2)).status, 200)
      return (await caller.get(`/v1/schedules/${id}`)).body
    },
    organisation: async (change: object) => caller.put('/v1/organisation', change),
  }
}

test("approval gives a client's schedule the next invoice number and the day it is due", async () => {
  const { billed, approved, caller, clientId, organisation, carrierId } = await fresh()
  await organisation({ paymentTermsDays: 14 })
  const ids = [await billed('2026-01-31'), await billed('2026-02-28'), await billed('2026-03-31')]
  const [first, second] = [await approved(ids[1] as string), await approved(ids[0] as string)]
  assert.deepEqual([first.invoiceNumber, first.dueDate], ['INV-000001', '2026-03-14'])
  assert.deepEqual([second.invoiceNumber, second.dueDate], ['INV-000002', '2026-02-14'])
  assert.equal((await caller.get('/v1/organisation')).body.nextInvoiceNumber, 3)
  const carrier = await approved(await billed('2026-03-31', carrierId))
  assert.deepEqual([carrier.invoiceNumber, carrier.dueDate], [null, null], 'a carrier sends its own invoice')
  await caller.put(`/v1/partners/${clientId}`, { paymentTermsDays: 30 })
  const third = await approved(ids[2] as string)
  assert.deepEqual([third.invoiceNumber, third.dueDate], ['INV-000003', '2026-04-30'])
  const { schedules } = (await caller.get('/v1/schedules?SearchText=inv-000002')).body
  assert.deepEqual(
    schedules.map(({ id, dueDate }: { id: string; dueDate: string }) => [id, dueDate]),
    [[ids[0], '2026-02-14']],
  )
})

test('a schedule keeps its invoice number as a Draft and is then not removed, so that none is missing', async () => {
  const { billed, approved, setStatus, caller, read } = await fresh()
  const id = await billed('2026-01-31')
  await approved(id)
  assert.equal((await setStatus(id, 1)).status, 200)
  const draft = await read(id)
  assert.deepEqual([draft.invoiceNumber, draft.dueDate], ['INV-000001', null])
  const removed = await caller.delete(`/v1/schedules/${id}`)
  assert.deepEqual(
    [removed.status, removed.body.ErrorMessages],
    [
      400,
      [
        'The schedule was Approved as INV-000001, and invoice numbers have no gaps: approve it again, and ' +
          'credit what is wrong.',
      ],
    ],
  )
  const other = await approved(await billed('2026-02-28'))
  assert.equal(other.invoiceNumber, 'INV-000002')
  assert.equal((await approved(id)).invoiceNumber, 'INV-000001')
})

test('numbers begin where the organisation says, and are fixed from the first invoice on', async () => {
  const { billed, approved, caller, organisation } = await fresh()
  assert.equal((await organisation({ invoicePrefix: 'R/', nextInvoiceNumber: 4711 })).status, 200)
  assert.equal((await organisation({ nextInvoiceNumber: 4711 })).status, 304)
  assert.equal((await approved(await billed('2026-01-31'))).invoiceNumber, 'R/004711')
  const refused = await organisation({ nextInvoiceNumber: 4711 })
  assert.deepEqual(
    [refused.status, refused.body.ErrorMessages],
    [400, ['nextInvoiceNumber cannot change once the organisation has invoices.']],
  )
  const { nextInvoiceNumber } = (await caller.get('/v1/organisation')).body
  assert.equal(nextInvoiceNumber, 4712)
  assert.equal((await organisation({ nextInvoiceNumber, invoicePrefix: 'B-' })).status, 200)
  assert.equal((await approved(await billed('2026-02-28'))).invoiceNumber, 'B-004712')
  assert.equal((await organisation({ invoicePrefix: 'TOO-LONG' })).status, 400)
})

test('of many schedules approved at once, refused ones among them, each has a number and none is missing', async () => {
  const { billed, setStatus, caller, enterTransaction, schedule, clientId } = await fresh()
  const ids: string[] = []
  for (let day = 10; day < 22; day++) ids.push(await billed(`2026-01-${day}`))
  await enterTransaction('2026-02-01')
  const wrong = await schedule('2026-02-01')
  await database.atomically(tx =>
    tx.run(
      sql`update schedule_transaction set charge_rate_excl_tax = 11 where partner_schedule_id = ${wrong}`,
    ),
  )
  const answers = await Promise.all([...ids, wrong].map(id => setStatus(id, 2)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [...ids.map(() => 200), 400],
  )
  const { schedules } = (await caller.get(`/v1/schedules?PartnerId=${clientId}&PageSize=500`)).body
  const numbers = schedules.map(({ invoiceNumber }: { invoiceNumber: string | null }) => invoiceNumber)
  assert.deepEqual(numbers.filter((number: string | null) => number !== null).toSorted(), [
    ...ids.map((_, n) => `INV-${String(n + 1).padStart(6, '0')}`),
  ])
  await database.atomically(tx =>
    tx.run(
      sql`update schedule_transaction set charge_rate_excl_tax = 10 where partner_schedule_id = ${wrong}`,
    ),
  )
})

/** The compressed pictures in a PDF. */
const picturesOf = (pdf: Buffer): string[] =>
  [...pdf.toString('latin1').matchAll(/\/Subtype\s*\/Image.*?stream\r?\n(.*?)endstream/gs)].map(
    ([, bytes]) => bytes as string,
  )

test('an approved invoice is printed again with the logos of its approval, a Draft with those of now', async () => {
  const { billed, approved, setStatus, caller, clientId } = await fresh()
  const [red, grey] = ['k+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'kYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='].map(
    end => `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mN${end}`,
  )
  const paths = ['/v1/organisation/logo', `/v1/partners/${clientId}/logo`]
  const upload = async (content: string | undefined) => {
    for (const path of paths) {
      const logo = { fileName: 'logo.png', contentType: 'image/png', content }
      assert.equal((await caller.put(path, { logo })).status, 200)
    }
  }
  const print = async (id: string) => (await caller.get(`/v1/schedules/${id}/statement-pdf`)).bytes
  const [plain, logged] = [await billed('2026-01-31'), await billed('2026-02-28')]
  await approved(plain)
  await upload(red)
  await approved(logged)
  const before = picturesOf(await print(logged))
  assert.ok(before.length > 0)
  await upload(grey)
  assert.deepEqual(picturesOf(await print(logged)), before)
  assert.deepEqual(picturesOf(await print(plain)), [], 'it had none')
  assert.equal((await setStatus(logged, 1)).status, 200)
  assert.notDeepEqual(picturesOf(await print(logged)), before)
})

test('an automatic approval numbers the schedules of its run', async () => {
  const { rule, enterTransaction, bill, schedules } = await fresh()
  await rule({ autoApprove: true, maxTransactions: 1 })
  for (const date of ['2026-01-05', '2026-01-06']) await enterTransaction(date)
  await bill('2026-02-02T00:00:00Z')
  assert.deepEqual(
    (await schedules()).map(({ invoiceNumber }: { invoiceNumber: string }) => invoiceNumber),
    ['INV-000001', 'INV-000002'],
  )
})

test('an approved invoice printed again is as it was, whatever was renamed since', async () => {
  const { billed, approved, caller, clientId, organisation, setStatus } = await fresh()
  await organisation({ taxNumber: '11-111', taxName: 'GST', address: '1 Old Street', bankDetails: '01-0001' })
  await organisation({ paymentTerms: 'Within 14 days.', paymentTermsDays: 14, currencyCode: 'NZD' })
  const id = await billed('2026-01-31')
  await approved(id)
  const print = async () => textOf((await caller.get(`/v1/schedules/${id}/statement-pdf`)).bytes)
  const facts = [
    ...['Kauri Foods', 'KAURI', 'GST number 11-111', '1 Old Street', '01-0001', 'Within 14 days.'],
    ...['INV-000001', '14 Feb 2026'],
  ]
  const before = await print()
  for (const fact of facts) assert.ok(before.includes(fact), `${fact} in\n${before}`)
  const { name } = (await caller.get('/v1/organisation')).body
  await organisation({ name: 'Renamed', taxNumber: '22-222', taxName: 'MwSt', address: '2 New Street' })
  await organisation({ bankDetails: '02-0002', paymentTerms: 'At once.', paymentTermsDays: 0 })
  await caller.put(`/v1/partners/${clientId}`, { name: 'Kauri New', code: 'KNEW', paymentTermsDays: 60 })
  const after = await print()
  const withoutTime = (text: string) => text.replace(/Printed .*/g, '')
  assert.equal(withoutTime(after), withoutTime(before))
  assert.ok(after.includes(name))
  const exported = (await caller.get(`/v1/schedules/${id}/export`)).body
  assert.deepEqual(
    [exported.invoiceNumber, exported.dueDate, exported.partner.name, exported.currencyCode],
    ['INV-000001', '2026-02-14', 'Kauri Foods', 'NZD'],
  )
  const named = async (search = '') => {
    const { schedules } = (await caller.get(`/v1/schedules?SearchText=${search}`)).body
    const { partner } = (await caller.get(`/v1/schedules/${id}`)).body
    const [row] = (await caller.post('/v1/reports/schedule-summary', {})).body
    assert.deepEqual([row.partnerName, row.partnerCode], [partner.name, partner.code], 'the report')
    return [schedules[0]?.partnerName, schedules[0]?.partnerCode, partner.name, partner.code]
  }
  assert.deepEqual(await named(), ['Kauri Foods', 'KAURI', 'Kauri Foods', 'KAURI'])
  // Whoever looks for either name finds it.
  for (const search of ['kauri%20foods', 'knew']) assert.equal((await named(search))[1], 'KAURI')
  // As a Draft it is of today, and the next approval freezes that.
  await setStatus(id, 1)
  assert.deepEqual(await named(), ['Kauri New', 'KNEW', 'Kauri New', 'KNEW'])
  await approved(id)
  const renewed = await print()
  for (const fact of ['Kauri New', 'MwSt number 22-222', '60 days', '1 Apr 2026', 'INV-000001'])
    assert.ok(renewed.includes(fact), `${fact} in\n${renewed}`)
})

test('taxes are rounded once per tax rate, and page, detail, report, statement and exports agree', async () => {
  const { caller, enterTransaction, schedule, approved, made, read, clientId } = await fresh()
  const taxRateId = await made('/v1/tax-rates', { name: 'Levy', percent: 15 })
  // 15 % of 0.75 is 0.1125, and of 0.79 it is 0.1185: together 0.231, and 0.11 and 0.12 for two rates.
  await enterTransaction('2026-01-05', { chargeRateExclTax: 0.75 })
  await enterTransaction('2026-01-05', { chargeRateExclTax: 0.79, taxRateId })
  const id = await schedule('2026-01-31')
  const draft = await read(id)
  assert.equal(draft.amountInclTax, 1.77, 'a Draft shows what it comes to')
  const approvedSchedule = await approved(id)
  const taxes = [
    ['GST', 15, 0.75, 0.11],
    ['Levy', 15, 0.79, 0.12],
  ]
  const rows = (of: { taxes: Record<string, unknown>[] }) =>
    of.taxes.map(({ name, percent, netAmount, taxAmount }) => [name, percent, netAmount, taxAmount])
  const page = (await caller.get(`/v1/schedules?PartnerId=${clientId}`)).body.schedules[0]
  const json = (await caller.get(`/v1/schedules/${id}/export`)).body
  for (const found of [approvedSchedule, page, json]) {
    assert.deepEqual(rows(found), taxes)
    assert.equal(found.amountInclTax, 1.77)
  }
  const [summary] = (await caller.post('/v1/reports/schedule-summary', {})).body
  assert.deepEqual(
    [summary.taxAmount, summary.amountInclTax, summary.invoiceNumber, summary.transactionCount],
    [0.23, 1.77, 'INV-000001', 2],
  )
  const statement = await textOf((await caller.get(`/v1/schedules/${id}/statement-pdf`)).bytes)
  assert.match(statement, /GST 15 % 0\.11/)
  assert.match(statement, /Levy 15 % 0\.12/)
})

test('the name and the percentage of a tax are those of when a charge was entered', async () => {
  const { caller, consignment, enter, close, schedule, read, taxRateId } = await fresh()
  const id = await consignment()
  await enter(id, 'client-activity', { chargeRateExclTax: 10, metricValue: 1 })
  await caller.put(`/v1/tax-rates/${taxRateId}`, { name: 'GST 17.5', percent: 17.5 })
  assert.equal((await close(id, '2026-03-31')).status, 200)
  const { transactions, taxes } = await read(await schedule('2026-03-31'))
  const [{ taxRateName, taxRatePercent }] = transactions
  assert.deepEqual([taxRateName, taxRatePercent], ['GST', 15])
  assert.deepEqual(taxes, [{ taxRateId, name: 'GST', percent: 15, netAmount: 10, taxAmount: 1.5 }])
})

test('check-money finds wrong taxes, missing and foreign invoice numbers, and approvals without an invoice', async () => {
  const { billed, approved } = await fresh()
  const ids = [await billed('2026-01-31'), await billed('2026-02-28')]
  for (const id of ids) await approved(id)
  const draft = await billed('2026-03-31')
  const rules = {
    taxes: 'The taxes of a schedule are those of its transactions.',
    numbers: 'Invoice numbers have no gaps: every number below the next one is on a schedule.',
    invoices:
      'An Approved schedule has what stands on its invoice and, for a client, its number and due date.',
  }
  const [first = ''] = ids
  const schedule = (change: string, id = first) =>
    sql`update partner_schedule set ${raw(change)} where id = ${id}`
  for (const [statement, broken] of [
    [
      sql`update partner_schedule_tax set net_amount = net_amount + 1 where partner_schedule_id = ${first}`,
      rules.taxes,
    ],
    [sql`update partner_schedule_tax set percent = 99 where partner_schedule_id = ${first}`, rules.taxes],
    [sql`delete from partner_schedule_tax where partner_schedule_id = ${draft}`, rules.taxes],
    [schedule("invoice_ordinal = 7, invoice_number = 'INV-000007'"), rules.numbers],
    [schedule('due_date = date'), null],
    [schedule('due_date = date + 1'), rules.invoices],
    [schedule('invoice = null'), rules.invoices],
    [schedule("invoice_number = 'INV-000009'"), rules.invoices],
    [schedule('due_date = date', draft), rules.invoices],
  ] as const)
    assert.deepEqual(await rulesBrokenBy(database, statement), broken === null ? [] : [broken])
})
