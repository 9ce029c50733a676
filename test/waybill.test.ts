// The command `waybill` in the project's root folder, and the npm scripts that start the service.

import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { version } from '../src/process/version.ts'
import { until } from './support/service-process.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const command = join(root, 'waybill')
const folder = await mkdtemp(join(tmpdir(), 'waybill-command-'))
await chmod(folder, 0o755)
after(() => rm(folder, { recursive: true, maxRetries: 20, retryDelay: 50 }))

/** Runs the command at `path` and returns what it prints. */
const runCommand = async (path: string, args = ['--version'], options: object = {}): Promise<string> =>
  (await run(path, args, { cwd: folder, ...options })).stdout.trim()

/** Makes a copy of the command whose program prints how it was started. */
async function copyCommand(name: string): Promise<string> {
  const place = join(folder, name)
  await mkdir(join(place, 'bin'), { recursive: true })
  await copyFile(command, join(place, 'waybill'))
  await copyFile(join(root, 'bin/v8-flags'), join(place, 'bin/v8-flags'))
  await writeFile(join(place, 'package.json'), '{"type":"module"}')
  await writeFile(
    join(place, 'bin/waybill.js'),
    'console.log(JSON.stringify([process.execPath, ...process.argv.slice(2)]))',
  )
  return join(place, 'waybill')
}

/** Makes a Node.js that reports this version, and otherwise runs the real one. */
async function fakeNode(nodeFolder: string, reported: string): Promise<string> {
  await mkdir(nodeFolder, { recursive: true })
  const path = join(nodeFolder, 'node')
  const script = `#!/bin/sh\n[ "$1" = --version ] && { echo ${reported}; exit; }\necho "${reported}" "$@"\n`
  await writeFile(path, script, { mode: 0o755 })
  return path
}

test('the command works from any directory and through symbolic links', async () => {
  assert.equal(await runCommand(command), version)
  const absolute = join(folder, 'absolute')
  const relative = join(folder, 'relative')
  await symlink(command, absolute)
  await symlink('absolute', relative)
  for (const link of [absolute, relative, './relative']) assert.equal(await runCommand(link), version, link)
  const env = { PATH: `${folder}:${process.env.PATH}` }
  assert.equal(await runCommand('relative', ['--version'], { cwd: '/', env }), version)
})

test('the command works in a folder with spaces, and passes its arguments on unchanged', async () => {
  const path = await copyCommand('with "quotes", $signs and spaces')
  const args = ['user', 'create', '--full-name', 'Ada  Lovelace', '', '*', '$HOME']
  assert.deepEqual(JSON.parse(await runCommand(path, args)).slice(1), args)
  const link = join(folder, 'a link with spaces')
  await symlink(path, link)
  assert.deepEqual(JSON.parse(await runCommand(link, args)).slice(1), args)
})

test('the command prefers the Node.js that npm installed, and uses none that is too old', async () => {
  const path = await copyCommand('nodes')
  const machine = join(folder, 'machine')
  const env = { PATH: `${machine}:/usr/bin:/bin` }
  await fakeNode(machine, 'v24.1.0')
  assert.match(await runCommand(path, [], { env }), /^v24\.1\.0 /)
  const installed = join(dirname(path), 'node_modules/node-any-system/bin')
  await fakeNode(installed, 'v25.0.0')
  assert.match(await runCommand(path, [], { env }), /^v25\.0\.0 /)
  // A Node.js that does not run here, such as that of another system.
  await writeFile(join(installed, 'node'), 'not a program')
  assert.match(await runCommand(path, [], { env }), /^v24\.1\.0 /)
  await fakeNode(machine, 'v22.20.0')
  await assert.rejects(runCommand(path, [], { env }), (error: Error & { stderr: string; code: number }) => {
    assert.equal(error.code, 1)
    assert.match(error.stderr, /needs Node\.js 24 or newer and found none\. Run `npm ci` in /)
    return true
  })
})

test('the command works for an account that does not own the folder', async t => {
  if (process.getuid?.() !== 0) return t.skip('only root can be another account')
  const [uid, gid] = (await Promise.all([run('id', ['-u', 'nobody']), run('id', ['-g', 'nobody'])])).map(
    ({ stdout }) => Number(stdout),
  ) as [number, number]
  const nobody = { uid, gid, env: { PATH: '/usr/bin:/bin' } }
  const mayEnter = await run('/bin/sh', ['-c', `cd "$1" && test -r package.json`, 'sh', root], nobody).then(
    () => true,
    () => false,
  )
  if (!mayEnter) return t.skip(`the account nobody may not enter ${root}`)
  assert.equal(await runCommand(command, ['--version'], { ...nobody, cwd: '/' }), version)
  const dataDir = join(folder, 'data of nobody')
  await mkdir(dataDir)
  await chown(dataDir, uid, gid)
  const env = { ...nobody.env, DATA_DIR: dataDir }
  const { applied } = JSON.parse(
    await runCommand(command, ['migrate', '--json'], { ...nobody, env, cwd: '/' }),
  )
  assert.ok(applied.length > 0)
})

/** Starts an npm script in its own process group, so that the test's signals reach only npm. */
function startScript(name: string): { npm: ChildProcess; output(): string } {
  const npm = spawn('npm', ['run', name], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATABASE_URL: '',
      PGHOST: '',
      BASE_URL: '',
      HOST: '127.0.0.1',
      PORT: '0',
      NODE_OPTIONS: '',
      DATA_DIR: join(folder, `data of ${name}`),
    },
  })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream?.on('data', bytes => (output += bytes))
  after(() => {
    try {
      process.kill(-(npm.pid as number), 'SIGKILL')
    } catch {
      // No process of the group is left, as intended.
    }
  })
  return { npm, output: () => output }
}

for (const name of ['start', 'demo']) {
  test(`npm run ${name} stops its server when it is stopped`, async () => {
    await chmod(folder, 0o711)
    const { npm, output } = startScript(name)
    const [, address = ''] = await until(
      async () => /is ready at (\S+)/.exec(output()) ?? undefined,
      output,
      120_000,
    )
    const url = `${address.replace('localhost', '127.0.0.1')}/health/live`
    await (await fetch(url)).arrayBuffer()
    npm.kill('SIGTERM')
    await once(npm, 'exit')
    const isGone = () =>
      fetch(url).then(
        () => false,
        () => true,
      )
    await until(isGone, 'The server was left running.')
  })
}
