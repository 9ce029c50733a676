// Writes the examples of requests, responses and refusals in the API document, from what tests send and get:
// `npm run examples`. With test files as arguments, only what they see is replaced.

import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { recordedExamples } from '../../src/api/recorded-examples.ts'
import { apiDocument } from './api-document.ts'
import { chooseExamples, readRecorded } from './recorded-responses.ts'

/** The tests whose responses are recorded: those of the endpoints, folder by folder. */
const tests = [
  ...['every-endpoint', 'nothing-changed', 'api/examples', 'stock/**/*', 'paper/**/*'],
  ...['billing/**/*', 'consignment-imports/*', 'consignments/**/*', 'jobs/**/*', 'organisations/*'],
  ...['partners/*', 'reference-data/*', 'reports/*', 'warehouses/*', 'webhook-subscriptions/**/*'],
  ...['floor/**/*', 'consignment-status/**/*', 'waiting-imports/*', 'users/*', 'custom-apps/*', 'me/*'],
  ...['bulk/*', 'attention/*', 'dashboard/*', 'search/*'],
].map(name => `test/${name}.test.ts`)

const folder = mkdtempSync(join(tmpdir(), 'waybill-answers-'))
try {
  const setup = '--test-global-setup=test/support/global-setup.ts'
  const reporter = ['--test-reporter=dot', '--test-concurrency=3']
  const named = process.argv.slice(2)
  const files = named.length > 0 ? named : globSync(tests).toSorted()
  const { status } = spawnSync(process.execPath, ['--test', setup, ...reporter, ...files], {
    stdio: 'inherit',
    env: { ...process.env, RECORD_RESPONSES: folder },
  })
  if (status !== 0) console.error('Some tests failed; what the others saw counts.')
  const earlier = named.length > 0 ? recordedExamples() : undefined
  const examples = chooseExamples(readRecorded(folder), apiDocument(), earlier)
  const target = new URL('../../src/api/recorded-examples.json', import.meta.url)
  writeFileSync(target, `${JSON.stringify(examples, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
