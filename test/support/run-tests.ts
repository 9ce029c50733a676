// Runs all tests, or the named files. Long files start first, so that no processor idles at the end while one
// of them still runs. Short files of a folder share processes.

import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/** How many files share a process. */
const shared = 8

/** A test that takes longer hangs: it fails, and the others go on. So does a file that shares a process. */
const maxMs = Number(process.env.TEST_TIMEOUT_MS ?? 600_000)

/**
 * Long files, the longest first, which get a process of their own. So does the last one, because a process
 * prepares only a limited number of statements.
 */
const long = `
  worlds/worlds portal/every-screen portal/nobody-elses stock/ledger.model journeys/printing paper/documents/render stock/ledger.races
  platform/http/api-reference-browser backup/restore-backup
  journeys/storage-crashes journeys/billing-crashes journeys/rolling-upgrade journeys/stock-crashes journeys/crashes journeys/backup main start administer journeys/event-feed
  webhook-subscriptions/delivery/thirty-seconds demo waybill journeys/several-processes journeys/readme-walk
  platform/lane/lane process/first-start consignment-status/every-status doctor process/store oauth/outage
  every-endpoint process/large-requests api/generated-clients journeys/two-workers oauth/sign-in-throttle
  platform/presence/presence platform/embedded-postgres/open platform/limits/shared-limits package oauth/end-sessions
  billing/schedules/approval-races reports/run-report platform/database/pooler
`
  .trim()
  .split(/\s+/)
  .map(name => `test/${name}.test.ts`)

const named = process.argv.slice(2).filter(word => word !== '--')
const files = globSync(named.length > 0 ? named : ['test/**/*.test.ts', 'client/test/*.test.ts']).toSorted()
if (files.length === 0) throw new Error(`There is no file ${named.join(' ')}.`)
const folder = mkdtempSync(join(tmpdir(), 'waybill-test-files-'))

/** Writes files that each run several test files in order. */
function groupsOf(files: string[]): string[] {
  const groups = Array.from({ length: Math.ceil(files.length / shared) }, (_, n) =>
    files.slice(n * shared, (n + 1) * shared),
  )
  const module = JSON.stringify(resolve('test/support/share-process.ts'))
  return groups.map((group, n) => {
    const path = join(folder, `${String(n).padStart(3, '0')}.test.mjs`)
    const paths = JSON.stringify(group.map(file => resolve(file)))
    writeFileSync(path, `import { shareProcess } from ${module}\nshareProcess(${paths})\n`)
    return path
  })
}

const alone = long.filter(file => files.includes(file))
const options = {
  files: [...alone, ...groupsOf(files.filter(file => !alone.includes(file)))],
  globalSetupPath: 'test/support/global-setup.ts',
  concurrency: 3,
  execArgv: [`--test-timeout=${maxMs}`],
}
run(options)
  .on('test:fail', () => {
    process.exitCode = 1
  })
  .on('end', () => rmSync(folder, { recursive: true }))
  .compose(new spec())
  .pipe(process.stdout)
