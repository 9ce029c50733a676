import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { line, openImports } from '../support/given-imports.ts'
import type { Caller } from '../support/harness.ts'

const given = await openImports()
const { world, drain, post, read, imported, exists, row } = given
const { admin, as, database } = world

let partners = 0
/** A client with a code of its own, and a user who belongs to it. */
async function newClient(code = `CL${++partners}`) {
  const { status, body } = await admin.post('/v1/partners', { name: code, code, relationship: 1 })
  assert.equal(status, 201)
  const { partnerId } = body
  return { code, partnerId, person: as(admin, { partnerId }) }
}
const rename = async (partnerId: string, code: string) =>
  assert.equal((await admin.put(`/v1/partners/${partnerId}`, { code })).status, 200)
const makeProduct = async (partnerId: string, code: string) =>
  assert.equal((await admin.post(`/v1/partners/${partnerId}/products`, { code, name: code })).status, 201)
const requestLackingProduct = (code: string, productCode = 'SOAP') => ({
  clientCode: code,
  products: [line({ productCode })],
})

/** Whether a caller sees an import: in the list, by its id, and by check-exists. */
async function sees({ get }: Caller, id: string): Promise<boolean> {
  const { consignmentImports } = (await get('/v1/consignment-imports?PageSize=500')).body
  const isListed = consignmentImports.some((one: { id: string }) => one.id === id)
  const { status } = await get(`/v1/consignment-imports/${id}`)
  const { status: existence } = await get(`/v1/consignments/${id}/check-exists`)
  assert.deepEqual([status === 200, existence !== 404], [isListed, isListed])
  return isListed
}

test('a client keeps its waiting imports when its code is given to another, who sees none of them', async () => {
  const first = await newClient()
  const id = await imported(requestLackingProduct(first.code))
  assert.ok(await sees(first.person, id))
  await rename(first.partnerId, `${first.code}-OLD`)
  const second = await newClient(first.code)
  await drain()
  assert.deepEqual([await sees(first.person, id), await sees(second.person, id)], [true, false])
  const member = `/v1/consignment-imports/${id}`
  assert.equal((await second.person.put(`${member}/reconcile`)).status, 404)
  assert.equal((await second.person.delete(member)).status, 404)
  assert.equal((await read(id)).status, 2)
  await makeProduct(second.partnerId, 'SOAP')
  await drain()
  assert.equal(await exists(id), 202, "the other one's products are not its products")
  await makeProduct(first.partnerId, 'SOAP')
  await drain()
  assert.equal((await row(id)).clientId, first.partnerId)
  assert.deepEqual([await sees(first.person, id), await sees(second.person, id)], [true, false])
})

test('an import of a client that is renamed becomes a consignment of that client, by its stored id', async () => {
  const client = await newClient()
  const id = await imported(requestLackingProduct(client.code))
  await rename(client.partnerId, `${client.code}-NEW`)
  await makeProduct(client.partnerId, 'SOAP')
  await drain()
  assert.equal((await row(id)).clientId, client.partnerId)
})

test('an import that waits for an inactive client is retried when the client is active under another code', async () => {
  const client = await newClient()
  await makeProduct(client.partnerId, 'SOAP')
  assert.equal((await admin.put(`/v1/partners/${client.partnerId}`, { status: 1 })).status, 200)
  const id = await imported(requestLackingProduct(client.code))
  assert.equal((await read(id)).reasons[0].message, `The client ${client.code} is inactive.`)
  assert.ok(await sees(client.person, id))
  await rename(client.partnerId, `${client.code}-NEW`)
  assert.equal((await admin.put(`/v1/partners/${client.partnerId}`, { status: 2 })).status, 200)
  await drain()
  assert.equal(await exists(id), 201)
})

test('an import for an unknown client is visible only to the organisation, and to the client once it exists', async () => {
  const { person } = await newClient()
  const id = await imported(requestLackingProduct('UNBORN'))
  assert.deepEqual([await sees(admin, id), await sees(person, id)], [true, false])
  const born = await newClient('unborn')
  assert.equal(await sees(born.person, id), false, 'the import has not been processed again')
  await drain()
  assert.deepEqual([await sees(born.person, id), await sees(person, id)], [true, false])
  const [reason] = (await read(id)).reasons
  assert.equal(reason.kind, 'product')
})

test('an import that is not processed yet is visible to the client that sent it, and to no other', async () => {
  const { code, person } = await newClient()
  const own = await post(requestLackingProduct(code.toLowerCase()), person)
  const byOrganisation = await post(requestLackingProduct(code))
  assert.deepEqual([await sees(person, own), await sees(person, byOrganisation)], [true, false])
  await drain()
  assert.deepEqual([await sees(person, own), await sees(person, byOrganisation)], [true, true])
})

test('an import that the organisation reassigns to another client becomes visible to that client', async () => {
  const [first, second] = [await newClient(), await newClient()]
  await makeProduct(second.partnerId, 'SOAP')
  const id = await imported(requestLackingProduct(first.code))
  const reconcile = (...replacements: object[]) =>
    admin.put(`/v1/consignment-imports/${id}/reconcile`, { replacements })
  const elsewhere = { kind: 'client', code: 'NOT-NAMED', replacement: second.code }
  assert.equal((await reconcile(elsewhere)).status, 400, 'it names no such client')
  assert.deepEqual([await sees(first.person, id), await sees(second.person, id)], [true, false])
  const give = { kind: 'client', code: first.code, replacement: second.code }
  assert.equal((await reconcile(give)).status, 200)
  assert.equal((await row(id)).clientId, second.partnerId)
  assert.deepEqual([await sees(first.person, id), await sees(second.person, id)], [false, true])
})

test('an import that fails repeatedly keeps its client', async () => {
  const { code, person, partnerId } = await newClient()
  await makeProduct(partnerId, 'SOAP')
  const huge = { productCode: 'SOAP', items: [{ quantity: 99_999_999_999, weightKG: 99_999_999_999 }] }
  const id = await post({ clientCode: code, products: [huge, huge] }, person)
  await drain()
  for (let attempt = 2; attempt <= 3; attempt++) {
    await database.atomically(tx =>
      tx.run(sql`update consignment_import set due_utc = now() where id = ${id}`),
    )
    await drain()
  }
  assert.ok(await sees(person, id))
})

test("a page of one client's imports and their total come from an index, however many others have", async () => {
  const { organisationId } = admin.actor
  const { partnerId, person } = await newClient()
  await database.atomically(tx =>
    tx.run(sql`insert into consignment_import (organisation_id, id, identity_connection_id, user_id, status,
      client_id, client_code, request, due_utc)
      select ${organisationId}, gen_random_uuid(), ${admin.actor.connectionId}, ${admin.actor.userId}, 3,
        case when n % 100 = 0 then ${partnerId}::uuid else ${given.clientId}::uuid end, 'ANY', '{}', null
      from generate_series(1, 20000) n`),
  )
  await database.inOneStatement(tx => tx.run(sql`analyze consignment_import`))
  const { total, consignmentImports } = (await person.get('/v1/consignment-imports')).body
  assert.deepEqual([total, consignmentImports.length], [200, 25])
  const plan = await database.db.rows<Record<string, string>>(sql`explain select id from consignment_import
    where organisation_id = ${organisationId} and client_id = ${partnerId} order by id desc limit 25`)
  assert.match(JSON.stringify(plan), /consignment_import_client/)
})

test('an import that was given to a client is found by the code of that client, and shown with it', async () => {
  const client = await newClient()
  await makeProduct(client.partnerId, 'SOAP')
  const id = await imported(requestLackingProduct('NOBODY'))
  const answer = await admin.put(`/v1/consignment-imports/${id}/reconcile`, {
    replacements: [{ kind: 'client', code: 'NOBODY', replacement: client.code }],
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.ok(await sees(client.person, id))
  const find = async (text: string) =>
    (await client.person.get(`/v1/consignment-imports?SearchText=${text}`)).body.consignmentImports.map(
      (found: Record<string, string>) => [found.id, found.clientCode],
    )
  assert.deepEqual(await find(client.code), [[id, client.code]])
  assert.deepEqual(await find('NOBODY'), [])
})
