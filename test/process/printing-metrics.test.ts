// The metrics of printing: waiting jobs, how jobs ended, and whether bridges are online.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../src/platform/database/db.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { measureQueues } from '../../src/process/queue-metrics.ts'
import { figuresOf } from '../support/figures.ts'
import { openPrinters } from '../support/given-printers.ts'

const { admin, database, warehouseId, bridge, print, pass } = await openPrinters()
const metrics = createMetrics()
measureQueues({ database, metrics })
const change = (statement: Sql) => database.inOneStatement(tx => tx.run(statement))

test('waiting jobs are measured, and how the jobs of the last hour ended', async () => {
  const waiting = await print()
  await pass(waiting, 'due_utc', '1 hour')
  assert.equal((await figuresOf(metrics, 'queue_depth', 'queue'))['print-jobs'], 1)
  const { 'print-jobs': age = 0 } = await figuresOf(metrics, 'queue_age_seconds', 'queue')
  assert.equal(Math.floor(age / 3600), 1)

  const ended: Record<string, Sql> = {
    success: sql`status = 3`,
    failed: sql`status = 4`,
    'in-doubt': sql`status = 4, is_in_doubt = true`,
    cancelled: sql`status = 5`,
  }
  for (const how of Object.values(ended))
    await change(sql`update print_job set finished_utc = now(), ${how} where id = ${await print()}`)
  const figures = () => figuresOf(metrics, 'ended_print_jobs', 'result')
  assert.deepEqual(await figures(), { success: 1, failed: 1, 'in-doubt': 1, cancelled: 1 })
  await change(sql`update print_job set finished_utc = now() - interval '61 minutes' where status = 4`)
  assert.deepEqual(await figures(), { success: 1, failed: 0, 'in-doubt': 0, cancelled: 1 })
})

test('active bridges are counted by whether they are online', async () => {
  const figures = () => figuresOf(metrics, 'printer_bridges', 'state')
  const spare = await admin.post('/v1/printer-bridges', { name: 'Spare PC', warehouseId })
  assert.deepEqual(await figures(), { online: 1, offline: 0, unseen: 1 })
  await change(sql`update printer_bridge set last_seen_utc = now() - interval '61 seconds'
    where id = ${bridge.printerBridgeId}`)
  assert.deepEqual(await figures(), { online: 0, offline: 1, unseen: 1 })
  await admin.put(bridge.path, { status: 2 })
  await admin.put(`/v1/printer-bridges/${spare.body.printerBridgeId}`, { status: 2 })
  assert.deepEqual(await figures(), { online: 0, offline: 0, unseen: 0 })
})
