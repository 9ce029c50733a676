// A backup restores every kind of record: documents to be printed, rate cards, billing.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { connect, contentsOf } from '../support/database-contents.ts'
import { encryptionKey, openWorld } from '../support/harness.ts'
import { temporaryDataDir } from '../support/processes.ts'
import { recordsOf } from '../support/records.ts'
import { json } from '../support/service-process.ts'
import { createTestDatabase } from '../support/test-database.ts'

const logo = {
  fileName: 'logo.png',
  contentType: 'image/png',
  content: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
}

/** The tables of documents, printing and rate cards, and some older ones; all must contain rows. */
const filled = `
  administration_entry charge_input consignment consignment_charge consignment_note_attachment
  event file_content inventory_transaction locality organisation_logo partner_logo partner_schedule place_facts print_job print_storage
  printer printer_bridge product_facts rate_card rate_card_version schedule_transaction webhook_delivery
`
  .trim()
  .split(/\s+/)

test('every kind of record is restored from a backup as it was', async () => {
  const world = await openWorld()
  const records = await recordsOf(world, world.admin)
  const at = (path: string) => records[path] as string
  const approve = `/v1/rate-cards/${at('/v1/rate-cards/:rateCardId')}/versions/${at(
    '/v1/rate-cards/:rateCardId/versions/:rateCardVersionId',
  )}/status`
  assert.equal((await world.admin.put(approve, { status: 2 })).status, 200)
  for (const path of ['/v1/organisation', `/v1/partners/${at('/v1/partners/:partnerId')}`])
    assert.equal((await world.admin.put(`${path}/logo`, { logo })).status, 200, path)

  // A backup checks the key with the secrets of apps, but those of a test world are not real secrets.
  const secret = world.secretBox.seal(Buffer.alloc(32))
  await world.database.inOneStatement(tx => tx.run(sql`update custom_app set secret_hash = ${secret}`))

  const source = await contentsOf(await connect(world.databaseUrl))
  const lacking = filled.filter(table => !/^[1-9]/.test(source.digests[table] ?? ''))
  assert.deepEqual(lacking, [])

  const folder = await temporaryDataDir()
  const file = join(folder, 'every.backup')
  const settings = { DATA_DIR: folder, ENCRYPTION_KEY: encryptionKey }
  await json(['backup', file], { ...settings, DATABASE_URL: world.databaseUrl })
  const DATABASE_URL = await createTestDatabase('template1')
  await json(['restore', file], { ...settings, DATABASE_URL })
  assert.deepEqual(await contentsOf(await connect(DATABASE_URL)), source)
})
