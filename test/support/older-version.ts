// The version of the service before this one, as git knows it: the newest commit of the main line whose
// package.json names another version.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { version } from '../../src/process/version.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const git = async (...args: string[]): Promise<string> =>
  (await run('git', args, { cwd: root })).stdout.trim()

/** An earlier version. */
export interface OlderVersion {
  readonly version: string
  readonly commit: string
  /** Unpacks it, with the modules of this one. Returns its bin/waybill.js; removed when the test file ends. */
  unpack(): Promise<string>
}

/** The version before this one, or a sentence that says why there is none to be had. */
export async function findOlderVersion(): Promise<OlderVersion | string> {
  // A folder inside of somebody else's repository has no history of its own.
  const top = await git('rev-parse', '--show-prefix').catch(() => undefined)
  if (top !== '') return 'there is no git history here to take an older version from'
  const changes = (await git('log', '--first-parent', '--format=%H', '--', 'package.json')).split('\n')
  for (const commit of ['HEAD', ...changes.map(change => `${change}^`)]) {
    const text = await git('show', `${commit}:package.json`).catch(() => undefined)
    if (text === undefined) continue
    const older = (JSON.parse(text) as { version: string }).version
    if (older !== version) return { version: older, commit, unpack: () => unpack(commit) }
  }
  return `git knows no version other than ${version} here; a clone of the last commit alone has none`
}

async function unpack(commit: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-older-'))
  after(() => rm(folder, { recursive: true }))
  const archive = join(folder, 'older.tar')
  await git('archive', '--output', archive, commit, 'bin', 'src', 'migrations', 'package.json')
  await run('tar', ['-xf', archive, '-C', folder])
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'bin/waybill.js')
}
