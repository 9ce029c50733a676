// The package as users get it: packed, and the programs of its README compiled and run against a real service.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { clients, warehouses } from '../../src/demo/demo-data.ts'
import { type App, apiCaller, newApp, preparedDataDir } from '../../test/support/processes.ts'
import { startServiceProcess, until } from '../../test/support/service-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** Creates a folder with the packed client installed as its README says, and the programs of the README. */
async function createProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-client-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const installed = join(folder, 'node_modules/@waybill/client')
  await mkdir(installed, { recursive: true })
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--workspace', 'client', '--pack-destination', folder],
    { cwd: root },
  )
  const [{ filename }] = JSON.parse(stdout)
  await run('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components', '1'])
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types', 'undici-types']) {
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const readme = await readFile(join(root, 'client/README.md'), 'utf8')
  const [call, stock, money, person, receive, follow] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(
    ([, code]) => code as string,
  )
  await writeFile(join(folder, 'call.ts'), call as string)
  await writeFile(
    join(folder, 'wait.ts'),
    (call as string).replace("productCode: 'HONEY'", "productCode: 'CLOVER'"),
  )
  await writeFile(join(folder, 'stock.ts'), stock as string)
  await writeFile(join(folder, 'money.ts'), money as string)
  await writeFile(join(folder, 'person.ts'), person as string)
  await writeFile(join(folder, 'receive.ts'), receive as string)
  await writeFile(join(folder, 'follow.ts'), follow as string)
  return folder
}

/** Returns a port that is currently free. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Whether the checkout contains the built package, as after `npm ci`. Packing builds it again. */
const isBuilt = await run(process.execPath, ['--input-type=module', '--eval', "import '@waybill/client'"], {
  cwd: root,
}).then(
  () => true,
  ({ stderr }) => stderr,
)
const folder = await createProject()
const settings = { DATA_DIR: await preparedDataDir(), WEBHOOK_ALLOW_PRIVATE: 'on' }
const service = await startServiceProcess(settings)
after(() => service.stop())
const environmentOf = ({ clientId, clientSecret }: App) => ({
  ...process.env,
  WAYBILL_URL: service.baseUrl,
  WAYBILL_CLIENT_ID: clientId,
  WAYBILL_CLIENT_SECRET: clientSecret,
})

test('the package can be imported in the checkout after `npm ci`', () => assert.equal(isBuilt, true))

test('the programs of the README compile against the packed client', async () => {
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node']
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(
    process.execPath,
    [compiler, ...options, 'call.ts', 'stock.ts', 'money.ts', 'person.ts', 'receive.ts', 'follow.ts'],
    { cwd: folder },
  ).catch(error => error)
  assert.equal(stdout, '')
})

test('the programs of the README import a consignment, beside the data of the demo, and receive its event', async () => {
  const app = await newApp(settings)
  const port = await freePort()
  const env = { ...environmentOf(app), PORT: String(port) }

  const receiver = spawn(process.execPath, ['receive.ts'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => receiver.kill())
  let received = ''
  receiver.stdout.on('data', chunk => {
    received += chunk
  })
  const webhookUrl = `http://127.0.0.1:${port}/`
  const forged = () => fetch(webhookUrl, { method: 'POST', body: '{}' }).catch(() => undefined)
  assert.equal((await until(forged, 'The receiver is not listening.')).status, 401)
  const api = apiCaller(() => service.baseUrl, app)
  for (const { code, name } of clients)
    await api.must('POST', '/v1/partners', { code, name, relationship: 1 })
  for (const { code, name, timezoneId } of warehouses)
    await api.must('POST', '/v1/warehouses', { code, name, timezoneId })
  await api.must('POST', '/v1/webhook-subscriptions/create', { webhookUrl, eventType: 101 })

  const { stdout } = await run(process.execPath, ['call.ts'], { cwd: folder, env })
  assert.equal(stdout, 'JRN-000001-OUT for Rimu Honey\n')
  const shelves = await run(process.execPath, ['stock.ts'], { cwd: folder, env })
  assert.equal(shelves.stdout, '34 of HONEY in A-01-1\n6 of HONEY in A-02-1\n')
  const prices = await run(process.execPath, ['money.ts'], { cwd: folder, env })
  assert.equal(prices.stdout, 'JRN-000001-OUT: Picking 2.1, proved\n')
  await until(async () => received !== '', 'The receiver got nothing.')
  assert.equal(received, 'consignment.created: JRN-000001-OUT\n')

  const follower = spawn(process.execPath, ['follow.ts'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => follower.kill())
  let followed = ''
  follower.stdout.on('data', chunk => {
    followed += chunk
  })
  await until(async () => followed !== '', 'The feed returned nothing.')
  assert.match(followed, /^\d+: JRN-000001-OUT\n$/)
})

test('the program of the README ends with the reasons when its import has to wait', async () => {
  const ended = await run(process.execPath, ['wait.ts'], {
    cwd: folder,
    env: environmentOf(await newApp(settings, 'WAI')),
    timeout: 120_000,
  })
    .then(({ stdout }) => `It continued: ${stdout}`)
    .catch(({ killed, stderr }) => (killed ? 'It did not end.' : stderr))
  assert.match(ended, /The import waits: .*CLOVER/)
})
