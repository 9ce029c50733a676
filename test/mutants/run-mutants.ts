// `npm run mutants`: breaks the service in one small way after the other and looks whether a test notices.
//
// Each mutant is tried on a copy of the project, so the working tree is never broken. Names of mutants or of
// files as arguments choose some: `npm run mutants -- paging`. Ends with 1 when one survived.

import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Mutant, mutants } from './mutants.ts'

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
]
const lanes = 2
const maxMs = 300_000

/** A copy of the project that shares its installed packages. */
async function copyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-mutants-'))
  for (const name of copied) {
    await cp(join(root, name), join(folder, name), {
      recursive: true,
      filter: path => !path.includes('node_modules'),
    })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Runs test files in a copy. Resolves to whether they passed; what hangs did not pass. */
async function passes(folder: string, tests: readonly string[]): Promise<boolean> {
  const setup = '--test-global-setup=test/support/global-setup.ts'
  const child = spawn(process.execPath, ['--test', setup, '--test-concurrency=1', ...tests], {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, '.cache') },
  })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => {
    process.kill(-(child.pid as number), 'SIGKILL')
    resolve(false)
  }, maxMs)
  child.once('exit', code => resolve(code === 0))
  const passed = await promise
  clearTimeout(timer)
  return passed
}

/** Applies a mutant to a copy, runs its tests and takes it back. Resolves to whether it survived. */
async function survives(folder: string, { file, from, to, tests }: Mutant): Promise<boolean> {
  const path = join(folder, file)
  const text = await readFile(path, 'utf8')
  await writeFile(
    path,
    text.replace(from, () => to),
  )
  try {
    return await passes(folder, tests)
  } finally {
    await writeFile(path, text)
  }
}

const wanted = process.argv.slice(2)
const chosen = mutants.filter(
  ({ about, file }) => wanted.length === 0 || wanted.some(word => `${about} ${file}`.includes(word)),
)
const waiting = [...chosen]
const survivors: Mutant[] = []

/** Tries mutants on a copy until none is left. */
async function tryMutants(folder: string): Promise<void> {
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const survived = await survives(folder, mutant)
    if (survived) survivors.push(mutant)
    console.log(`${survived ? 'SURVIVED' : 'killed  '}  ${mutant.file}: ${mutant.about}`)
  }
}

const folders = await Promise.all(Array.from({ length: lanes }, copyProject))
try {
  const tests = [...new Set(chosen.flatMap(mutant => mutant.tests))]
  if (!(await passes(folders[0] as string, tests))) throw new Error('The tests fail without any mutant.')
  await Promise.all(folders.map(tryMutants))
} finally {
  for (const folder of folders)
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
console.log(`${chosen.length} mutants, ${survivors.length} survived.`)
process.exitCode = survivors.length === 0 ? 0 : 1
