// Updating a record and inserting references to it must not wait for each other. Imports refer to partners,
// products and warehouses all the time: a conflicting lock would delay every import of the client, and each
// batch of imports would delay updates.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../src/platform/database/db.ts'
import { openWorld } from './support/harness.ts'
import { fill, recordsOf } from './support/records.ts'

const world = await openWorld()
const { admin, database } = world
const records = await recordsOf(world, admin)
const { organisationId } = admin.actor
const idOf = (path: string) => records[path] as string

const consignment = '/v1/consignments/:consignmentId'
const changes: [path: string, part: string, table: Sql, body: object][] = [
  ['/v1/partners/:partnerId', '', sql`partner`, { name: 'Another' }],
  ['/v1/partners/:partnerId/products/:partnerProductId', '', sql`product`, { name: 'Another' }],
  ['/v1/warehouses/:warehouseId', '', sql`warehouse`, { name: 'Another' }],
  ['/v1/warehouses/:warehouseId/zones/:warehouseZoneId', '', sql`warehouse_zone`, { name: 'Another' }],
  [
    '/v1/warehouses/:warehouseId/locations/:warehouseLocationId',
    '',
    sql`warehouse_location`,
    { name: 'Another' },
  ],
  ['/v1/users/:userId', '', sql`app_user`, { fullName: 'Another' }],
  ['/v1/custom-apps/:customAppId', '', sql`custom_app`, { name: 'Another' }],
  [consignment, '/general', sql`consignment`, { referenceNumber: 'Another' }],
  ['/v1/jobs/:jobId', '/wave-pick', sql`job`, { reference: 'Another' }],
]

for (const [path, part, table, body] of changes) {
  test(`PUT ${path}${part} does not wait for transactions that refer to the record`, () =>
    database.atomically(async tx => {
      // The lock that the check of a foreign key takes.
      await tx.row(
        sql`select id from ${table} where organisation_id = ${organisationId} and id = ${idOf(path)}
          for key share`,
      )
      const { status, body: response } = await admin.put(`${fill(path, idOf)}${part}`, body)
      assert.equal(status, 200, JSON.stringify(response))
    }))
}

test('the consignments of a job can be changed while transactions refer to them', () =>
  database.atomically(async tx => {
    const consignmentIds = [idOf(consignment)]
    await tx.row(sql`select id from consignment where id = ${idOf(consignment)} for key share`)
    const { status, body } = await admin.post(
      `/v1/jobs/${idOf('/v1/jobs/:jobId')}/wave-pick/consignments/remove`,
      { consignmentIds },
    )
    assert.notEqual(status, 503, JSON.stringify(body))
  }))

test('the settings of an organisation can be changed while records are created in it', () =>
  database.atomically(async tx => {
    await tx.row(sql`select id from organisation where id = ${organisationId} for key share`)
    const { consignmentPrefix } = (await admin.get('/v1/organisation')).body
    const { status, body } = await admin.put('/v1/organisation', { name: 'Another', consignmentPrefix })
    assert.equal(status, 200, JSON.stringify(body))
  }))
