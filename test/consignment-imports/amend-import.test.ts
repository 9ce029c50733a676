import assert from 'node:assert/strict'
import { test } from 'node:test'
import { line, openImports, request } from '../support/given-imports.ts'

const given = await openImports()
const { world, drain, imported, read, events, exists, clientId } = given
const { admin } = world
const amend = (id: string, body: object, caller = admin) =>
  caller.put(`/v1/consignment-imports/${id}`, { request: body })

test('a waiting import that is corrected becomes a consignment by itself', async () => {
  const id = await imported({ products: [line({ productCode: 'APPEL' })], referenceNumber: 'A-1' })
  const corrected = request({ referenceNumber: 'A-2' })
  assert.equal((await amend(id, corrected)).status, 200)
  await drain()
  assert.equal(await exists(id), 201)
  assert.deepEqual(await events(id), [110, 101, 111])
  const stored = await read(id)
  assert.deepEqual([stored.status, stored.request], [3, corrected])
  const [listed] = (await admin.get('/v1/consignment-imports?SearchText=A-2')).body.consignmentImports
  assert.equal(listed.id, id)
})

test('a correction that says the same changes nothing', async () => {
  const body = request({ products: [line({ productCode: 'APPEL' })] })
  const id = await imported({ products: [line({ productCode: 'APPEL' })] })
  assert.equal((await amend(id, body)).status, 304)
  assert.equal((await read(id)).status, 2)
})

test('a correction passes the checks of a new import, all faults at once', async () => {
  const id = await imported({ products: [line({ productCode: 'APPEL' })] })
  const before = await read(id)
  const { status, body } = await amend(id, {
    ...request({ notes: [{ note: 'See.', attachments: [{}] }] }),
    products: [],
  })
  assert.equal(status, 400)
  assert.deepEqual(body.ErrorMessages.toSorted(), [
    'request.notes[0].attachments[0] must have content or a downloadUrl.',
    'request.products must have at least 1 entry.',
  ])
  assert.deepEqual(await read(id), before)
})

test('only an import that waits can be corrected, and its idempotency key stays', async () => {
  const done = await imported()
  const { status, body } = await amend(done, request({ referenceNumber: 'B-1' }))
  assert.deepEqual(
    [status, body.ErrorMessages],
    [400, ['The import does not wait for reconciliation, so it can no longer be changed.']],
  )
  const id = await imported({ idempotencyKey: 'k1', products: [line({ productCode: 'APPEL' })] })
  const other = await amend(id, request({ idempotencyKey: 'k2' }))
  assert.deepEqual(other.body.ErrorMessages, [
    'request.idempotencyKey must stay as it is: it identifies the import.',
  ])
  assert.equal((await amend(id, request())).status, 200)
  await drain()
  const twice = await admin.post('/v1/consignment-imports', request({ idempotencyKey: 'k1' }))
  assert.equal(twice.status, 409)
})

test('a client cannot give its import to another client, and sees no other', async () => {
  const client = world.as(admin, { partnerId: clientId })
  const id = await imported({ products: [line({ productCode: 'APPEL' })] })
  assert.equal((await amend(id, request({ clientCode: 'OTHER' }), client)).status, 403)
  const other = await admin.post('/v1/partners', { name: 'Rata', code: 'RATA', relationship: 1 })
  const stranger = world.as(admin, { partnerId: Object.values(other.body)[0] as string })
  assert.equal((await amend(id, request(), stranger)).status, 404)
  assert.equal((await amend(id, request(), client)).status, 200)
})
