// Consignments that are requested at the same time share a statement.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDetail } from '../../../src/consignments/detail/read-detail.ts'
import { type Db, sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { line, openImports } from '../../support/given-imports.ts'

const { world, imported, clientId, carrierId } = await openImports()
const { admin, as, stranger, database } = world

test('consignments that are read together are the same as when they are read alone, for every reader', async () => {
  const plain = await imported({ carrierCode: 'SWF', serviceTypeCodes: ['EXP'] })
  const other = await imported({ products: [line(), line({ productCode: 'PEAR' })] })
  const large = await imported({ products: Array.from({ length: 51 }, () => line()) })
  assert.equal((await admin.post(`/v1/consignments/${plain}/edi-detail`, { ediStatus: 10 })).status, 200)
  const newClient = await admin.post('/v1/partners', { name: 'Other', code: 'OTHER', relationship: 1 })
  const callers = {
    organisation: admin,
    connection: as(admin, { connectionId: newId() }),
    client: as(admin, { partnerId: clientId }),
    carrier: as(admin, { partnerId: carrierId }),
    otherClient: as(admin, { partnerId: newClient.body.partnerId }),
    stranger: await stranger(),
  }
  const asked = Object.entries(callers).flatMap(([who, caller]) =>
    Object.entries({ plain, other, large, unknown: newId() }).map(([what, id]) => ({
      who,
      what,
      id,
      caller,
    })),
  )
  const read = async ({ who, what, id, caller }: (typeof asked)[number]) => {
    const { status, body, headers } = await caller.get(`/v1/consignments/${id}`)
    return { who, what, status, etag: headers.etag, body: status === 200 ? body : undefined }
  }
  const alone: Awaited<ReturnType<typeof read>>[] = []
  for (const one of asked) alone.push(await read(one))
  assert.deepEqual(await Promise.all(asked.map(read)), alone)
  assert.deepEqual(
    alone.filter(({ status }) => status === 200).map(({ who, what }) => `${who} ${what}`),
    [
      ...['organisation plain', 'organisation other', 'organisation large'],
      ...['connection plain', 'connection other', 'connection large'],
      ...['client plain', 'client other', 'client large', 'carrier plain'],
    ],
  )
  const ediOf = (name: string) =>
    alone.find(({ who, what }) => who === name && what === 'plain')?.body.ediStatus
  assert.deepEqual([ediOf('organisation'), ediOf('connection')], [10, null])
  assert.equal(alone.find(({ what }) => what === 'large')?.body.products.length, 51)
})

test('eight requests share a statement, and none waits for a consignment with many lines, items or notes', async () => {
  const id = await imported()
  const many = <T>(one: T): T[] => Array.from({ length: 51 }, () => one)
  const large = [
    await imported({ products: many(line()) }),
    await imported({ products: [line({ items: many({ quantity: 1 }) })] }),
    await imported({ notes: many({ note: 'Mind the step' }) }),
  ]
  const statements: string[] = []
  const db: Db = {
    ...database.db,
    rows(query) {
      statements.push('shared')
      return database.db.rows(query)
    },
    maybe(query) {
      statements.push('alone')
      return database.db.maybe(query)
    },
  }
  const texts = await Promise.all(
    [...Array.from({ length: 5 }, () => id), ...large].map(one => readDetail(db, admin.actor, one)),
  )
  assert.deepEqual(statements, ['shared', 'alone', 'alone', 'alone'])
  assert.ok(texts.every(text => text !== undefined))
})

test('a consignment is read in the transaction of its request', async () => {
  const id = await imported()
  const [within, outside] = await database.atomically(async tx => {
    await tx.run(sql`update consignment set reference_number = 'MINE' where id = ${id}`)
    return Promise.all([readDetail(tx, admin.actor, id), readDetail(database.db, admin.actor, id)])
  })
  const referenceOf = (text = '{}') => JSON.parse(text).referenceNumber
  assert.deepEqual([referenceOf(within), referenceOf(outside)], ['MINE', null])
})
