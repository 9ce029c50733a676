// Printing files that are attached to notes: what each becomes, and what is refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { convertForPrinter } from '../../src/paper/attached-files/convert-for-printer.ts'
import { renderLabelsPdf } from '../../src/paper/labels/label-file.ts'
import { locationLabel } from '../../src/paper/labels/location-layout.ts'
import { sql } from '../../src/platform/database/db.ts'
import { whole } from '../support/given-labels.ts'
import { dock, givenBridge, office, printerIds } from '../support/given-printers.ts'
import { openSubRecords } from '../support/given-sub-records.ts'
import { pictureOfZpl, scan } from '../support/label-pictures.ts'

const { world, admin, database, consignment } = await openSubRecords().then(all => ({ ...all, ...all.world }))
const { warehouses } = (await admin.get('/v1/warehouses')).body
const bridge = await givenBridge(world, warehouses[0].id, [
  office,
  dock,
  { ...office, name: 'Dock PDF', type: 1 },
])
await bridge.claim()
const ids = await printerIds(admin)

const file = (fileName: string, contentType: string, content: Buffer, printType?: 1 | 2) => ({
  fileName,
  contentType,
  content: content.toString('base64'),
  ...(printType === undefined ? {} : { options: { printType } }),
})
const place = { name: 'A-01-07', zoneName: null, warehouseName: 'Auckland' }
const label = whole(locationLabel(place, '100x50', 8))
const { content: labelPdf } = await renderLabelsPdf([label, label])

const path = await consignment()
/** Attaches a file to a new note, and returns the path of its print endpoint. */
async function attach(attachment: ReturnType<typeof file>): Promise<string> {
  const note = (await admin.post(`${path}/notes`, { note: 'Print this', attachments: [attachment] })).body
  const { attachments } = (await admin.get(`${path}/notes/${note}`)).body
  return `${path}/notes/${note}/attachments/${attachments[0].id}/print`
}
const jobOf = async (printJobId: string) => (await admin.get(`/v1/print-jobs/${printJobId}`)).body
const bytesOf = async (printJobId: string) => (await admin.get(`/v1/print-jobs/${printJobId}/content`)).bytes

test('a PDF is printed unchanged, and the job belongs to the client', async () => {
  const pdf = Buffer.from('%PDF-1.7\n%%EOF\n')
  const at = await attach(file('invoice.pdf', 'application/pdf', pdf))
  const { status, body } = await admin.get(`${at}?PrinterId=${ids[office.name]}&Orientation=2`)
  assert.equal(status, 200)
  assert.deepEqual(await bytesOf(body.printJobId), pdf)
  const { kind, name, contentType, orientation, consignmentId, partnerId } = await jobOf(body.printJobId)
  const { client, consignmentNumber } = (await admin.get(path)).body
  assert.deepEqual(
    [kind, name, contentType, orientation, `/v1/consignments/${consignmentId}`, partnerId],
    [11, `invoice.pdf of ${consignmentNumber}`, 'application/pdf', 2, path, client.id],
  )
})

test("without PrinterId the warehouse's default printer for the type of file is used, and must exist", async () => {
  const at = await attach(file('label.pdf', 'application/pdf', labelPdf, 1))
  const missing = await admin.get(at)
  assert.deepEqual(
    [missing.status, missing.body.ErrorMessages],
    [400, ['PrinterId is required: the warehouse has no default printer for labels.']],
  )
  await admin.put(`/v1/printers/${ids['Dock PDF']}`, { isDefault: true })
  const { body } = await admin.get(at)
  assert.equal((await jobOf(body.printJobId)).printerId, ids['Dock PDF'])
})

test('a printer for other paper, an offline one and an unknown one are refused with the reason', async () => {
  const at = await attach(file('label.pdf', 'application/pdf', labelPdf, 1))
  const said = async (printerId: string) =>
    (await admin.get(`${at}?PrinterId=${printerId}`)).body.ErrorMessages
  assert.deepEqual(await said(ids[office.name] as string), [
    'PrinterId names the printer Office A4, which prints documents, not labels.',
  ])
  assert.deepEqual(await said(crypto.randomUUID()), ['PrinterId does not refer to a printer.'])
  await bridge.claim([{ name: dock.name, isReachable: false, reason: 'head open' }])
  assert.deepEqual(await said(ids[dock.name] as string), [
    'PrinterId names the printer Dock labels, which is offline: head open.',
  ])
  await bridge.claim()
})

test("a carrier's label as PDF becomes images for a ZPL printer, and scanners can read them", async () => {
  const at = await attach(file('carrier.pdf', 'application/pdf', labelPdf, 1))
  const { body } = await admin.get(`${at}?PrinterId=${ids[dock.name]}`)
  const { contentType, pages } = await jobOf(body.printJobId)
  assert.deepEqual([contentType, pages], ['application/zpl', 2])
  const zpl = (await bytesOf(body.printJobId)).toString()
  assert.equal(zpl.split('^XA').length - 1, 2)
  assert.match(zpl, /^\^XZ\^XA\^PW800\^LL400\^LH0,0\^FO0,0\^GFA,/)
  const [first] = zpl.slice('^XZ'.length).split(/(?<=\^XZ)/)
  const texts = (await scan(await pictureOfZpl(String(first), label))).map(({ text }) => text)
  assert.ok(texts.length > 0 && texts.every(text => text === 'A-01-07'), texts.join())
})

test('ZPL text goes unchanged to a printer that takes ZPL, and to no other', async () => {
  const zpl = Buffer.from('\n^XA^FO10,10^FDraw^FS^XZ\n')
  const at = await attach(file('label.txt', 'text/plain', zpl, 1))
  const { body } = await admin.get(`${at}?PrinterId=${ids[dock.name]}`)
  assert.deepEqual(await bytesOf(body.printJobId), zpl)
  const refused = await admin.get(`${at}?PrinterId=${ids['Dock PDF']}`)
  assert.deepEqual(refused.body.ErrorMessages, [
    'The file label.txt is ZPL, which the printer does not take.',
  ])
})

const a4 = { type: 2, language: 1, dotsPerMM: null } as const

test('printer language is taken neither from the file of a partner nor for a partner', async () => {
  const zpl = Buffer.from('^XA^FO10,10^FDraw^FS^XZ')
  const { client } = (await admin.get(path)).body
  const person = world.as(admin, { partnerId: client.id })
  const at = await attach(file('label.txt', 'text/plain', zpl, 1))
  const refusal = [
    400,
    ['The file label.txt is printer language (ZPL), which is printed only from files of the organisation.'],
  ]
  const print = async (by: typeof admin) => {
    const { status, body } = await by.get(`${at}?PrinterId=${ids[dock.name]}`)
    return [status, body.ErrorMessages]
  }
  assert.deepEqual(await print(person), refusal)
  assert.equal((await print(admin))[0], 200)
  // The file of a person who belongs to the client.
  await database.inOneStatement(tx =>
    tx.run(sql`update app_user set partner_id = ${client.id} where id = ${admin.actor.userId}`),
  )
  assert.deepEqual(await print(admin), refusal)
  await database.inOneStatement(tx =>
    tx.run(sql`update app_user set partner_id = null where id = ${admin.actor.userId}`),
  )
})

test('ZPL that would set up the printer is refused with its commands', async () => {
  const zpl = Buffer.from('^XA^FO10,10^FDraw^FS^JUS^XZ\n~JR')
  const at = await attach(file('label.txt', 'text/plain', zpl, 1))
  const { status, body } = await admin.get(`${at}?PrinterId=${ids[dock.name]}`)
  assert.deepEqual(
    [status, body.ErrorMessages],
    [400, ['The file label.txt has commands that set up the printer: ^JU, ~JR. Remove them.']],
  )
})

test('a PDF of a partner that goes on in printer language is not sent to a printer', async () => {
  const bytes = Buffer.from('%PDF-1.7\n%%EOF\n\x1b%-12345X@PJL DEFAULT COPIES=99\r\n')
  const pdf = { fileName: 'x', contentType: 'application/pdf', bytes }
  await assert.rejects(
    convertForPrinter({ ...pdf, isOfPartner: true }, a4, null),
    /has printer language inside the PDF/,
  )
  assert.deepEqual((await convertForPrinter(pdf, a4, null)).content, bytes)
})

const image = (format: 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff') =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: 'navy' } })
    .toFormat(format)
    .toBuffer()

test('images of every format and texts are put on pages', async () => {
  for (const format of ['png', 'jpeg', 'gif', 'webp', 'tiff'] as const) {
    const made = await convertForPrinter(
      { fileName: format, contentType: `image/${format}`, bytes: await image(format) },
      a4,
      null,
    )
    assert.deepEqual(
      [made.contentType, made.pages, made.content.subarray(0, 5).toString()],
      ['application/pdf', 1, '%PDF-'],
    )
  }
  const lines = Array.from({ length: 200 }, (_, i) => `${i}\tŌtaki  ${'x'.repeat(i % 90)}`).join('\r\n')
  const longest = Buffer.from('\n'.repeat(5_000))
  for (const bytes of [Buffer.from(lines), Buffer.from('caf\xe9', 'latin1'), longest]) {
    const made = await convertForPrinter({ fileName: 'list.csv', contentType: 'text/csv', bytes }, a4, 1)
    assert.ok((made.pages ?? 0) >= 1)
    assert.equal(made.contentType, 'application/pdf')
  }
})

test('files that cannot be printed are refused, and damaged ones are reported as such', async () => {
  const zplPrinter = { type: 1, language: 2, dotsPerMM: 8 } as const
  for (const [contentType, bytes, printer, message] of [
    [
      'application/zip',
      Buffer.from('PK'),
      a4,
      /^The file x cannot be printed: only PDF, images and plain text can\.$/,
    ],
    ['image/png', Buffer.from('no picture'), a4, /cannot be printed/],
    [
      'application/pdf',
      Buffer.from('%PDF-1.7 no more'),
      zplPrinter,
      /^The file x is damaged or has a password\.$/,
    ],
    [
      'text/plain',
      Buffer.from('\n'.repeat(5_001)),
      a4,
      /^The file x is too long to print: it has 5001 lines, and a text may have 5000\.$/,
    ],
    [
      'text/csv',
      Buffer.alloc(1_048_577, 'x'),
      a4,
      /^The file x is too large to print: a text may have 1 MiB\.$/,
    ],
  ] as const)
    await assert.rejects(
      convertForPrinter({ fileName: 'x', contentType, bytes }, printer, null),
      ({ status, faults }) => {
        assert.equal(status, 400)
        assert.match(faults[0].message, message)
        return true
      },
    )
})

test('users of the client can print what they see, and a GET that prints has no HEAD', async () => {
  const { client } = (await admin.get(path)).body
  const person = world.as(admin, { partnerId: client.id })
  const at = await attach(file('invoice.pdf', 'application/pdf', Buffer.from('%PDF-1.7\n%%EOF\n')))
  assert.equal((await person.get(`${at}?PrinterId=${ids[office.name]}`)).status, 200)
  const head = await world.app.inject({
    method: 'HEAD',
    url: at,
    headers: { authorization: admin.authorization },
  })
  assert.ok(head.statusCode >= 400)
  const before = await database.db.row<{ n: number }>(sql`select count(*) as n from print_job`)
  assert.ok(before.n > 0)
})

test('the test page prints on both kinds of printer, and its codes can be read', async () => {
  for (const [name, contentType] of [
    [office.name, 'application/pdf'],
    [dock.name, 'application/zpl'],
  ] as const) {
    const { status, body } = await admin.post(`/v1/printers/${ids[name]}/test-page/print`, {})
    assert.equal(status, 200, JSON.stringify(body))
    const job = await jobOf(body.printJobId)
    assert.deepEqual([job.contentType, job.kind, job.name], [contentType, 12, `Test page of ${name}`])
  }
  const { body } = await admin.post(`/v1/printers/${ids[dock.name]}/test-page/print`)
  const zpl = (await bytesOf(body.printJobId)).toString()
  const read = await scan(
    await pictureOfZpl(zpl.replace(/^\^XZ/, ''), { width: 100, height: 150, dotsPerMM: 8 }),
  )
  const texts = read.map(({ text }) => text)
  assert.ok(texts.includes('WAYBILL-TEST'), texts.join())
  assert.ok(
    texts.some(text => text.includes('095200000000000004')),
    texts.join(),
  )
})
