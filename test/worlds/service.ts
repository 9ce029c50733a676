// The service in which worlds are made: this version, in this process, on a database of its own.

import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../src/access/actor.ts'
import { runDueBackTest } from '../../src/billing/back-tests/run-back-tests.ts'
import { proveMoney } from '../../src/billing/proofs/check-money.ts'
import { runNext } from '../../src/billing/runs/run-billing.ts'
import { processDueImports } from '../../src/consignment-imports/process-imports.ts'
import { type Database, sql } from '../../src/platform/database/db.ts'
import { findStockDifferences } from '../../src/stock/ledger/check-stock.ts'
import { backTestWorker } from '../support/given-back-tests.ts'
import { contextIn } from '../support/given-imports.ts'
import { openWorld as openHarness } from '../support/harness.ts'
import { copySetUp } from './copy-set-up.ts'
import type { Service } from './set-up.ts'
import { colleagueName } from './statements/rows.ts'

/** A person who may do everything, and of whom nobody knows when they came. */
async function addColleague(database: Database, { organisationId }: Actor): Promise<string> {
  const userId = uuidv7()
  const email = `${userId}@example.com`
  await database.atomically(tx =>
    tx.run(sql`insert into app_user (organisation_id, id, email, full_name)
      values (${organisationId}, ${userId}, ${email}, ${colleagueName})`),
  )
  return userId
}

export async function openService(): Promise<Service & { database: Database }> {
  const harness = await openHarness()
  const context = contextIn(harness)
  return {
    database: harness.database,
    newOrganisation: harness.stranger,
    copyOf: async original => {
      const copy = await harness.stranger()
      await copySetUp(harness.database, original.actor, copy.actor)
      return copy
    },
    asBridge: (caller, clientId) => harness.as(caller, { scopes: ['print'], clientId }),
    colleagueOf: async caller => {
      const userId = await addColleague(harness.database, caller.actor)
      return harness.as(caller, { userId })
    },
    asClient: (caller, partnerId) => harness.as(caller, { partnerId }),
    work: () => processDueImports(context),
    bill: () => runNext(context),
    test: () => runDueBackTest(backTestWorker(harness.database)),
    findDifferences: async organisationId => {
      const { db } = harness.database
      const money = await proveMoney(db, { organisationId })
      return [...(await findStockDifferences(db, organisationId)), ...money.differences]
    },
  }
}
