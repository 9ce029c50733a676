// The worlds in which nothing goes as ordered, with every command rehearsed before it is done: a rehearsal
// leaves every table as it was, and the command then does what was told.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processDueImports } from '../../src/consignment-imports/process-imports.ts'
import { findStockDifferences } from '../../src/stock/ledger/check-stock.ts'
import { connect } from '../support/database-contents.ts'
import { contextIn } from '../support/given-imports.ts'
import { endpoints, openWorld } from '../support/harness.ts'
import { type Compared, type Reached, rehearsedFirst } from '../support/rehearsed-first.ts'
import { doEveryAct } from './every-act.ts'
import { twistedWorld } from './twisted-world.ts'

const first = Number(process.env.WORLDS_SEED ?? 700)
const count = Number(process.env.WORLDS_COUNT ?? 1)

/** The acts that can be rehearsed. */
const acts = endpoints
  .filter(({ canBeRehearsed }) => canBeRehearsed)
  .map(({ method, path }) => `${method.toLowerCase()} ${path}`)

test('a rehearsal of a command changes nothing, and the command then does what was told', async t => {
  const harness = await openWorld()
  const client = await connect(harness.databaseUrl)
  const compared: Compared = new Map()
  const reached: Reached = new Set()
  const context = contextIn(harness)
  const service = {
    newOrganisation: async () => rehearsedFirst(await harness.stranger(), client, compared, reached),
    work: () => processDueImports(context),
    findDifferences: (organisationId: string) => findStockDifferences(harness.database.db, organisationId),
  }
  const lived = []
  for (let seed = first; seed < first + count; seed++) lived.push(await twistedWorld(service, seed))
  t.diagnostic(`the worlds reach ${reached.size} of ${acts.length} acts; the others are done after them`)
  // What a history happens not to contain is done in the last one.
  for (const world of lived.slice(-1)) await doEveryAct(world, harness.database)
  assert.deepEqual(
    acts.filter(act => !reached.has(act)),
    [],
    'acts that were never reached',
  )
  for (const [kind, times] of compared) t.diagnostic(`${kind}: ${times}`)
  for (const kind of ['allocate', 'release', 'receive', 'pick', 'dispatch', 'status'])
    assert.ok((compared.get(kind) ?? 0) > 0, `nothing was told of ${kind}`)
})
