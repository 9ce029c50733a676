// The package as others get it: built, with its README's programs compiled and run against a real service.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { apiCaller, newApp, temporaryDataDir } from '../journeys/support.ts'
import { startServiceProcess, until } from '../service-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** Runs the compiler that the client is built with, or that of the service, on what is in a folder. */
const tsc = (of: 'client' | '.', cwd: string, args: string[]) =>
  run(process.execPath, [join(root, of, 'node_modules/typescript/bin/tsc'), ...args], { cwd })

/** A folder with the built client in its node_modules, and the programs of the README beside it. */
async function project(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-client-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const modules = join(folder, 'node_modules')
  const installed = join(modules, '@waybill/client')
  await mkdir(installed, { recursive: true })
  await cp(join(root, 'client/package.json'), join(installed, 'package.json'))
  await tsc('client', join(root, 'client'), ['-p', '.', '--outDir', join(installed, 'dist')])
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types', 'undici-types']) {
    await symlink(join(root, 'node_modules', name), join(modules, name))
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const readme = await readFile(join(root, 'client/README.md'), 'utf8')
  const [call, receive] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code as string)
  await writeFile(join(folder, 'call.ts'), call as string)
  await writeFile(join(folder, 'receive.ts'), receive as string)
  return folder
}

/** A port that nobody listens on at this moment. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

const folder = await project()

test('the programs of the README compile against the built client', async () => {
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node']
  const { stdout } = await tsc('.', folder, [...options, 'call.ts', 'receive.ts']).catch(error => error)
  assert.equal(stdout, '')
})

test('the programs of the README import a consignment and are told of it', async () => {
  const settings = { DATA_DIR: await temporaryDataDir(), WEBHOOK_ALLOW_PRIVATE: 'on' }
  const service = await startServiceProcess(settings)
  after(() => service.stop())
  const { clientId, clientSecret, ...app } = await newApp(settings)
  const port = await freePort()
  const env = {
    ...process.env,
    WAYBILL_URL: service.baseUrl,
    WAYBILL_CLIENT_ID: clientId,
    WAYBILL_CLIENT_SECRET: clientSecret,
    PORT: String(port),
  }

  const receiver = spawn(process.execPath, ['receive.ts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  after(() => receiver.kill())
  let told = ''
  receiver.stdout.on('data', chunk => {
    told += chunk
  })
  const webhookUrl = `http://127.0.0.1:${port}/`
  const forged = () => fetch(webhookUrl, { method: 'POST', body: '{}' }).catch(() => undefined)
  assert.equal((await until(forged, 'The receiver does not listen.')).status, 401)
  const api = apiCaller(() => service.baseUrl, { clientId, clientSecret, ...app })
  await api.must('POST', '/v1/webhook-subscriptions/create', { webhookUrl, eventType: 101 })

  const { stdout } = await run(process.execPath, ['call.ts'], { cwd: folder, env })
  assert.equal(stdout, 'JRN-000001-OUT for Kauri Foods\n')
  await until(async () => told !== '', 'The receiver was not told.')
  assert.equal(told, 'consignment.created: JRN-000001-OUT\n')
})
