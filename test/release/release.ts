// Turns this checkout into the next version: its number, the heading of the changelog, the hashes of the
// migrations.
//
//     npm run release -- 0.3.0
//
// It commits nothing. CONTRIBUTING.md says what to do before and after.

import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { version as current } from '../../src/process/version.ts'
import { migrationHashes, releasedFile } from './migration-hashes.ts'

const root = new URL('../../', import.meta.url)

/** Replaces a text in a file. Throws if the file does not contain it. */
function change(path: string, from: string, to: string): void {
  const file = new URL(path, root)
  const text = readFileSync(file, 'utf8')
  if (!text.includes(from)) throw new Error(`${path} does not contain ${JSON.stringify(from)}.`)
  writeFileSync(file, text.replaceAll(from, to))
}

const { positionals } = parseArgs({ allowPositionals: true })
const [next = ''] = positionals
if (!/^\d+\.\d+\.\d+$/.test(next)) {
  console.error(`Give the version that comes after ${current}, such as: npm run release -- 0.3.0`)
  process.exit(1)
}
// Run again for the same version before it is tagged, it only records migrations that were added since.
if (next !== current) {
  const day = new Date().toISOString().slice(0, 10)
  change('CHANGELOG.md', '## Unreleased\n', `## Unreleased\n\n## ${next} (${day})\n`)
  for (const path of ['package.json', 'client/package.json'])
    change(path, `"version": "${current}"`, `"version": "${next}"`)
  change('client/README.md', `waybill-client-${current}.tgz`, `waybill-client-${next}.tgz`)
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'))
  for (const part of [lock, lock.packages[''], lock.packages.client]) part.version = next
  writeFileSync(new URL('package-lock.json', root), `${JSON.stringify(lock, null, 2)}\n`)
}
writeFileSync(releasedFile, `${JSON.stringify(migrationHashes(), null, 2)}\n`)
console.log(
  `This is ${next} now. Check the changes, run npm test and npm run mutants, commit, and tag v${next}.`,
)
