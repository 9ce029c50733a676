// The previous version of the service, from git. A release is a commit of the main line that
// keeps the hashes of its migrations (`npm run release`). Before this one is the newest release that is not
// this one itself.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { version } from '../../src/process/version.ts'
import { migrationHashes, releasedHashes } from '../release/migration-hashes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const git = async (...args: string[]): Promise<string> =>
  (await run('git', args, { cwd: root })).stdout.trim()

/** An earlier version. */
export interface OlderVersion {
  readonly version: string
  readonly commit: string
  /**
   * Unpacks it, with the modules of this one. Returns its bin/waybill.js; removed when the test file ends.
   */
  unpack(): Promise<string>
}

/** Finds the previous version, or returns a sentence that says why there is none. */
export async function findOlderVersion(): Promise<OlderVersion | string> {
  // A folder inside another repository has no history of its own.
  const top = await git('rev-parse', '--show-prefix').catch(() => undefined)
  if (top !== '') return 'there is no git history here to take an older version from'
  const hashes = 'test/release/released-migrations.json'
  const releases = (await git('log', '--first-parent', '--format=%H', '--', hashes)).split('\n')
  // A checkout with migrations since the last release is a version after that release.
  const isRelease = Object.keys(migrationHashes()).length === Object.keys(releasedHashes()).length
  const known = new Set(Object.keys(migrationHashes()))
  for (const commit of releases.filter(release => release !== '')) {
    const older = JSON.parse(await git('show', `${commit}:package.json`)) as { version: string }
    // Releases before the first migrations of today cannot share a database with this version.
    const migrations = Object.keys(JSON.parse(await git('show', `${commit}:${hashes}`)))
    if (migrations.length === 0 || migrations.some(name => !known.has(name))) continue
    if (isRelease && older.version === version) continue
    return { version: older.version, commit, unpack: () => unpack(commit) }
  }
  return 'git knows no earlier release here that can share a database with this version'
}

async function unpack(commit: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-older-'))
  after(() => rm(folder, { recursive: true }))
  const archive = join(folder, 'older.tar')
  // Older versions have no folder `ui`; of those that have it, the service reads the colours of its pages.
  const there = new Set((await git('ls-tree', '--name-only', commit)).split('\n'))
  const parts = ['bin', 'src', 'migrations', 'package.json', 'ui'].filter(part => there.has(part))
  await git('archive', '--output', archive, commit, ...parts)
  await run('tar', ['-xf', archive, '-C', folder])
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'bin/waybill.js')
}
