// The driver for CUPS queues, with commands that list a job as lpstat does.

import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, test } from 'node:test'
import type { DeliverySteps } from '../../bridge/src/driver.ts'
import { lpPrinter } from '../../bridge/src/lp.ts'

const { PATH } = process.env
const folder = await mkdtemp(join(tmpdir(), 'waybill-cups-'))
after(() => {
  process.env.PATH = PATH
  return rm(folder, { recursive: true })
})

const commands = {
  lp: 'echo "request id is Desk-12 (1 file(s))"',
  lpstat: `case "$*" in
    "-p Desk") echo "printer Desk is idle.  enabled since Mon 02 Mar 2026" ;;
    "-a Desk") echo "Desk accepting requests since Mon 02 Mar 2026" ;;
    "-l -W completed -o Desk") [ -f "${folder}/ended" ] && cat "${folder}/ended" || true ;;
    "-W not-completed -o Desk") [ -f "${folder}/pending" ] && cat "${folder}/pending" || true ;;
    *) echo "unexpected: $*" >&2; exit 1 ;;
  esac`,
}
for (const [name, script] of Object.entries(commands)) {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, name), 0o700)
}
process.env.PATH = `${folder}${delimiter}${PATH}`

/** The long list of lpstat with our job between two others, which were printed. */
const listWith = (details: string) => {
  const entry = (id: string, lines: string) => `${id.padEnd(23)} waybill  1024   Mon 02 Mar 2026\n${lines}`
  const other = '\tAlerts: job-completed-successfully\n\tqueued for Desk\n'
  return (
    entry('Desk-123', other) + entry('Desk-12', `${details}\tqueued for Desk\n`) + entry('Desk-11', other)
  )
}

/** Prints on a queue that then lists these jobs as ended, and these as not. */
async function print(ended: string, pending = '') {
  await writeFile(join(folder, 'ended'), ended)
  await writeFile(join(folder, 'pending'), pending)
  const steps: DeliverySteps = { beginSending: async () => {}, finishSending: async () => {} }
  return lpPrinter('Desk', { pollMs: 1, stallTimeoutMs: 200 }).print(
    {
      ...{ printJobId: '0197e1c6-5a5e-7c1e-9d3a-000000000001', leaseNumber: 1, name: 'Invoice' },
      ...{ contentType: 'application/pdf', content: Buffer.from('%PDF'), copies: 1 },
      ...{ orientation: null, media: null },
    },
    steps,
  )
}

test('a job that its queue reports as completed is printed', async () => {
  const details = '\tStatus: Finished.\n\tAlerts: job-completed-successfully\n'
  assert.deepEqual(await print(listWith(details)), { kind: 'printed' })
})

test('a job that was cancelled in its queue or given up by it has failed, not printed', async () => {
  assert.deepEqual(await print(listWith('\tAlerts: job-canceled-by-user\n')), {
    kind: 'failed',
    message: 'It was cancelled in the queue: job-canceled-by-user.',
  })
  for (const reason of ['aborted-by-system', 'document-unprintable-error'])
    assert.deepEqual(await print(listWith(`\tStatus: Filter failed\n\tAlerts: ${reason}\n`)), {
      kind: 'failed',
      message: `The queue aborted it: ${reason}.`,
    })
})

test('a job is in doubt if its queue does not say how it ended, has forgotten it or never ends it', async () => {
  for (const [ended, pending, message] of [
    [listWith(''), '', 'The queue has ended Desk-12 without saying how.'],
    [listWith('\tAlerts: none\n'), '', 'The queue has ended Desk-12 without saying how: none.'],
    ['', '', 'The queue no longer knows Desk-12.'],
    ['', 'Desk-12  waybill  1024   Mon 02 Mar 2026\n', 'The queue still has Desk-12.'],
    [listWith('\tAlerts: processing-to-stop-point\n'), '', 'The queue still has Desk-12.'],
  ] as const)
    assert.deepEqual(await print(ended, pending), { kind: 'in doubt', message })
})
