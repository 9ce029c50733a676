// `npm run mutants`: breaks the service in one small way after the other and looks whether a test notices.
//
// Each mutant is tried on a copy of the project, so the working tree is never broken. Words as arguments
// choose those whose group, description or file contains one of them: `npm run mutants -- stock`. Each test
// file is first run unbroken; the mutants of one that fails are not tried. Ctrl-C ends it after those that are
// being tried. Ends with 1 when one survived or was not tried.

import { spawn } from 'node:child_process'
import { chmod, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { openEmbeddedPostgres } from '../../src/platform/embedded-postgres/open.ts'
import { testSettings } from '../support/global-setup.ts'
import type { Mutant } from './mutant.ts'
import { mutants } from './mutants.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const copied = [
  'src',
  'test',
  'migrations',
  'docs',
  'bin',
  'package.json',
  'tsconfig.json',
  '.env.example',
  'client',
  'ui',
  'portal',
]
const lanes = 2
/** What takes longer for a file hangs. */
const maxMsPerFile = 180_000

/** A copy of the project that shares its installed packages, with a database server of its own. */
interface Lane {
  folder: string
  databaseUrl: string
  /** its template is that of the migrations as they are */
  hasTemplate: boolean
  close(): Promise<void>
}

async function openLane(): Promise<Lane> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-mutants-'))
  for (const name of copied) {
    await cp(join(root, name), join(folder, name), {
      recursive: true,
      filter: path => !path.includes('node_modules'),
    })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  // PostgreSQL does not run as root; as root, its user has to be able to enter.
  await chmod(folder, 0o711)
  const postgres = await openEmbeddedPostgres({
    dataDir: join(folder, '.data'),
    log: { info: () => {}, warn: message => console.error(message) },
    settings: testSettings,
  })
  const { host, user } = postgres.connection
  return {
    folder,
    hasTemplate: false,
    databaseUrl: `postgres://${user}@${encodeURIComponent(host)}/postgres`,
    async close() {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    },
  }
}

/** Runs a test file in a copy until a test fails. Resolves to what failed, null where all passed. */
async function firstFailureIn(lane: Lane, test: string): Promise<string | null> {
  const { folder, databaseUrl, hasTemplate } = lane
  const options = [
    '--test-global-setup=test/support/global-setup.ts',
    // One process less to start for each mutant.
    '--test-isolation=none',
    '--test-reporter=tap',
  ]
  const child = spawn(process.execPath, ['--test', ...options, test], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(folder, '.cache'),
      TEST_DATABASE_URL: databaseUrl,
      // Nobody reads the cases that a mutant fails in.
      PROPERTY_SHRINK: 'off',
      ...(hasTemplate ? { TEST_TEMPLATE: 'kept' } : {}),
    },
  })
  const { promise, resolve } = Promise.withResolvers<string | null>()
  let told = ''
  const fail = (why: string) => {
    if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGKILL')
    resolve(why)
  }
  const timer = setTimeout(() => fail('it hangs'), maxMsPerFile)
  child.stdout.on('data', text => {
    told = told.slice(told.lastIndexOf('\n') + 1) + text
    const failed = /^\s*not ok .*\n/m.exec(told)
    if (failed) fail(failed[0].trim())
  })
  child.once('exit', code => resolve(code === 0 ? null : `it ends with ${code}`))
  const failed = await promise
  clearTimeout(timer)
  lane.hasTemplate = failed === null || failed.startsWith('not ok')
  return failed
}

/** Runs test files in a copy, one after the other, until one fails. Resolves as `firstFailureIn` does. */
async function firstFailure(lane: Lane, tests: readonly string[]): Promise<string | null> {
  for (const test of tests) {
    const failed = await firstFailureIn(lane, test)
    if (failed !== null) return failed
  }
  return null
}

/** Applies a mutant to a copy, runs its tests and takes it back. Resolves to whether it survived. */
async function survives(lane: Lane, { file, from, to, tests }: Mutant): Promise<boolean> {
  const path = join(lane.folder, file)
  const isSchema = file.startsWith('migrations/')
  if (isSchema) lane.hasTemplate = false
  const text = await readFile(path, 'utf8')
  await writeFile(
    path,
    text.replace(from, () => to),
  )
  try {
    return (await firstFailure(lane, tests)) === null
  } finally {
    if (isSchema) lane.hasTemplate = false
    await writeFile(path, text)
  }
}

const wanted = process.argv.slice(2)
const chosen = Object.entries(mutants).flatMap(([group, its]) =>
  its.filter(
    ({ about, file }) =>
      wanted.length === 0 || wanted.some(word => `${group} ${about} ${file}`.includes(word)),
  ),
)
if (chosen.length === 0) throw new Error(`No mutant is about ${wanted.join(' or ')}.`)
const waiting = [...chosen]
const survivors: Mutant[] = []
/** Mutants that were not tried: a test of theirs fails without them, or the run was ended before. */
const untried: Mutant[] = []
// Those that are being tried are tried to the end, and the copies removed.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => untried.push(...waiting.splice(0)))
/** By test file, how it fails without any mutant; null where it passes. */
const unbroken = new Map<string, Promise<string | null>>()

/** Runs a test file without any mutant, once in the whole run. */
function unbrokenFailure(lane: Lane, test: string): Promise<string | null> {
  const known = unbroken.get(test)
  if (known !== undefined) return known
  const failure = firstFailureIn(lane, test).then(failed => {
    if (failed !== null) console.log(`FAILS     without any mutant: ${test}: ${failed}`)
    return failed
  })
  unbroken.set(test, failure)
  return failure
}

/** Whether all tests of a mutant pass without it. */
async function canBeTried(lane: Lane, { tests }: Mutant): Promise<boolean> {
  const failures: (string | null)[] = []
  for (const test of tests) failures.push(await unbrokenFailure(lane, test))
  return failures.every(failure => failure === null)
}

/** Tries mutants on a copy until none is left. */
async function tryMutants(lane: Lane): Promise<void> {
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const { file, about } = mutant
    if (!(await canBeTried(lane, mutant))) {
      untried.push(mutant)
      console.log(`not tried        ${file}: ${about}`)
      continue
    }
    const begin = performance.now()
    const survived = await survives(lane, mutant)
    if (survived) survivors.push(mutant)
    const seconds = ((performance.now() - begin) / 1_000).toFixed(0).padStart(3)
    console.log(`${survived ? 'SURVIVED' : 'killed  '} ${seconds} s  ${file}: ${about}`)
  }
}

const begin = performance.now()
const opened = await Promise.all(Array.from({ length: lanes }, openLane))
try {
  await Promise.all(opened.map(tryMutants))
} finally {
  for (const lane of opened) await lane.close()
}
const minutes = ((performance.now() - begin) / 60_000).toFixed(1)
console.log(
  `${chosen.length} mutants, ${survivors.length} survived, ${untried.length} were not tried, ` +
    `in ${minutes} minutes.`,
)
process.exitCode = survivors.length + untried.length === 0 ? 0 : 1
