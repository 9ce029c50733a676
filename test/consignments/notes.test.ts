import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { raw, sql } from '../../src/platform/database/db.ts'
import { bytesOf, openSubRecords, uploaded } from '../support/given-sub-records.ts'

const { world, consignment, eventsOf, imported } = await openSubRecords()
const { admin, app, database } = world

const write = async (path: string, body: object): Promise<string> => {
  const { status, body: id } = await admin.post(`${path}/notes`, body)
  assert.equal(status, 200, JSON.stringify(id))
  return `${path}/notes/${id}`
}
const read = async (note: string) => (await admin.get(note)).body
const typesOf = async (path: string) => (await eventsOf(path)).map(({ type }) => type)

test('a note is stored and read with its author, and without attachments only the event for the text is raised', async () => {
  const path = await consignment()
  const note = await write(path, { note: 'Ring the bell.' })
  const { id, createdUtc, ...rest } = await read(note)
  assert.deepEqual(rest, {
    createdBy: 'Ada Storekeeper',
    note: 'Ring the bell.',
    displayOnPrintOut: false,
    attachments: [],
  })
  assert.match(createdUtc, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const [event, ...more] = await eventsOf(path)
  assert.deepEqual([event?.type, more], [102, []])
  assert.deepEqual(event?.changes, [
    { field: 'notes', from: null, to: { id, note: 'Ring the bell.', displayOnPrintOut: false } },
  ])
})

test('a consignment has at most 2,000 notes, and 1,000 proofs of delivery and tracking records', async () => {
  const path = await consignment()
  const id = path.split('/').at(-1)
  await database.atomically(async tx => {
    await tx.run(sql`insert into consignment_note (organisation_id, id, consignment_id, note, created_by,
        created_by_name)
      select organisation_id, gen_random_uuid(), id, 'x', ${admin.actor.userId}, 'Ada'
      from consignment, generate_series(1, 1999) where id = ${id}`)
    for (const [table, column] of Object.entries({
      consignment_pod: 'event_utc',
      consignment_tracking: 'last_updated_date',
    }))
      await tx.run(sql`insert into ${raw(table)} (organisation_id, id, consignment_id, ${raw(column)})
        select organisation_id, gen_random_uuid(), id, now() from consignment, generate_series(1, 999)
        where id = ${id}`)
  })
  for (const [part, body, most] of [
    ['notes', { note: 'x' }, '2,000 notes'],
    ['pods', {}, '1,000 proofs of delivery'],
    ['tracking', {}, '1,000 tracking records'],
  ] as const) {
    assert.equal((await admin.post(`${path}/${part}`, body)).status, 200, part)
    const { status, body: refusal } = await admin.post(`${path}/${part}`, body)
    assert.equal(status, 400)
    assert.match(
      refusal.ErrorMessages[0],
      new RegExp(`^Consignment \\S+ has ${most} already, which is the most\\.$`),
    )
  }
})

test('the response to a new note is its id as a bare JSON string', async () => {
  const path = await consignment()
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(`${base}${path}/notes`, {
    method: 'POST',
    headers: { authorization: admin.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ note: 'Over a socket' }),
  })
  const text = await response.text()
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.match(text, /^"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"$/)
  assert.equal((await read(`${path}/notes/${JSON.parse(text)}`)).note, 'Over a socket')
})

test('attachments keep their order, name, type and print type, and raise an event of their own', async () => {
  const path = await consignment()
  const note = await write(path, {
    note: 'Papers',
    displayOnPrintOut: true,
    attachments: [
      uploaded('label – Ōtaki.pdf', 'application/pdf', { options: { printType: 1 } }),
      uploaded('photo.png', 'image/png', { contentType: 'IMAGE/PNG; q=1', options: { printType: null } }),
      uploaded('note.txt', 'text/plain', { options: null }),
    ],
  })
  const { attachments, displayOnPrintOut } = await read(note)
  assert.equal(displayOnPrintOut, true)
  assert.deepEqual(
    attachments.map(({ id, ...rest }: { id: string }) => rest),
    [
      { fileName: 'label – Ōtaki.pdf', contentType: 'application/pdf', printType: 1 },
      { fileName: 'photo.png', contentType: 'image/png', printType: null },
      { fileName: 'note.txt', contentType: 'text/plain', printType: null },
    ],
  )
  const [text, files, ...more] = await eventsOf(path)
  assert.deepEqual([text?.type, files?.type, more], [102, 116, []])
  assert.equal(files?.changes.length, 3)
  assert.ok(
    !JSON.stringify(files).includes(bytesOf('application/pdf').toString('base64')),
    'the history holds no file',
  )
})

test('an attachment is downloaded unchanged, to be saved rather than displayed', async () => {
  const note = await write(await consignment(), {
    note: 'Papers',
    attachments: [uploaded('A "b"; é.pdf', 'application/pdf')],
  })
  const [{ id }] = (await read(note)).attachments
  const { status, headers, bytes } = await admin.get(`${note}/attachments/${id}/file`)
  assert.equal(status, 200)
  assert.ok(bytes.equals(bytesOf('application/pdf')))
  assert.equal(headers['content-type'], 'application/pdf')
  assert.equal(
    headers['content-disposition'],
    `attachment; filename="A \\"b\\"; ?.pdf"; filename*=UTF-8''A%20%22b%22%3B%20%C3%A9.pdf`,
  )
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-security-policy']), /sandbox/)
  assert.equal((await admin.get(`${note}/attachments/${uuidv7()}/file`)).status, 404)
})

test('all bad files are refused with their paths, and nothing is written', async () => {
  const path = await consignment()
  const attachments = [
    uploaded('a.png', 'application/pdf', { contentType: 'image/png' }),
    uploaded('b.pdf', 'application/pdf', { content: 'JVBERi0x*' }),
    uploaded('c/d.exe', 'text/plain', { contentType: 'application/x-msdownload' }),
    uploaded('ok.txt', 'text/plain'),
  ]
  const { status, body } = await admin.post(`${path}/notes`, { note: 'Bad', attachments })
  assert.equal(status, 400)
  assert.deepEqual(body.ErrorMessages, [
    'attachments[0].content is not what attachments[0].contentType says (image/png).',
    'attachments[1].content must be base64.',
    'attachments[2].fileName must not contain path separators or control characters.',
    'attachments[2].contentType must be PDF, an image (PNG, JPEG, GIF, WebP, TIFF), plain text, CSV, an Office document or ZIP.',
  ])
  const shape = await admin.post(`${path}/notes`, {
    note: 'Bad',
    attachments: [{ fileName: 'x.pdf', options: { printType: 3 } }],
  })
  assert.deepEqual(shape.body.ErrorMessages.toSorted(), [
    'attachments[0].content is required.',
    'attachments[0].contentType is required.',
    'attachments[0].options.printType must be one of 1 (Label), 2 (Document).',
  ])
  assert.deepEqual(await typesOf(path), [])
  assert.deepEqual((await admin.get(path)).body.notes, [])
})

test('a file of 10 MiB is accepted, and one byte more is too large', async () => {
  const path = await consignment()
  const sized = (bytes: number) => ({
    note: 'Large',
    attachments: [uploaded('a.txt', 'text/plain', { content: Buffer.alloc(bytes, 'a').toString('base64') })],
  })
  const { status, body } = await admin.post(`${path}/notes`, sized(10 * 1024 * 1024 + 1))
  assert.deepEqual(
    [status, body.ErrorType, body.ErrorMessages],
    [413, 'Payload Too Large', ['attachments[0].content must not be larger than 10 MiB.']],
  )
  const note = await write(path, sized(10 * 1024 * 1024))
  const [{ id }] = (await read(note)).attachments
  assert.equal((await admin.get(`${note}/attachments/${id}/file`)).bytes.length, 10 * 1024 * 1024)
})

test('a note must have a text', async () => {
  const path = await consignment()
  const cases: [object, string][] = [
    [{}, 'note is required.'],
    [{ note: '' }, 'note must not be empty.'],
    [{ note: ' \n' }, 'note must not be blank.'],
    [{ note: 'x'.repeat(4001) }, 'note must have at most 4,000 characters.'],
    [{ note: 'x', displayOnPrintOut: 'yes' }, 'displayOnPrintOut must be true or false.'],
  ]
  for (const [body, fault] of cases) {
    const answer = await admin.post(`${path}/notes`, body)
    assert.equal(answer.status, 400)
    assert.ok(answer.body.ErrorMessages.includes(fault), JSON.stringify(answer.body.ErrorMessages))
  }
  assert.equal((await admin.post(`/v1/consignments/${uuidv7()}/notes`, { note: 'x' })).status, 404)
})

test('changing the text keeps a display flag that is not sent, and repeating the request changes nothing', async () => {
  const path = await consignment()
  const note = await write(path, { note: 'One', displayOnPrintOut: true })
  assert.equal((await admin.put(note, { note: 'Two' })).status, 200)
  assert.deepEqual([(await read(note)).note, (await read(note)).displayOnPrintOut], ['Two', true])
  assert.equal((await admin.put(note, { note: 'Two' })).status, 304)
  assert.equal((await admin.put(note, { note: 'Two', displayOnPrintOut: true })).status, 304)
  assert.equal((await admin.put(note, { note: 'Two', displayOnPrintOut: false })).status, 200)
  assert.equal((await admin.put(note, { note: '' })).status, 400)
  assert.equal((await admin.put(`${path}/notes/${uuidv7()}`, { note: 'x' })).status, 404)
  const events = await eventsOf(path)
  assert.deepEqual(
    events.map(({ type }) => type),
    [102, 102, 102],
  )
  const id = note.split('/').at(-1)
  assert.deepEqual(events[1]?.changes, [
    { field: 'notes', from: { id, note: 'One' }, to: { id, note: 'Two' } },
  ])
})

test('the display flag can be set on its own, always with 200, and raises an event only when it changes', async () => {
  const path = await consignment()
  const note = await write(path, { note: 'One' })
  const flag = async (body?: object) => (await admin.put(`${note}/display-on-printout`, body)).status
  assert.deepEqual(
    [
      await flag({ displayOnPrintOut: true }),
      await flag({ displayOnPrintOut: true }),
      await flag({}),
      await flag(),
    ],
    [200, 200, 200, 200],
  )
  assert.equal((await read(note)).displayOnPrintOut, true)
  assert.deepEqual(await typesOf(path), [102, 102])
  assert.equal(
    (await admin.put(`${path}/notes/${uuidv7()}/display-on-printout`, { displayOnPrintOut: true })).status,
    404,
  )
})

test('deleting a note deletes its attachments', async () => {
  const path = await consignment()
  const plain = await write(path, { note: 'Plain' })
  const note = await write(path, { note: 'Papers', attachments: [uploaded('a.pdf', 'application/pdf')] })
  const [{ id }] = (await read(note)).attachments
  assert.equal((await admin.delete(note)).status, 200)
  assert.equal((await admin.delete(note)).status, 404)
  assert.equal((await admin.get(note)).status, 404)
  assert.equal((await admin.get(`${note}/attachments/${id}/file`)).status, 404)
  assert.equal((await admin.delete(plain)).status, 200)
  assert.deepEqual(await typesOf(path), [102, 102, 116, 102, 116, 102])
  const about = {
    consignmentNoteId: note.split('/').at(-1),
    id,
    fileName: 'a.pdf',
    contentType: 'application/pdf',
    printType: null,
  }
  assert.deepEqual((await eventsOf(path))[4]?.changes, [{ field: 'attachments', from: about, to: null }])
  assert.deepEqual(
    await database.db.rows(sql`select id from consignment_note_attachment where id = ${id}`),
    [],
  )
})

test('notes of an import can be read and changed like any other notes', async () => {
  const path = `/v1/consignments/${await imported({ notes: [{ note: 'Fragile', attachments: [uploaded('a.pdf', 'application/pdf')] }] })}`
  const [{ id, attachmentCount }] = (await admin.get(path)).body.notes
  assert.equal(attachmentCount, 1)
  const note = await read(`${path}/notes/${id}`)
  assert.deepEqual([note.createdBy, note.attachments[0].printType], ['Ada Storekeeper', null])
  assert.equal((await admin.put(`${path}/notes/${id}`, { note: 'Very fragile' })).status, 200)
})
