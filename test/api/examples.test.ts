// The API document is true: its examples are accepted, and events have the documented data.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { examples } from '../../src/api/examples.ts'
import { processDueImports } from '../../src/consignment-imports/process-imports.ts'
import { sql } from '../../src/platform/database/db.ts'
import { type EventType, eventTypeNames } from '../../src/vocabulary/events.ts'
import { apiDocument } from '../support/api-document.ts'
import { contextIn } from '../support/given-imports.ts'
import { openWorld } from '../support/harness.ts'
import { fill, parameters, recordsOf } from '../support/records.ts'

const world = await openWorld()
const { admin } = world
const records: Record<string, string> = { ...(await recordsOf(world, admin)) }

/** The ids of records for the examples, by the field that refers to them. */
const idByField: Record<string, string | undefined> = {
  taxRateId: records['/v1/tax-rates/:id'],
  partnerId: records['/v1/partners/:partnerId'],
  clientId: records['/v1/partners/:partnerId'],
  warehouseId: records['/v1/warehouses/:warehouseId'],
}

/** Examples that are well-formed but refused, because they refer to records that do not exist. */
const onlyWellFormed = [
  'PUT /v1/consignment-imports/:consignmentImportId/reconcile',
  'PUT /v1/consignments/:consignmentId/connection-result',
  'POST /v1/jobs/:jobId/wave-pick/consignments/add',
  'POST /v1/webhook-subscriptions/:webhookSubscriptionId/replay',
]

test('every example of the API document is accepted', async () => {
  for (const [name, example] of Object.entries(examples)) {
    const [method = '', path = ''] = name.split(' ')
    const filled = fill(path, parameter => records[parameter] as string)
    assert.deepEqual(
      parameters(path).filter(parameter => records[parameter] === undefined),
      [],
      name,
    )
    const body = Object.fromEntries(
      Object.entries(example as object).map(([field, value]) => [field, idByField[field] ?? value]),
    )
    const { status, body: responseBody } = await admin[method.toLowerCase() as 'post' | 'put'](filled, body)
    if (name === 'POST /v1/partners') records['/v1/partners/:partnerId'] = responseBody.partnerId
    if (onlyWellFormed.includes(name))
      assert.match(responseBody?.ErrorType, /^(Verification Failed|Not Found)$/, name)
    else assert.ok(status < 300 || status === 304, `${name}: ${status} ${JSON.stringify(responseBody)}`)
  }
  while (await processDueImports(contextIn(world))) {}
  const { body: found } = await admin.get('/v1/consignments?SearchText=SHOP-1001')
  assert.ok(
    found.consignments.some(({ clientCode }: { clientCode: string }) => clientCode === 'RIMU'),
    'The import became a consignment.',
  )
})

test('events have the data that the API document describes for webhooks', async () => {
  for (const [path, body] of [
    ['/v1/jobs/:jobId/wave-pick/status', { status: 2 }],
    ['/v1/schedules/:partnerScheduleId/status', { status: 2 }],
    ['/v1/webhook-subscriptions/:webhookSubscriptionId/test'],
  ] as const) {
    const filled = fill(path, parameter => records[parameter] as string)
    assert.equal((await admin.put(filled, body)).status, 200, path)
  }
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const document = JSON.parse(JSON.stringify(apiDocument()))
  ajv.addSchema(document, 'document')
  const events = await world.database.db.rows<{
    id: string
    type: EventType
    createdUtc: string
    data: object
  }>(sql`
    select id, type, created_utc, data from event where organisation_id = ${admin.actor.organisationId}`)
  const checked = new Set<EventType>()
  for (const { id, type, createdUtc, data } of events) {
    const name = eventTypeNames[type]
    const schema = document.webhooks[name]?.post.requestBody.content['application/json'].schema
    assert.ok(schema, `${name} is raised, but is not in the API document.`)
    const escaped = `document#/webhooks/${name}/post/requestBody/content/application~1json/schema`
    const check = ajv.getSchema(escaped)
    assert.ok(check)
    assert.ok(
      check({ id, type: name, created: createdUtc, data, operationId: id }),
      `${name}: ${ajv.errorsText(check.errors)}`,
    )
    const fields = Object.keys(
      document.components.schemas[schema.properties.data.$ref.split('/').at(-1)].properties,
    )
    assert.deepEqual(Object.keys(data).toSorted(), fields.toSorted(), name)
    checked.add(type)
  }
  assert.ok(checked.size > 14, `Only ${[...checked].join(', ')} were raised.`)
  const { status, body } = await admin.get('/v1/events')
  assert.equal(status, 200)
  const feedIds = events.filter(({ type }) => type > 100).map(({ id }) => id)
  assert.deepEqual(
    body.events.map(({ id }: { id: string }) => id).toSorted(),
    feedIds.toSorted(),
    'The feed has the same events.',
  )
})
