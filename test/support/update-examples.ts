// Writes the examples of responses and refusals in the API document, from the responses in tests: `npm run
// examples`.

import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { apiDocument } from './api-document.ts'
import { chooseExamples, readRecorded } from './recorded-responses.ts'

/** The tests whose responses are recorded: those of the endpoints, folder by folder. */
const tests = [
  ...['every-endpoint', 'nothing-changed', 'api/examples', 'identity/identity', 'stock/**/*', 'paper/**/*'],
  ...['billing/**/*', 'consignment-imports/*', 'consignments/**/*', 'jobs/**/*', 'organisations/*'],
  ...['partners/*', 'reference-data/*', 'reports/*', 'warehouses/*', 'webhook-subscriptions/**/*'],
].map(name => `test/${name}.test.ts`)

const folder = mkdtempSync(join(tmpdir(), 'waybill-answers-'))
try {
  const setup = '--test-global-setup=test/support/global-setup.ts'
  const reporter = ['--test-reporter=dot', '--test-concurrency=3']
  const files = globSync(tests).toSorted()
  const { status } = spawnSync(process.execPath, ['--test', setup, ...reporter, ...files], {
    stdio: 'inherit',
    env: { ...process.env, RECORD_RESPONSES: folder },
  })
  if (status !== 0) console.error('Some tests failed; what the others saw counts.')
  const examples = chooseExamples(readRecorded(folder), apiDocument())
  const target = new URL('../../src/api/recorded-examples.json', import.meta.url)
  writeFileSync(target, `${JSON.stringify(examples, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
