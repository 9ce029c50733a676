// The package that `npm pack` creates from the service works where npm installs it: no file is missing, and
// types are stripped below node_modules too. The client's counterpart is client/test/readme.test.ts.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { version } from '../src/process/version.ts'
import { apiCaller, newAppBy } from './support/processes.ts'
import { run as runWaybill, startServiceProcess } from './support/service-process.ts'
import { atEnd, createTestDatabase } from './support/test-database.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
// A project with the package installed, and with this project's modules, as npm would install them.
const project = await realpath(await mkdtemp(join(tmpdir(), 'waybill-project-')))
after(() => rm(project, { recursive: true, maxRetries: 20, retryDelay: 50 }))
const modules = join(project, 'node_modules')
await mkdir(modules)
for (const name of await readdir(join(root, 'node_modules')))
  if (!name.startsWith('.') && name !== '@waybill')
    await symlink(join(root, 'node_modules', name), join(modules, name))

/** Packs the service and unpacks it where npm would. Returns the names of its files. */
async function install(): Promise<string[]> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], { cwd: root })
  const [{ filename, files, version: packed }] = JSON.parse(stdout)
  assert.equal(packed, version)
  const folder = join(modules, 'waybill')
  await mkdir(folder)
  await run('tar', ['-xzf', join(project, filename), '--strip-components=1', '-C', folder])
  return (files as { path: string }[]).map(({ path }) => path)
}

const program = join(modules, 'waybill/bin/waybill.js')

test('the package of the service contains every file that it reads, and no tests', async () => {
  const files = await install()
  const expected: string[] = []
  for (const folder of ['src', 'bridge/src', 'migrations', 'deploy', 'bin'])
    for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && entry.name !== '.env')
        expected.push(join(entry.parentPath, entry.name).slice(root.length))
  assert.deepEqual(
    expected.filter(name => !files.includes(name)),
    [],
  )
  assert.deepEqual(
    files.filter(name => /^(test|bench|client|data|node_modules)|(^|\/)\.env$/.test(name)),
    [],
  )
})

test('its command runs from node_modules with the Node.js that npm installs, and prints its help', async () => {
  const command = join(modules, 'waybill/waybill')
  const { stdout } = await run(command, ['--help'], { cwd: project, env: { PATH: '/usr/bin:/bin' } })
  for (const name of ['start', 'demo', 'backup', 'doctor'])
    assert.match(stdout, new RegExp(`^ +${name}\\b`, 'm'))
})

test('it starts on an empty database, and stores nothing in node_modules', async () => {
  const { output } = await runWaybill(['doctor', '--json'], {}, undefined, [], program).ended
  assert.doesNotMatch(output, /node_modules\/waybill\/data/)
  const settings = { DATABASE_URL: await createTestDatabase('template1'), DATA_DIR: join(project, 'data') }
  const service = await startServiceProcess(settings, program)
  atEnd(() => service.kill())
  const api = apiCaller(() => service.baseUrl, await newAppBy(program, settings, 'PCK'))
  // Requests of more than 1 MiB are handled by a separate thread.
  const large = { padding: 'x'.repeat(1_100_000) }
  assert.equal((await api.call('POST', '/v1/consignment-imports', large)).status, 400)
  for (const path of ['/docs', '/openapi.json', '/connect/sign-out'])
    assert.equal((await fetch(`${service.baseUrl}${path}`)).status, 200, path)
  assert.equal((await service.stop()).code, 0)
})

test('the printer bridge runs from it', async () => {
  const { code, output } = await runWaybill(['bridge', 'check'], {}, undefined, [], program).ended
  assert.deepEqual(
    [code, /bridge\.json/.test(output), /\n\s+at |ERR_/.test(output)],
    [1, true, false],
    output,
  )
})

test('it reads .env in the current folder; an unreadable .env stops it', async () => {
  const command = join(modules, 'waybill/waybill')
  const doctor = () => run(command, ['doctor'], { cwd: project, env: { PATH: '/usr/bin:/bin' } })
  await writeFile(join(project, '.env'), 'PORT=eighty\n')
  await assert.rejects(doctor(), ({ stdout }) => /PORT must be a whole number/.test(stdout))
  await rm(join(project, '.env'))
  await mkdir(join(project, '.env'))
  await assert.rejects(doctor(), ({ stderr }) => /^The settings in \S+\/\.env cannot be read\./.test(stderr))
})
