// Schedules with their lines and taxes, the proofs of what is on them, and the files that other programs read.

import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import type { Booking, Schedule } from '../notebook/books.ts'
import { ask, untilNotBusy, type World } from '../world.ts'
import { asTransaction, inOrderOfNames, transactionOf } from './books.ts'
import { sameFigure, sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import { clientName } from './rows.ts'

export async function schedules(world: World): Promise<void> {
  const { books, floor } = world.notebook
  const { schedules: listed } = await ask(world, 'get', '/v1/schedules?PageSize=500')
  const told = new Map<string, Row>(listed.map((row: Row) => [row.id, row]))
  sameText([...told.keys()].toSorted(), books.schedules.map(({ id }) => id).toSorted(), 'the schedules')
  for (const [i, schedule] of books.schedules.entries()) {
    const what = `schedule ${i + 1}`
    const { partnerId, partnerName, partnerCode, ...row } = told.get(schedule.id)
    sameText({ partnerId, partnerName, partnerCode }, partnerOf(world), `${what}, whose it is`)
    sameHead(row, headOf(world, schedule), `${what} in the list`)
    await compareDetail(world, schedule, what)
    await compareProof(world, schedule, what)
    if (i === floor.journal.length % books.schedules.length) await compareFiles(world, schedule, what)
  }
}

const partnerOf = ({ clientId }: World) => ({
  ...{ partnerId: clientId, partnerName: clientName, partnerCode: 'KAURI' },
})

/** A schedule without its transactions. */
function headOf({ notebook, books: { taxRateId } }: World, schedule: Schedule): Row {
  const { books } = notebook
  const { id, day, reference, isApproved, invoice, dueOn, exported } = schedule
  const { net, tax } = books.totalOf(schedule)
  return {
    ...{ id, date: day, referenceNumber: reference, invoiceNumber: invoice, dueDate: dueOn },
    ...{ amountExclTax: net / 100, amountInclTax: (net + tax) / 100, status: isApproved ? 2 : 1 },
    isExported: exported !== null,
    taxes: books.taxesOf(schedule).map(({ tax: { name, percent }, net, cents }) => ({
      ...{ taxRateId, name, percent, netAmount: net / 100, taxAmount: cents / 100 },
    })),
  }
}

const sameHead = (told: Row, known: Row, what: string) =>
  sameText(inOrderOfNames(told), inOrderOfNames(known), what)

const byId = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))

function sameLines(world: World, told: readonly Row[], own: readonly Booking[], what: string): void {
  const known = byId(own.map(booking => transactionOf(world, booking)))
  const rows = byId(told.map(asTransaction))
  sameText(
    rows.map(({ id }) => id),
    known.map(({ id }) => id),
    `${what}, its rows`,
  )
  for (const [i, row] of rows.entries())
    sameText(inOrderOfNames(row), inOrderOfNames(known[i]), `${what}, ${row.what}`)
}

async function compareDetail(world: World, schedule: Schedule, what: string): Promise<void> {
  const { books } = world.notebook
  const told = await ask(world, 'get', `/v1/schedules/${schedule.id}`)
  const { partner, description, externalUrl, activities, transactions, ...head } = told
  const { partnerId: id, partnerName: name, partnerCode: code } = partnerOf(world)
  sameText(partner, { id, name, code }, `${what}, whose it is`)
  sameHead(head, headOf(world, schedule), what)
  sameText(description, schedule.description, `${what}, its description`)
  sameText(externalUrl, schedule.exported?.url ?? null, `${what}, where it is in another program`)
  const own = books.on(schedule)
  sameLines(world, transactions, own, what)
  const byActivity = [...Map.groupBy(own, one => transactionOf(world, one).activityName).entries()]
  const known = byActivity.map(([activityName, rows]) => ({
    ...{ activityCode: activityName && 'HANDLING', activityName, transactionCount: rows.length },
    amountExclTax: rows.reduce((all, { cents }) => all + cents, 0) / 100,
  }))
  // The greatest amount comes first; of equal amounts, the one that has a name.
  const inOrder = known.toSorted(
    (a, b) => b.amountExclTax - a.amountExclTax || Number(a.activityName === null) - 0.5,
  )
  sameText(activities, inOrder, `${what}, its activities`)
}

/** Everything on it can be derived again to the cent. */
async function compareProof(world: World, schedule: Schedule, what: string): Promise<void> {
  const { books } = world.notebook
  const count = books.on(schedule).length
  const known = { transactions: count, verified: count, differing: [] }
  const { sumExclTax, ...told } = await ask(world, 'get', `/v1/schedules/${schedule.id}/proof`)
  sameText(told, known, `the proof of ${what}`)
  sameFigure(Math.round(sumExclTax * 100), books.totalOf(schedule).net, `the proof of ${what}, in cents`)
}

const formats = { json: 1, csv: 2, xero: 3, myob: 4 }

async function compareFiles(world: World, schedule: Schedule, what: string): Promise<void> {
  const { books } = world.notebook
  const own = books.on(schedule)
  const read = (format: keyof typeof formats) =>
    untilNotBusy(() => world.caller.get(`/v1/schedules/${schedule.id}/export?Format=${formats[format]}`))
  const { transactions, ...head } = JSON.parse((await read('json')).bytes.toString())
  sameLines(world, transactions, own, `the file of ${what}`)
  const { isExported: _, ...known } = headOf(world, schedule)
  const { partnerId: id, partnerName: name, partnerCode: code } = partnerOf(world)
  const partner = { id, name, code, accountingName: books.accountingName }
  const { description } = schedule
  sameHead(head, { ...known, partner, description, currencyCode: null }, `the file of ${what}`)
  sameTable(world, schedule, rowsOf((await read('csv')).bytes), what)
  const isRefused = !schedule.isApproved || own.some(({ account }) => account === null)
  for (const format of ['xero', 'myob'] as const) {
    const { status, bytes } = await read(format)
    sameFigure(status, isRefused ? 400 : 200, `the ${format} file of ${what}`)
    if (isRefused) continue
    const rows = rowsOf(bytes)
    sameFigure(rows.length, own.length, `the rows of the ${format} file of ${what}`)
    const compare = format === 'xero' ? compareXero : compareMyob
    const known = own.toSorted((a, b) => (`${a.day} ${a.id}` < `${b.day} ${b.id}` ? -1 : 1))
    for (const [i, row] of rows.entries())
      compare(world, schedule, known[i] as Booking, row, `the ${format} file of ${what}, row ${i + 1}`)
  }
}

const rowsOf = (bytes: Buffer): Row[] => parse(bytes, { columns: true, bom: true, record_delimiter: '\r\n' })

/** The lines of a schedule as a table: what its detail tells, cell by cell. */
function sameTable(world: World, schedule: Schedule, rows: readonly Row[], what: string): void {
  const own = world.notebook.books.on(schedule)
  sameFigure(rows.length, own.length, `the rows of the table of ${what}`)
  for (const booking of own) {
    const { what: words, ...known } = transactionOf(world, booking)
    const row = rows.find(({ id }) => id === booking.id)
    const cells = { ...known, invoiceNumber: schedule.invoice, dueDate: schedule.dueOn }
    for (const [name, value] of Object.entries(cells))
      sameText(row?.[name], value === null ? '' : String(value), `the table of ${what}, ${words}, ${name}`)
    sameText(`${row?.particulars}, ${row?.chargeRateExclTax} each`, words, `the table of ${what}`)
  }
}

const dayFirst = (day: string | null) => day?.split('-').toReversed().join('/')
const guarded = (text: string) => (/^[-=+@]/.test(text) ? `'${text}` : text)

function compareXero(
  { notebook }: World,
  schedule: Schedule,
  booking: Booking,
  row: Row,
  what: string,
): void {
  const told = [
    ...['*ContactName', '*InvoiceNumber', 'Reference', '*InvoiceDate', '*DueDate', '*AccountCode'],
    ...['*TaxType', 'Currency', 'TrackingName1', 'TaxAmount', 'Discount'],
  ].map(name => row[name])
  const known = [
    ...[guarded(notebook.books.accountingName ?? clientName), schedule.invoice, schedule.reference ?? ''],
    ...[dayFirst(schedule.day), dayFirst(schedule.dueOn), booking.account, 'OUTPUT', '', '', '', ''],
  ]
  sameText(told, known, what)
  compareDescription(booking, row['*Description'], what)
  const cents = Math.round(Number(row['*Quantity']) * Number(row['*UnitAmount']) * 1e6) / 1e4
  const rounded = Math.sign(cents) * Math.floor(Math.abs(cents) + 0.5)
  sameFigure(rounded, booking.cents, `${what}, its quantity and unit amount, in cents`)
}

function compareMyob(
  { notebook }: World,
  schedule: Schedule,
  booking: Booking,
  row: Row,
  what: string,
): void {
  const told = ['Co./Last Name', 'Invoice No.', 'Date', 'Account No.', 'Amount', 'Job', 'Tax Code'].map(
    name => row[name],
  )
  const known = [
    ...[guarded(notebook.books.accountingName ?? clientName), schedule.invoice, dayFirst(schedule.day)],
    ...[booking.account, (booking.cents / 100).toFixed(2), booking.centre?.code ?? '', 'OUTPUT'],
  ]
  sameText(told, known, what)
  compareDescription(booking, row.Description, what)
  const days = (Date.parse(schedule.dueOn ?? '') - Date.parse(schedule.day)) / 86_400_000
  sameText(row['           - Balance Due Days'], String(days), `${what}, when it is due`)
}

function compareDescription({ day, consignment, what }: Booking, told: string, row: string): void {
  const particulars = what.replace(/, [^,]* each$/, '')
  const words = [day, consignment?.number, particulars].filter(word => word).join(' ')
  assert.ok(told.startsWith(words), `${row} is called ${told}`)
}
