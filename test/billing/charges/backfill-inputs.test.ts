// Consignments that were Closed before inputs were frozen: the inputs are frozen later, and no amount
// changes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { backfillBatch } from '../../../src/billing/charges/backfill-inputs.ts'
import { raiseScheduleTransactions } from '../../../src/billing/schedules/schedule-transaction.ts'
import { raw, sql } from '../../../src/platform/database/db.ts'
import { openRates } from '../../support/given-rates.ts'

const { world, ...given } = await openRates()
const { admin, database } = world
const {
  card,
  charge,
  content,
  createApprovedVersion,
  rate,
  goods,
  enter,
  charges,
  close,
  reopen,
  transactionsOf,
} = given
const { organisationId } = admin.actor

await createApprovedVersion(await card(), content(rate([charge({ rateExclTax: 2 })])))

/** A consignment as an older version of the service left it: Closed, its ad hoc charges billed. */
async function closedEarlier(quantity = 8): Promise<string> {
  const id = await goods([{ quantity }], { type: 0, status: 0, tasks: 3 })
  await enter(id, 'client-activity')
  await database.atomically(async tx => {
    await raiseScheduleTransactions(tx, organisationId, [id], '2026-01-31')
    await tx.run(sql`update consignment set status = 6, closed_transaction_date = '2026-01-31'
      where id = ${id}`)
  })
  return id
}

const frozenOf = (ids: string[]) =>
  database.db.rows<{ closingNumber: number; evaluatorVersion: number; parts: number }>(sql`
    select i.closing_number, i.evaluator_version, (
        select count(*) from charge_input_part p
        where p.consignment_id = i.consignment_id and p.closing_number = i.closing_number
      ) as parts
    from charge_input i where i.consignment_id = any(${ids}) order by i.consignment_id, i.closing_number`)

const errors: { consignmentId?: string }[] = []
const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(JSON.parse(line)) })

/** Scans all consignments, and returns how many were frozen. */
async function walk(): Promise<number> {
  let frozen = 0
  for (let last: Awaited<ReturnType<typeof backfillBatch>>['last'] | undefined; last !== null; ) {
    const step = await backfillBatch({ database, log }, last)
    frozen += step.frozen
    last = step.last
  }
  return frozen
}

test('their inputs are frozen once, and their charges and transactions stay unchanged', async () => {
  const id = await closedEarlier()
  const open = await goods([{ quantity: 1 }], { type: 0, status: 0 })
  const look = async () => [await charges(id), await transactionsOf(id)]
  const before = await look()
  assert.equal(await walk(), 1)
  assert.deepEqual(await frozenOf([id]), [{ closingNumber: 1, evaluatorVersion: 0, parts: 2 }])
  assert.deepEqual(await frozenOf([open]), [])
  assert.deepEqual(await look(), before)
  assert.equal(await walk(), 0)
})

test('a rate card can be tested on them, using the frozen inputs', async () => {
  const id = await closedEarlier(5)
  await walk()
  const tried = await admin.post('/v1/rate-cards/test', {
    ...{ consignmentId: id, content: content(rate([charge({ rateExclTax: 3 })])) },
  })
  assert.deepEqual(
    tried.body.charges.clientActivityCharges.map((one: { amountExclTax: number }) => one.amountExclTax),
    [15],
  )
})

test('concurrent scans, reopening and closing freeze each closing once', async () => {
  const ids = await Promise.all([1, 2, 3, 4, 5, 6].map(closedEarlier))
  const again = ids.slice(0, 3)
  await Promise.all([
    walk(),
    walk(),
    ...again.map(async id => {
      assert.equal((await reopen(id)).status, 200)
      assert.equal((await close(id)).status, 200)
    }),
  ])
  await walk()
  for (const id of ids) {
    const numbers = (await frozenOf([id])).map(({ closingNumber }) => closingNumber)
    assert.deepEqual(numbers, again.includes(id) ? numbers.map((_, i) => i + 1) : [1])
    assert.ok(numbers.length >= 1 && numbers.length <= 2)
  }
})

test('inputs that another scan has frozen meanwhile are not frozen again', async () => {
  const id = await closedEarlier()
  let overtaking: Promise<number> | undefined
  const overtaken: typeof database = {
    ...database,
    async atomically(work) {
      overtaking ??= walk()
      assert.equal(await overtaking, 1)
      return database.atomically(work)
    },
  }
  assert.equal((await backfillBatch({ database: overtaken, log })).frozen, 0)
  assert.deepEqual(
    (await frozenOf([id])).map(({ closingNumber }) => closingNumber),
    [1],
  )
})

test('a consignment that is reopened and Closed again is charged by its card from then on', async () => {
  const id = await closedEarlier(4)
  await walk()
  await reopen(id)
  await close(id)
  const shown = (await charges(id)).clientActivityCharges as { amountExclTax: number; isAdhoc: boolean }[]
  assert.deepEqual(
    shown.map(({ amountExclTax, isAdhoc }) => [amountExclTax, isAdhoc]),
    [
      [8, false],
      [21, true],
    ],
  )
})

test('one whose inputs cannot be frozen is logged, keeps no other from it, and is tried again later', async () => {
  const ids = await Promise.all([1, 2, 3].map(closedEarlier))
  const bad = ids[1] as string
  const setTrigger = (statement: string) => database.atomically(tx => tx.run(sql`${raw(statement)}`))
  await setTrigger(`create function refuse_inputs() returns trigger language plpgsql as
    $$ begin raise 'these cannot be frozen'; end $$`)
  await setTrigger(`create trigger refuse_inputs before insert on charge_input for each row
    when (new.consignment_id = '${bad}') execute function refuse_inputs()`)
  assert.equal(await walk(), 2)
  assert.deepEqual(
    errors.map(({ consignmentId }) => consignmentId),
    [bad],
  )
  await setTrigger('drop trigger refuse_inputs on charge_input')
  assert.equal(await walk(), 1)
  assert.deepEqual(
    (await frozenOf(ids)).map(({ closingNumber }) => closingNumber),
    [1, 1, 1],
  )
})
