import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { fetchDueFiles } from '../../../src/consignment-imports/downloads/fetch-due-files.ts'
import { raw, sql } from '../../../src/platform/database/db.ts'
import { openOutgoingHttp } from '../../../src/platform/outgoing/outgoing-http.ts'
import { openImports, setUp } from '../../support/given-imports.ts'

const given = await openImports()
const { world, context, drain, imported, read, exists } = given
const { admin, database } = world

const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001', 'hex')
let requestCount = 0
const behaviours = new Map<string, (response: ServerResponse) => void>()
const server = createServer((request, response) => {
  requestCount++
  behaviours.get(request.url ?? '')?.(response)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
const serveAt = (path: string, behave: (response: ServerResponse) => void) => {
  behaviours.set(path, behave)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
}
const sendPng = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'image/png' }).end(png)
const notes = (...attachments: object[]) => ({ notes: [{ note: 'See the files.', attachments }] })
const attachments = (id: string) =>
  database.db.rows<{ fileName: string; contentType: string; content: Buffer }>(sql`
    select a.file_name, a.content_type, f.bytes as content from consignment_note_attachment a
    join file_content f on f.organisation_id = a.organisation_id and f.sha256 = a.content_sha256
    join consignment_note n on n.organisation_id = a.organisation_id and n.id = a.consignment_note_id
    where n.consignment_id = ${id} order by a.file_name`)
const makeDueAgain = (id: string) =>
  database.atomically(tx => tx.run(sql`update consignment_import set due_utc = now() where id = ${id}`))

test('a file in the import and a fetched one both become attachments of the note', async () => {
  const text = {
    fileName: 'b.txt',
    contentType: 'Text/Plain; charset=utf-8',
    content: Buffer.from('hello').toString('base64'),
  }
  const id = await imported(
    notes(
      text,
      { downloadUrl: serveAt('/label%20one.png', sendPng), fileName: null },
      { downloadUrl: serveAt('/two', sendPng), fileName: 'a.png' },
    ),
  )
  assert.equal(await exists(id), 201)
  assert.deepEqual(await attachments(id), [
    { fileName: 'a.png', contentType: 'image/png', content: png },
    { fileName: 'b.txt', contentType: 'text/plain', content: Buffer.from('hello') },
    { fileName: 'label one.png', contentType: 'image/png', content: png },
  ])
  assert.equal((await database.db.rows(sql`select from consignment_import_download`)).length, 0)
})

test('a file without a name or a type gets those of its content', async () => {
  const content = (file: Buffer | string) => ({ content: Buffer.from(file).toString('base64') })
  const id = await imported(
    notes(
      content('hi'),
      content('%PDF-1.7\n'),
      { ...content(png), contentType: 'application/octet-stream' },
      { ...content('a;b'), fileName: 'list.CSV' },
      { ...content('a;b'), contentType: 'text/csv', fileName: null },
      { ...content(png), fileName: 'odd.pdf' },
    ),
  )
  assert.equal(await exists(id), 201)
  assert.deepEqual(
    (await attachments(id)).map(({ fileName, contentType }) => [fileName, contentType]),
    [
      ['file.csv', 'text/csv'],
      ['file.pdf', 'application/pdf'],
      ['file.png', 'image/png'],
      ['file.txt', 'text/plain'],
      ['list.CSV', 'text/csv'],
      ['odd.pdf', 'image/png'],
    ],
  )
})

test('one address can be two attachments, each with its own name and type, and is fetched once', async () => {
  requestCount = 0
  const list = serveAt('/list', response =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end('a;b'),
  )
  const id = await imported(
    notes(
      { downloadUrl: list, fileName: 'read me.txt' },
      { downloadUrl: list, fileName: 'table.csv', contentType: 'text/csv' },
      { downloadUrl: list },
    ),
  )
  assert.equal(requestCount, 1)
  const stored = (await attachments(id)).map(({ fileName, contentType, content }) => [
    fileName,
    contentType,
    content.toString(),
  ])
  assert.deepEqual(stored, [
    ['list', 'text/plain', 'a;b'],
    ['read me.txt', 'text/plain', 'a;b'],
    ['table.csv', 'text/csv', 'a;b'],
  ])
  const other = await imported(
    notes(
      { downloadUrl: list, fileName: 'a.txt' },
      { downloadUrl: list, fileName: 'a.pdf', contentType: 'application/pdf' },
    ),
  )
  assert.deepEqual((await read(other)).reasons, [
    {
      kind: 'attachment',
      code: list,
      message:
        'The file could not be fetched. file.content is not what file.contentType says (application/pdf).',
      path: 'notes[0].attachments[1].downloadUrl',
    },
  ])
})

test('if a server does not know the type of a file, the content decides, and the server may give the name', async () => {
  const pdf = Buffer.from('%PDF-1.7\n')
  const served: [
    path: string,
    headers: Record<string, string>,
    file: Buffer | string,
    fileName: string,
    contentType: string,
  ][] = [
    ['/1', { 'content-type': 'application/octet-stream' }, png, '1', 'image/png'],
    ['/2', {}, pdf, '2', 'application/pdf'],
    ['/3.csv', { 'content-type': 'binary/octet-stream' }, 'a;b', '3.csv', 'text/csv'],
    [
      '/4.xls',
      { 'content-type': 'application/octet-stream' },
      Buffer.from(`d0cf11e0a1b11ae1${'00'.repeat(600)}`, 'hex'),
      '4.xls',
      'application/vnd.ms-excel',
    ],
    [
      '/5',
      { 'content-type': 'application/x-unknown', 'content-disposition': 'attachment; filename="five 5.png"' },
      png,
      'five 5.png',
      'image/png',
    ],
    [
      '/6',
      { 'content-disposition': "attachment; filename=x.txt; filename*=UTF-8''Lieferschein%20%C3%9C.pdf" },
      pdf,
      'Lieferschein Ü.pdf',
      'application/pdf',
    ],
    ['/7', { 'content-disposition': 'inline; filename="..\\\\seven.png"' }, png, 'seven.png', 'image/png'],
    ['/8.png', { 'content-disposition': 'attachment; filename=".."' }, png, '8.png', 'image/png'],
    ['/', { 'content-disposition': 'attachment' }, png, 'file.png', 'image/png'],
  ]
  for (const [path, headers, file, fileName, contentType] of served) {
    const id = await imported(
      notes({ downloadUrl: serveAt(path, response => response.writeHead(200, headers).end(file)) }),
    )
    assert.equal(await exists(id), 201, path)
    const [attachment] = await attachments(id)
    assert.deepEqual([attachment?.fileName, attachment?.contentType], [fileName, contentType], path)
  }
  const named = serveAt('/named', response =>
    response.writeHead(200, { 'content-disposition': 'attachment; filename=theirs.pdf' }).end(pdf),
  )
  const own = await imported(notes({ downloadUrl: named, fileName: 'mine.pdf' }))
  assert.equal((await attachments(own))[0]?.fileName, 'mine.pdf')
})

test('a server that fails for a while is retried, at most three times, before a user is asked', async () => {
  const url = serveAt('/failing', response => response.writeHead(503).end())
  requestCount = 0
  const id = await imported(notes({ downloadUrl: url }))
  for (let attempt = 1; attempt < 3; attempt++) {
    assert.deepEqual([(await read(id)).status, requestCount], [1, attempt])
    await makeDueAgain(id)
    await drain()
  }
  assert.equal(requestCount, 3)
  assert.deepEqual((await read(id)).reasons, [
    {
      kind: 'attachment',
      code: url,
      message: 'The file could not be fetched. The server answered with status 503.',
      path: 'notes[0].attachments[0].downloadUrl',
    },
  ])
  const still = await admin.put(`/v1/consignment-imports/${id}/reconcile`)
  assert.deepEqual([still.status, still.body.ErrorType, requestCount], [400, 'Verification Failed', 4])
  assert.deepEqual(still.body.ErrorMessages, [
    'notes[0].attachments[0].downloadUrl: The file could not be fetched. The server answered with status 503.',
  ])
  serveAt('/failing', sendPng)
  const answer = await admin.put(`/v1/consignment-imports/${id}/reconcile`)
  assert.deepEqual([answer.status, answer.body], [200, { consignmentId: id }])
  assert.equal(await exists(id), 201, 'at once')
  assert.equal((await attachments(id)).length, 1)
})

test('a rehearsal fetches no file, because it holds a transaction open meanwhile', async () => {
  const url = serveAt('/rehearsed', response => response.writeHead(404).end())
  const id = await imported(notes({ downloadUrl: url }))
  let requestCount = 0
  serveAt('/rehearsed', response => {
    requestCount++
    sendPng(response)
  })
  const path = `/v1/consignment-imports/${id}/reconcile`
  const { status, body } = await admin.with({ 'waybill-rehearse': 'true' }).put(path)
  assert.deepEqual(
    [status, body.ErrorMessages, requestCount],
    [400, ['The import has files that are still to be fetched; a rehearsal fetches none.'], 0],
  )
  assert.equal((await admin.put(path)).status, 200)
  const again = await imported(notes({ downloadUrl: url }))
  assert.equal(await exists(again), 201)
})

test('a file that does not match its attachment is fetched again when a user reconciles', async () => {
  const url = serveAt('/wrong', sendPng)
  const id = await imported(notes({ downloadUrl: url, contentType: 'application/pdf' }))
  assert.match((await read(id)).reasons[0].message, /is not what/)
  serveAt('/wrong', response => response.end('%PDF-1.7\n'))
  assert.equal((await admin.put(`/v1/consignment-imports/${id}/reconcile`)).status, 200)
  assert.equal((await attachments(id))[0]?.contentType, 'application/pdf')
})

test('users of one organisation who wait for files leave slots free for those of another', {
  timeout: 300_000,
}, async () => {
  const other = await world.stranger()
  await setUp(other)
  const holdResponses: ServerResponse[] = []
  const failing = serveAt('/slow', response => response.writeHead(404).end())
  const ids = await Promise.all(Array.from({ length: 5 }, () => given.post(notes({ downloadUrl: failing }))))
  const theirs = await given.post(notes({ downloadUrl: failing }), other)
  await drain()
  serveAt('/slow', response => holdResponses.push(response))
  const put = (id: string, caller = admin) => caller.put(`/v1/consignment-imports/${id}/reconcile`)
  const [last = '', ...others] = ids
  const waiting = others.map(id => put(id))
  while (holdResponses.length < others.length) await new Promise(resolve => setImmediate(resolve))
  const refused = await put(last)
  assert.deepEqual([refused.status, refused.body.ErrorType], [503, 'Unavailable'])
  assert.equal((await read(last)).status, 2)
  waiting.push(put(theirs, other))
  while (holdResponses.length <= others.length) await new Promise(resolve => setImmediate(resolve))
  for (const response of holdResponses) sendPng(response)
  assert.ok((await Promise.all(waiting)).every(({ status }) => status === 200))
  serveAt('/slow', sendPng)
  assert.equal((await put(last)).status, 200)
})

test('if two users reconcile an import that lacks a file, one creates the consignment, and no file is left behind', async () => {
  const url = serveAt('/both', response => response.writeHead(404).end())
  const id = await imported(notes({ downloadUrl: url }))
  serveAt('/both', sendPng)
  const put = () => admin.put(`/v1/consignment-imports/${id}/reconcile`)
  assert.deepEqual((await Promise.all([put(), put()])).map(({ status }) => status).toSorted(), [200, 409])
  assert.equal((await attachments(id)).length, 1)
  const discarded = await imported({ carrierCode: 'NONE', ...notes({ downloadUrl: url }) })
  assert.equal((await admin.delete(`/v1/consignment-imports/${discarded}`)).status, 200)
  const left = sql`select from consignment_import_download where consignment_import_id in (${id},
    ${discarded})`
  assert.equal((await database.db.rows(left)).length, 0)
})

/** A path with a server that responds when the test says so: the requests that arrived, in their order. */
function holdResponses(path: string) {
  const responses: ServerResponse[] = []
  const url = serveAt(path, response => responses.push(response))
  return {
    url,
    async nth(n: number) {
      while (responses.length < n) await new Promise(resolve => setImmediate(resolve))
      return responses[n - 1] as ServerResponse
    },
  }
}
const readQueued = (id: string) =>
  database.db.row<{ downloadStatus: number; attempts: number; isDue: boolean; isLeased: boolean }>(sql`
    select download_status, attempts, due_utc <= now() as is_due, due_utc > now() + interval '4 seconds'
      as is_leased
    from consignment_import where id = ${id}`)

test('a worker that stops while a server hangs releases the import at once, which is not a failure of the server', async () => {
  const hanging = holdResponses('/hangs')
  const id = await given.post(notes({ downloadUrl: hanging.url }))
  const stopping = new AbortController()
  const fetching = fetchDueFiles(context, stopping.signal)
  const unanswered = await hanging.nth(1)
  stopping.abort()
  await fetching
  assert.deepEqual(await readQueued(id), { downloadStatus: 1, attempts: 0, isDue: true, isLeased: false })
  unanswered.destroy()
  serveAt('/hangs', sendPng)
  await drain()
  assert.equal(await exists(id), 201)
})

test('an import is not taken from a worker that is still fetching its files', {
  timeout: 120_000,
}, async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const slow = holdResponses('/takes-long')
  const id = await given.post(notes({ downloadUrl: slow.url }))
  const fetching = fetchDueFiles(context)
  const unanswered = await slow.nth(1)
  await database.atomically(tx =>
    tx.run(sql`update consignment_import set due_utc = now() + interval '3 seconds' where id = ${id}`),
  )
  while (!(await readQueued(id)).isLeased) t.mock.timers.tick(3_000)
  sendPng(unanswered)
  await fetching
  await drain()
  assert.equal(await exists(id), 201)
})

test('if two workers fetch for one import, the one that lost its lease does not mark the files as fetched', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const slow = holdResponses('/fetched-twice')
  const id = await given.post(notes({ downloadUrl: slow.url }))
  const first = fetchDueFiles(context)
  const late = await slow.nth(1)
  await makeDueAgain(id)
  const second = fetchDueFiles(context)
  const good = await slow.nth(2)
  late.writeHead(404).end()
  await first
  await drain()
  assert.equal((await read(id)).status, 1, 'the second worker is still fetching')
  sendPng(good)
  await second
  await drain()
  assert.equal(await exists(id), 201)
})

/** An import that waits for a carrier and for a file from a server that responds when the test says so. */
async function importLackingCarrierAndFile(path: string) {
  const url = serveAt(path, response => response.writeHead(404).end())
  const id = await imported({ carrierCode: `C${path}`, ...notes({ downloadUrl: url }) })
  assert.equal((await read(id)).reasons.length, 2)
  return { id, server: holdResponses(path), put: () => admin.put(`/v1/consignment-imports/${id}/reconcile`) }
}

test('if two users have a file fetched, both see the response to the later request', async () => {
  const { server, put } = await importLackingCarrierAndFile('/two-people')
  const first = put()
  const late = await server.nth(1)
  const second = put()
  sendPng(await server.nth(2))
  const onlyTheCarrier = ['carrierCode: There is no carrier with the code C/two-people.']
  assert.deepEqual((await second).body.ErrorMessages, onlyTheCarrier)
  late.writeHead(404).end()
  assert.deepEqual((await first).body.ErrorMessages, onlyTheCarrier)
})

test('an earlier response to a worker does not replace a later one to a user', async () => {
  const { id, server, put } = await importLackingCarrierAndFile('/worker-first')
  await database.atomically(tx =>
    tx.run(sql`update consignment_import set download_status = 1, due_utc = now() where id = ${id}`),
  )
  const fetching = fetchDueFiles(context)
  const late = await server.nth(1)
  const reconciling = put()
  sendPng(await server.nth(2))
  assert.equal((await reconciling).status, 400)
  late.writeHead(404).end()
  await fetching
  await drain()
  assert.deepEqual(
    (await read(id)).reasons.map(({ kind }: { kind: string }) => kind),
    ['carrier'],
  )
})

/** Runs `work` while the database refuses to store files with this error. */
async function whileFilesCannotBeStored(errorCode: string, work: () => Promise<void>): Promise<void> {
  await database.atomically(tx =>
    tx.run(sql`create or replace function keep_nothing() returns trigger language plpgsql as
      $$begin raise exception 'no' using errcode = tg_argv[0]; end$$`),
  )
  await database.atomically(tx =>
    tx.run(
      raw(`create trigger keep_nothing before insert on consignment_import_download for each row
      execute function keep_nothing('${errorCode}')`),
    ),
  )
  await work()
  await database.atomically(tx => tx.run(sql`drop trigger keep_nothing on consignment_import_download`))
}

test('if the database is busy while files are fetched, the import is left to the next attempt', async () => {
  const id = await given.post(notes({ downloadUrl: serveAt('/kept-later', sendPng) }))
  await whileFilesCannotBeStored('55P03', () => assert.rejects(fetchDueFiles(context)))
  const { attempts, isLeased } = await readQueued(id)
  assert.deepEqual([attempts, isLeased], [0, false])
  await makeDueAgain(id)
  await drain()
  assert.equal(await exists(id), 201)
})

test('a file that makes the service itself fail is left to a user after three attempts', async () => {
  const url = serveAt('/never-kept', sendPng)
  const id = await given.post(notes({ downloadUrl: url }))
  await whileFilesCannotBeStored('P0001', async () => {
    for (let attempt = 1; attempt <= 3; attempt++) {
      assert.equal((await read(id)).status, 1)
      await makeDueAgain(id)
      await drain()
    }
  })
  assert.deepEqual(
    (await read(id)).reasons.map(({ kind, code }: { kind: string; code: string }) => [kind, code]),
    [['attachment', url]],
  )
})

test('permanent failures are not retried: not found, too large, of a type that is not allowed', async () => {
  const cases: [string, (response: ServerResponse) => void, RegExp][] = [
    ['/missing', response => response.writeHead(404).end(), /status 404/],
    ['/moved', response => response.writeHead(302, { location: '/elsewhere' }).end(), /status 302/],
    [
      '/large',
      response =>
        response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.alloc(10 * 1_048_576 + 1, 'a')),
      /too large|larger/,
    ],
    [
      '/program',
      response => response.writeHead(200, { 'content-type': 'application/x-msdownload' }).end('MZ'),
      /must be PDF/,
    ],
    [
      '/lie',
      response => response.writeHead(200, { 'content-type': 'application/pdf' }).end(png),
      /is not what/,
    ],
  ]
  for (const [path, behave, message] of cases) {
    requestCount = 0
    const id = await imported(notes({ downloadUrl: serveAt(path, behave) }))
    const { status, reasons } = await read(id)
    assert.deepEqual([status, requestCount], [2, 1], path)
    assert.match(reasons[0].message, message)
  }
})

test('a file that is not available can be left out, or fetched from another address', async () => {
  const gone = serveAt('/gone', response => response.writeHead(404).end())
  const id = await imported(notes({ downloadUrl: gone }, { downloadUrl: serveAt('/there', sendPng) }))
  const left = await admin.put(`/v1/consignment-imports/${id}/reconcile`, {
    replacements: [{ kind: 'attachment', code: gone, replacement: null }],
  })
  assert.equal(left.status, 200)
  assert.equal((await attachments(id)).length, 1)
  const other = await imported(notes({ downloadUrl: gone }))
  const elsewhere = { kind: 'attachment', code: gone, replacement: serveAt('/elsewhere.png', sendPng) }
  const answer = await admin.put(`/v1/consignment-imports/${other}/reconcile`, { replacements: [elsewhere] })
  assert.equal(answer.status, 200)
  assert.equal(await exists(other), 201)
  assert.equal((await attachments(other))[0]?.fileName, 'elsewhere.png')
})

test('a private address is never contacted, and the message reveals nothing else', async () => {
  const outgoing = openOutgoingHttp({ allowPrivate: false })
  after(() => outgoing.close())
  requestCount = 0
  const { status, body } = await admin.post('/v1/consignment-imports', {
    ...{
      consignmentType: 1,
      clientCode: 'KAURI',
      products: [{ productCode: 'APPLE', items: [{ quantity: 1 }] }],
    },
    ...notes({ downloadUrl: serveAt('/inside', sendPng) }),
  })
  assert.equal(status, 202)
  while (await fetchDueFiles({ ...context, outgoing })) {}
  await drain()
  assert.equal(requestCount, 0)
  assert.match((await read(body.consignmentId)).reasons[0].message, /^The file could not be fetched\. /)
})
