// What a person has allowed an app, and that a disabled person allows nothing. Spec 5.3.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RegisteredApp } from '../../src/oauth/registered-apps.ts'
import { findUser } from '../../src/oauth/user.ts'
import { sql } from '../../src/platform/database/db.ts'
import { openWorld } from '../support/harness.ts'

const { admin, database } = await openWorld()
const { organisationId, userId } = admin.actor
const { customAppId } = await database.db.row<{ customAppId: string }>(
  sql`select id as custom_app_id from custom_app where organisation_id = ${organisationId}`,
)
const app = { organisationId, customAppId } as RegisteredApp

test('an app knows the people of its organisation, except the disabled ones', async () => {
  const disable = (disabledUtc: string | null) =>
    database.inOneStatement(tx =>
      tx.run(sql`update app_user set disabled_utc = ${disabledUtc} where id = ${userId}`),
    )
  assert.equal((await findUser(database.db, app, userId))?.fullName, 'Ada Storekeeper')
  await disable('2026-01-01T00:00:00Z')
  assert.equal(await findUser(database.db, app, userId), undefined)
  await disable(null)
  assert.equal((await findUser(database.db, app, userId))?.userId, userId)
})
