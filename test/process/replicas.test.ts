// A replica that is not synchronous is warned of at the start. A connection for replication is one to the
// server, even before it asks for anything.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { replicaWarning } from '../../src/process/replicas.ts'
import { openTestDatabase } from '../support/harness.ts'
import { until } from '../support/service-process.ts'
import { atEnd, directUrl, openTestPools } from '../support/test-database.ts'

test('replicas of which none is synchronous are warned of, and a synchronous setting is not', async () => {
  const { database, databaseUrl: url } = await openTestDatabase()
  const databaseUrl = directUrl(url).href
  const admin = new pg.Client(databaseUrl)
  await admin.connect()
  atEnd(() => admin.end())
  assert.equal(await replicaWarning(database.db), undefined)
  const replica = new pg.Client({ connectionString: databaseUrl, replication: 'database' } as pg.ClientConfig)
  await replica.connect()
  atEnd(() => replica.end())
  const warning = await until(() => replicaWarning(database.db), 'Nothing was warned of.')
  assert.match(warning, /none of them is synchronous/)

  // One who may not look at replicas has the settings.
  const name = new URL(databaseUrl).pathname.slice(1)
  await admin.query(`alter database ${name} set synchronous_commit to local`)
  assert.match((await replicaWarning(openTestPools(databaseUrl, 1).db)) ?? '', /synchronous/)
})
