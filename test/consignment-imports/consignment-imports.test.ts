import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { openImports, request, setUp } from '../support/given-imports.ts'
import { untilServed } from '../support/until-served.ts'

const given = await openImports()
const { world, drain, post, read, exists } = given
const { admin, as, database } = world

test('an accepted import is pending until it is processed, and then is a consignment with the same id', async () => {
  const id = await post()
  assert.equal(await exists(id), 202)
  assert.equal((await read(id)).status, 1)
  await drain()
  assert.equal(await exists(id), 201)
  const { status, reasons } = await read(id)
  assert.deepEqual([status, reasons], [3, []])
  assert.deepEqual(await given.events(id), [101])
})

test('an id of neither a consignment nor an import is unknown', async () => {
  assert.equal(await exists('019a9d3e-7c7b-7d55-a1c5-0123456789ab'), 404)
})

test('of fifty simultaneous posts with one key exactly one is accepted, and the others get its id', async () => {
  const posts = Array.from({ length: 50 }, () =>
    untilServed(() => admin.post('/v1/consignment-imports', request({ idempotencyKey: 'race' }))),
  )
  const answers = await Promise.all(posts)
  const [accepted, ...more] = answers.filter(({ status }) => status === 202)
  assert.equal(more.length, 0)
  const conflicts = answers.filter(({ status }) => status === 409)
  assert.equal(conflicts.length, 49)
  for (const { body } of conflicts) {
    assert.deepEqual(body, {
      ErrorType: 'Conflict',
      ErrorMessages: [`The idempotencyKey was used before, by the import ${accepted?.body.consignmentId}.`],
    })
  }
  await drain()
  assert.equal(
    (await admin.post('/v1/consignment-imports', request({ idempotencyKey: 'race' }))).status,
    409,
    'for ever',
  )
})

test('of imports that arrive together, each is stored with its own request, letter for letter', async () => {
  // Their keys are in the reverse order of their arrival.
  const sent = Array.from({ length: 30 }, (_, n) =>
    request({ referenceNumber: `PO-りんご-${n}`, idempotencyKey: `together-${60 - n}` }),
  )
  const answers = await Promise.all(
    sent.map(body => untilServed(() => admin.post('/v1/consignment-imports', body))),
  )
  const { consignmentImports } = (
    await admin.get('/v1/consignment-imports?SearchText=together-&PageSize=100')
  ).body
  const references = new Map(
    consignmentImports.map((one: { id: string; referenceNumber: string }) => [one.id, one.referenceNumber]),
  )
  for (const [n, { body }] of answers.entries()) {
    assert.equal(references.get(body.consignmentId), `PO-りんご-${n}`)
    assert.deepEqual((await read(body.consignmentId)).request, sent[n])
  }
})

test('the last value of a repeated field counts, even if the first could not be stored', async () => {
  const text = JSON.stringify(request({ referenceNumber: 'second' }))
  const firsts = ['"\\u0000"', '"\\ud800"', '1e999', '{}', '"first"']
  const answers = await Promise.all(
    firsts.map(first =>
      world.app.inject({
        method: 'POST',
        url: '/v1/consignment-imports',
        headers: { authorization: admin.authorization, 'content-type': 'application/json' },
        payload: `{"referenceNumber":${first},${text.slice(1)}`,
      }),
    ),
  )
  for (const answer of answers) {
    assert.equal(answer.statusCode, 202, answer.payload)
    const { request: stored } = await read(answer.json().consignmentId)
    assert.equal(stored.referenceNumber, 'second')
  }
})

test('the same race over real sockets', async () => {
  await world.app.listen({ port: 0, host: '127.0.0.1' })
  const address = world.app.server.address() as { port: number }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      untilServed(() =>
        fetch(`http://127.0.0.1:${address.port}/v1/consignment-imports`, {
          method: 'POST',
          headers: { authorization: admin.authorization, 'content-type': 'application/json' },
          body: JSON.stringify(request({ idempotencyKey: 'sockets' })),
        }),
      ),
    ),
  )
  const answeredWith = (status: number) => answers.filter(answer => answer.status === status).length
  assert.deepEqual([answeredWith(202), answeredWith(409)], [1, 49])
})

test('a post that waited for another with the same key gets the id of that import', async () => {
  const first = newId()
  const { promise: isStored, resolve: stored } = Promise.withResolvers<void>()
  const { promise: canCommit, resolve: commit } = Promise.withResolvers<void>()
  const { organisationId, connectionId, userId } = admin.actor
  const storing = database.atomically(async tx => {
    await tx.run(sql`insert into consignment_import (organisation_id, id, identity_connection_id, user_id,
      idempotency_key, client_code, request)
      values (${organisationId}, ${first}, ${connectionId}, ${userId}, 'slow', 'KAURI',
        ${JSON.stringify(request())}::json)`)
    stored()
    await canCommit
  })
  await isStored
  const waiting = admin.post('/v1/consignment-imports', request({ idempotencyKey: 'slow' }))
  const isWaiting = sql`select exists (select from pg_locks where locktype = 'transactionid' and not granted)
    as waits`
  while (!(await database.db.row<{ waits: boolean }>(isWaiting)).waits) {}
  commit()
  await storing
  const { status, body } = await waiting
  assert.deepEqual(
    [status, body.ErrorMessages],
    [409, [`The idempotencyKey was used before, by the import ${first}.`]],
  )
})

test('a refused import does not use up its key', async () => {
  const refused = await admin.post(
    '/v1/consignment-imports',
    request({ idempotencyKey: 'again', products: [] }),
  )
  assert.equal(refused.status, 400)
  await post({ idempotencyKey: 'again' })
})

test('another connection can use the same key', async () => {
  const other = await world.stranger()
  await setUp(other)
  await post({ idempotencyKey: 'mine' })
  await post({ idempotencyKey: 'mine' }, other)
})

test('two connections of one organisation can use the same key, each of them once', async () => {
  const app = await admin.post('/v1/custom-apps', { name: 'Portal', grantType: 2, scopes: ['consignment'] })
  const { id: connectionId } = await database.db.row<{ id: string }>(
    sql`select id from identity_connection where custom_app_id = ${app.body.customAppId}`,
  )
  const portal = world.as(admin, { connectionId })
  await post({ idempotencyKey: 'shared' })
  await post({ idempotencyKey: 'shared' }, portal)
  for (const caller of [admin, portal]) {
    const again = await caller.post('/v1/consignment-imports', request({ idempotencyKey: 'shared' }))
    assert.equal(again.status, 409)
  }
})

test('the request is returned as it was received, including unknown fields', async () => {
  const sent = request({ referenceNumber: 'R-1', colour: 'red', originAddress: null })
  const { body } = await admin.post('/v1/consignment-imports', sent)
  assert.deepEqual((await read(body.consignmentId)).request, sent)
})

test('fields that an import does not have are named in the answer and kept with the import', async () => {
  const products = [
    { productCode: 'TEA', colour: 'red', items: [{ quantity: 1, size: 2 }] },
    { productCode: 'TEA', colour: 'blue', items: [{ quantity: 1 }] },
  ]
  const sent = request({ refNumber: 'R-1', 'größe,1': 2, products })
  const { status, headers, body } = await admin.post('/v1/consignment-imports?Dry=1', sent)
  assert.equal(status, 202)
  const kept = ['refNumber', 'größe,1', 'products[0].colour', 'products[0].items[0].size']
  assert.deepEqual((await read(body.consignmentId)).ignoredFields.toSorted(), kept.toSorted())
  assert.deepEqual(String(headers['ignored-fields']).split(', ').toSorted(), [
    'Dry',
    'gr%C3%B6%C3%9Fe%2C1',
    'products[0].colour',
    'products[0].items[0].size',
    'refNumber',
  ])
  const plain = await admin.post('/v1/consignment-imports', request())
  assert.equal(plain.headers['ignored-fields'], undefined)
  assert.deepEqual((await read(plain.body.consignmentId)).ignoredFields, [])
})

test('a repeated key gets the address of the import that has it', async () => {
  const sent = request({ idempotencyKey: 'located' })
  const { body } = await admin.post('/v1/consignment-imports', sent)
  const again = await admin.post('/v1/consignment-imports', sent)
  assert.deepEqual(
    [again.status, again.headers.location],
    [409, `/v1/consignment-imports/${body.consignmentId}`],
  )
})

test('imports are listed newest first, and filtered by status and text', async () => {
  const [first, second] = [
    await post({ referenceNumber: 'Order 4711' }),
    await post({ clientCode: 'NOBODY', referenceNumber: 'Order 4712' }),
  ]
  const list = async (query: string) => (await admin.get(`/v1/consignment-imports?${query}`)).body
  const both = await list('SearchText=order%20471')
  assert.deepEqual(
    both.consignmentImports.map(({ id }: { id: string }) => id),
    [second, first],
  )
  assert.equal(both.total, 2)
  assert.equal((await list('SearchText=order%20471&Status=1')).total, 2)
  await drain()
  assert.deepEqual(
    (await list('SearchText=order%20471&Status=2')).consignmentImports.map(
      ({ id, reasons }: { id: string; reasons: object[] }) => [id, reasons.length],
    ),
    [[second, 1]],
  )
  assert.equal((await list('SearchText=order%20471&Status=1')).total, 0)
  assert.equal((await list('SearchText=nobody&Status=3')).total, 0)
  assert.equal((await list('SearchText=71')).total, 2)
  assert.equal((await list('SearchText=%20order%204711%09')).total, 1, 'surrounding spaces are ignored')
  assert.equal((await admin.get('/v1/consignment-imports?Status=9')).status, 400)
})

test("a partner's token can import only for its client, and sees only that client's imports", async () => {
  const own = as(admin, { partnerId: given.clientId })
  const carrier = as(admin, { partnerId: given.carrierId })
  const theirs = await post({ clientCode: 'kauri' }, own)
  const refused = await own.post(
    '/v1/consignment-imports',
    request({ clientCode: 'OTHER', idempotencyKey: 'not used' }),
  )
  assert.equal(refused.status, 403)
  assert.equal((await carrier.post('/v1/consignment-imports', request())).status, 403)
  assert.equal(
    (await own.post('/v1/consignment-imports', request({ idempotencyKey: 'not used' }))).status,
    202,
  )
  const waiting = await post({ clientCode: 'OTHER' })
  assert.equal((await own.get(`/v1/consignment-imports/${waiting}`)).status, 404)
  assert.equal(await exists(waiting, own), 404)
  assert.equal(await exists(waiting), 202)
  await drain()
  assert.equal(await exists(theirs, own), 201)
  assert.equal(await exists(theirs, carrier), 404)
  const { body } = await own.get('/v1/consignment-imports?PageSize=500')
  assert.ok(
    body.consignmentImports.every(
      ({ clientCode }: { clientCode: string }) => clientCode.toLowerCase() === 'kauri',
    ),
  )
})

test('an import of another organisation is as unknown as one that does not exist', async () => {
  const other = await world.stranger()
  const id = await post({ clientCode: 'NOBODY' })
  await drain()
  for (const answer of [
    await other.get(`/v1/consignment-imports/${id}`),
    await other.put(`/v1/consignment-imports/${id}/reconcile`),
    await other.delete(`/v1/consignment-imports/${id}`),
  ]) {
    assert.deepEqual([answer.status, answer.body.ErrorMessages], [404, ['Import not found.']])
  }
  assert.equal(await exists(id, other), 404)
})

test('importing needs the scope consignment, reading consignment.read', async () => {
  const reader = as(admin, { scopes: ['consignment.read'] })
  assert.equal((await reader.post('/v1/consignment-imports', request())).status, 403)
  assert.equal((await reader.get('/v1/consignment-imports')).status, 200)
  assert.equal((await as(admin, { scopes: ['partner'] }).get('/v1/consignment-imports')).status, 403)
})

test('lists and searches of imports do not read the requests, which may be large', async () => {
  const id = await post({ referenceNumber: 'Needle 815', externalId: 'EXT-9', idempotencyKey: 'Key-815' })
  // Reading this request fails, because it is not JSON.
  await database.atomically(async tx => {
    await tx.run(sql`alter table consignment_import alter column request type text`)
    await tx.run(sql`update consignment_import set request = 'broken' where id = ${id}`)
  })
  for (const text of ['needle%20815', 'ext-9', 'key-815']) {
    const { status, body } = await admin.get(`/v1/consignment-imports?SearchText=${text}`)
    const [found] = body.consignmentImports
    assert.deepEqual(
      [status, body.total, found.id, found.clientCode, found.referenceNumber, found.externalId],
      [200, 1, id, 'KAURI', 'Needle 815', 'EXT-9'],
    )
  }
  await database.atomically(async tx => {
    await tx.run(sql`delete from consignment_import where id = ${id}`)
    await tx.run(sql`alter table consignment_import alter column request type json using request::json`)
  })
})

test('a request is stored uncompressed in its row, not out of line', async () => {
  const id = await post({ pickingInstructions: 'x'.repeat(3_000) })
  const { size } = await database.db.row<{ size: number }>(sql`
    select pg_column_size(request) as size from consignment_import where id = ${id}`)
  assert.ok(size > 3_000)
})
