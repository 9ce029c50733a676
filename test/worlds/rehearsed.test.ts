// The worlds in which nothing goes as ordered, with every command rehearsed before it is done: a rehearsal
// leaves every table as it was, and the command then does what was told.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processDueImports } from '../../src/consignment-imports/process-imports.ts'
import { findStockDifferences } from '../../src/stock/ledger/check-stock.ts'
import { connect } from '../support/database-contents.ts'
import { contextIn } from '../support/given-imports.ts'
import { openWorld } from '../support/harness.ts'
import { type Compared, rehearsedFirst } from '../support/rehearsed-first.ts'
import { twistedWorld } from './twisted-world.ts'

const first = Number(process.env.WORLDS_SEED ?? 700)
const count = Number(process.env.WORLDS_COUNT ?? 2)

test('a rehearsal of a command changes nothing, and the command then does what was told', async t => {
  const world = await openWorld()
  const client = await connect(world.databaseUrl)
  const compared: Compared = new Map()
  const context = contextIn(world)
  const service = {
    newOrganisation: async () => rehearsedFirst(await world.stranger(), client, compared),
    work: () => processDueImports(context),
    findDifferences: (organisationId: string) => findStockDifferences(world.database.db, organisationId),
  }
  for (let seed = first; seed < first + count; seed++) await twistedWorld(service, seed)
  for (const [kind, times] of compared) t.diagnostic(`${kind}: ${times}`)
  for (const kind of ['allocate', 'release', 'receive', 'pick', 'dispatch', 'status'])
    assert.ok((compared.get(kind) ?? 0) > 0, `nothing was told of ${kind}`)
})
