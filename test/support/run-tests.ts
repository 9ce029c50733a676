// Runs the tests: all of them, or the files that are named. The long ones begin first, so that in the end no
// processor waits for one of them alone.

import { globSync } from 'node:fs'
import process from 'node:process'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/** Files that take long, the longest first. */
const long = `
  journeys/printing paper/documents/render stock/ledger.model stock/ledger.races platform/http/api-reference-browser backup/restore-backup
  journeys/stock-crashes journeys/crashes journeys/backup main start administer journeys/event-feed
  webhook-subscriptions/delivery/thirty-seconds demo waybill journeys/several-processes journeys/readme-walk
  platform/lane/lane process/first-start consignments/status/every-status doctor process/store oauth/outage
  every-endpoint process/large-requests api/generated-clients journeys/two-workers oauth/sign-in-throttle
  platform/presence/presence platform/embedded-postgres/open platform/limits/shared-limits
`
  .trim()
  .split(/\s+/)
  .map(name => `test/${name}.test.ts`)

const named = process.argv.slice(2).filter(word => word !== '--')
const files = globSync(named.length > 0 ? named : ['test/**/*.test.ts', 'client/test/*.test.ts']).toSorted()
if (files.length === 0) throw new Error(`There is no file ${named.join(' ')}.`)
const place = (file: string) => (long.includes(file) ? long.indexOf(file) : long.length)

const options = {
  files: files.toSorted((a, b) => place(a) - place(b)),
  globalSetupPath: 'test/support/global-setup.ts',
  concurrency: 3,
}
run(options)
  .on('test:fail', () => {
    process.exitCode = 1
  })
  .compose(new spec())
  .pipe(process.stdout)
