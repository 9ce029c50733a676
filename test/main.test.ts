import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import type { CustomAppCredentials } from '../src/organisations/create-app.ts'
import { askToken, callApi } from './support/given-oauth.ts'
import { authorise, freeAddress, openBrowser, password, redirectUri } from './support/given-people.ts'
import { apiCaller, newApp, temporaryDataDir } from './support/processes.ts'
import { json, run, startServiceProcess, until } from './support/service-process.ts'

test('every command explains itself, takes --json, and stands in the README', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const [, ofCommands = ''] = /\n## Administer it\n(.*?)\n## /s.exec(readme) ?? []
  /** The names of the commands below one, as its help lists them. */
  const helpOf = async (args: string[]): Promise<void> => {
    const { code, output } = await run([...args, '--help']).ended
    assert.equal(code, 0)
    assert.match(output, new RegExp(`^Usage: \\./waybill ${args.join(' ')}`))
    const list = /\nCommands:\n(.*)/s.exec(output)?.[1] ?? ''
    const below = [...list.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name as string)
    for (const name of below.filter(each => each !== 'help')) await helpOf([...args, name])
    if (below.length > 0) return
    assert.match(output, /^ {2}--json /m, args.join(' '))
    assert.match(ofCommands, new RegExp(`\`${args.join(' ')}\\b`), args.join(' '))
  }
  await helpOf([])
})

test('a wrong environment stops the start with every fault listed', async () => {
  const settings = {
    PORT: 'eighty',
    RATE_LIMITS: 'maybe',
    WEBHOOK_RETRY_SECONDS: '5,30',
    DATABASE_URL: 'mysql://x',
  }
  const { code, output } = await run(['start'], settings).ended
  assert.equal(code, 1)
  for (const name of Object.keys(settings)) assert.match(output, new RegExp(`${name} must be`))
})

test('what the command line refuses is said in a sentence', async () => {
  const settings = { DATA_DIR: await temporaryDataDir() }
  const faulty = await run(
    ['organisation', 'create', '--name', 'X', '--prefix', 'x1', '--timezone', 'Mars/Base'],
    settings,
  ).ended
  assert.equal(faulty.code, 1)
  assert.match(faulty.output, /prefix/)
  assert.match(faulty.output, /time ?zone/i)
  assert.doesNotMatch(faulty.output, /\n\s+at /)
})

test('organisations and apps are made without a running service, and work once there is one', async () => {
  const settings = { DATA_DIR: await temporaryDataDir() }
  const app = await newApp(settings, 'OFF')
  const service = await startServiceProcess(settings)
  after(() => service.stop())
  const { organisationName, partnerId } = await apiCaller(() => service.baseUrl, app).must(
    'GET',
    '/v1/identity',
  )
  assert.equal(organisationName, 'Journey Ltd')
  assert.equal(partnerId, null)

  const whileRunning = await newApp(settings, 'RUN')
  const caller = apiCaller(() => service.baseUrl, whileRunning)
  assert.equal((await caller.must('GET', '/v1/identity')).organisationId, whileRunning.organisationId)

  await json(['app', 'disable', '--client-id', whileRunning.clientId], settings)
  await until(
    async () => (await caller.call('GET', '/v1/identity')).status === 401,
    'A disabled app was still let in.',
    10_000,
  )
})

test('people get passwords that nothing prints, sign in with them, and keys are rotated while the service runs', async () => {
  const authUrl = await freeAddress()
  const settings = { DATA_DIR: await temporaryDataDir(), PORT: new URL(authUrl).port, BASE_URL: authUrl }
  const service = await startServiceProcess(settings)
  after(() => service.stop())
  const place = ['--name', 'Northwind', '--prefix', 'NWL', '--timezone', 'Pacific/Auckland']
  const { organisationId } = await json<{ organisationId: string }>(
    ['organisation', 'create', ...place],
    settings,
  )
  const person = ['--organisation', organisationId, '--email', 'ada@example.com']
  const create = ['user', 'create', ...person, '--full-name', 'Ada', '--role', 'reader', '--password-stdin']
  const { userId } = await json<{ userId: string }>(create, settings, 'first long password\n')
  const weak = await run(['user', 'set-password', ...person.slice(2)], settings, 'short\n').ended
  assert.deepEqual([weak.code, weak.output], [1, 'password must have at least 12 characters.\n'])
  const set = await run(['user', 'set-password', ...person.slice(2)], settings, `${password}\n`).ended
  assert.deepEqual([set.code, set.output], [0, 'User ada@example.com has a new password.\n'])

  const grant = [
    '--name',
    'Kauri Shop',
    '--grant',
    'authorization_code',
    '--scopes',
    'consignment',
    '--redirect-uri',
    redirectUri,
  ]
  const app = await json<CustomAppCredentials>(
    ['app', 'create', '--organisation', organisationId, ...grant],
    settings,
  )
  const { code = '' } = await authorise(openBrowser(authUrl), app, 'ada@example.com', {
    scope: 'consignment',
  })
  const form = {
    grant_type: 'authorization_code',
    client_id: app.clientId,
    client_secret: app.clientSecret,
    code,
    redirect_uri: redirectUri,
  }
  const { body } = await askToken(authUrl, form)
  assert.deepEqual(
    [body.scope, (await callApi(authUrl, body.access_token)).body.userId],
    ['consignment.read', userId],
  )

  const { kid } = await json<{ kid: string }>(['keys', 'rotate'], settings)
  assert.match(kid, /^[\w-]{43}$/)
  assert.equal((await callApi(authUrl, body.access_token)).status, 200)
  assert.doesNotMatch(service.output(), /long password|horse/)
})

test('a second service on one data folder says so and stops', async () => {
  const settings = { DATA_DIR: await temporaryDataDir() }
  const service = await startServiceProcess(settings)
  after(() => service.stop())
  const second = await run(['start'], settings).ended
  assert.equal(second.code, 1)
  assert.match(second.output, /Another Waybill service is running/)
  assert.equal((await fetch(`${service.baseUrl}/health/ready`)).status, 200, 'the first one is not disturbed')
})

test('SIGTERM finishes what is under way and ends with success; a start after a kill works at once', async () => {
  const settings = { DATA_DIR: await temporaryDataDir() }
  const first = await startServiceProcess(settings)
  await first.kill()
  const second = await startServiceProcess(settings)
  const { code, signal } = await second.stop()
  assert.deepEqual([code, signal], [0, null])
})

test('one Ctrl-C that comes as two signals is a clean stop', async () => {
  const service = await startServiceProcess({ DATA_DIR: await temporaryDataDir(), LOG_LEVEL: 'info' })
  service.child.kill('SIGINT')
  await service.line(/SIGINT: finishing/)
  service.child.kill('SIGINT')
  assert.equal((await service.ended).code, 0)
})

test('a second Ctrl-C a second later ends a stop that takes long', async () => {
  const service = await startServiceProcess({ DATA_DIR: await temporaryDataDir(), LOG_LEVEL: 'info' })
  const { port } = new URL(service.baseUrl)
  const unfinished = connect(Number(port), '127.0.0.1').on('error', () => {})
  unfinished.write(
    'POST /connect/token HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n',
  )
  await once(unfinished, 'data')
  service.child.kill('SIGINT')
  await service.line(/SIGINT: finishing/)
  await new Promise(resolve => setTimeout(resolve, 1_100))
  service.child.kill('SIGINT')
  assert.equal((await service.ended).code, 1)
})

test('a service that others can reach says so, and one that they cannot does not', async () => {
  for (const [host, isSaid] of [
    ['0.0.0.0', true],
    ['127.0.0.1', false],
  ] as const) {
    const service = await startServiceProcess({ DATA_DIR: await temporaryDataDir(), HOST: host })
    const { output } = await service.stop()
    assert.equal(/It listens on every address of this machine \(HOST=0\.0\.0\.0\)/.test(output), isSaid, host)
  }
})

test('a port that is taken is named, with what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code, output } = await run(['start'], { DATA_DIR: await temporaryDataDir(), PORT: String(port) })
    .ended
  other.close()
  assert.equal(code, 1)
  assert.match(
    output,
    new RegExp(
      `^Port ${port} of 127\\.0\\.0\\.1 is in use\\. Set PORT to another one; PORT=0 takes any that is free\\.$`,
      'm',
    ),
  )
})

/**
 * Starts a command that serves, with --json and a talkative log, and returns the line on its standard output
 * once there is one.
 */
async function readyWithJson(command: string) {
  const running = run([command, '--json'], { DATA_DIR: await temporaryDataDir(), LOG_LEVEL: 'info' })
  let printed = ''
  running.child.stdout?.on('data', bytes => (printed += bytes))
  after(() => running.stop())
  await running.line(/^\{"baseUrl".*$/m)
  await running.line(/is ready at/)
  await running.stop()
  return {
    said: printed
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
    output: running.output(),
  }
}

test('start with --json says on standard output where it is, and nothing else; the log goes to standard error', async () => {
  const { said, output } = await readyWithJson('start')
  assert.equal(said.length, 1)
  assert.deepEqual(Object.keys(said[0]), ['baseUrl', 'authUrl'])
  assert.match(said[0].baseUrl, /^http:\/\/localhost:\d+$/)
  assert.match(output, /SIGTERM: finishing/)
})

test('the service says how it is: live, ready, metrics, reference', async () => {
  const service = await startServiceProcess({ DATA_DIR: await temporaryDataDir() })
  after(() => service.stop())
  for (const path of ['/health/live', '/health/ready', '/metrics', '/openapi.json', '/docs']) {
    const response = await fetch(`${service.baseUrl}${path}`)
    assert.equal(response.status, 200, path)
    // What is left unread would hold up the stop.
    await response.arrayBuffer()
  }
  for (const path of ['/health/live', '/health/ready']) {
    const response = await fetch(`${service.baseUrl}${path}`, { method: 'HEAD' })
    assert.deepEqual([response.status, await response.text()], [200, ''], path)
  }
  const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text()
  for (const name of [
    'waybill_http_request_duration_seconds',
    'waybill_database_connections',
    'waybill_queue_depth',
    'waybill_queue_age_seconds',
  ]) {
    assert.match(metrics, new RegExp(`^${name}`, 'm'))
  }
})

test('demo with --json says on standard output what its file holds', async () => {
  const { said } = await readyWithJson('demo')
  assert.deepEqual(
    said.map(line => Object.keys(line).toSorted()),
    [['authUrl', 'baseUrl', 'clientId', 'clientSecret', 'organisationId', 'printedFolder']],
  )
})

test('the demo loads an organisation, imports a consignment in front of the eyes, serves it, and stops without a false alarm', async () => {
  const settings = { DATA_DIR: await temporaryDataDir() }
  const demo = run(['demo'], settings)
  after(() => demo.stop())
  await demo.line(/Serving until/)
  assert.match(demo.output(), /it is consignment SSL-\d{6}-OUT/)
  const written = JSON.parse(await readFile(join(settings.DATA_DIR, 'demo.json'), 'utf8'))
  const baseUrl = written.baseUrl.replace('localhost', '127.0.0.1')
  const api = apiCaller(() => baseUrl, written)
  assert.equal((await api.must('GET', '/v1/partners?Relationship=1')).total, 3)
  assert.equal((await api.must('GET', '/v1/partners?Relationship=2')).total, 4)
  // With the return that goods came back by, and the one imported before the eyes.
  assert.equal((await api.must('GET', '/v1/consignments')).total, 322)
  for (const status of [1, 2]) {
    const { total, schedules } = await api.must('GET', `/v1/schedules?Status=${status}`)
    assert.equal(total, 3)
    for (const { amountExclTax } of schedules as { amountExclTax: number }[]) assert.ok(amountExclTax > 0)
  }
  // What is printed comes out as files.
  await until(async () => {
    const { printers } = await api.must('GET', '/v1/printer-bridges/printer/options')
    return (printers as { status: number }[]).filter(({ status }) => status === 1).length === 3
  }, 'The printers of the demo did not come.')
  const { printers } = (await api.must('GET', '/v1/printer-bridges/printer/options')) as {
    printers: { id: string; name: string }[]
  }
  for (const { id, name } of printers) {
    await api.must('POST', `/v1/printers/${id}/test-page/print`, {})
    const folder = join(written.printedFolder, name)
    await until(
      async () => (await readdir(folder).catch(() => [])).some(file => /\.(pdf|zpl)$/.test(file)),
      `${name} printed nothing.`,
    )
  }
  const { jobs } = (await api.must('GET', '/v1/jobs?Status=3')) as { jobs: { consignmentCount: number }[] }
  assert.ok((jobs[0]?.consignmentCount ?? 0) > 1)
  const { fafProfiles } = (await api.must('GET', '/v1/faf-profiles')) as { fafProfiles: { id: string }[] }
  assert.equal((await api.must('GET', `/v1/faf-profiles/${fafProfiles[0]?.id}/rates`)).total, 6)
  const { consignments } = (await api.must('GET', '/v1/consignments?Status=6&Type=2&PageSize=50')) as {
    consignments: { id: string }[]
  }
  const details = await Promise.all(consignments.map(({ id }) => api.must('GET', `/v1/consignments/${id}`)))
  for (const collection of ['tasks', 'consumables', 'pods']) {
    assert.ok(
      details.some(detail => (detail[collection] as object[]).length > 0),
      collection,
    )
  }
  const commands = demo.output().match(/^ {2}(TOKEN=|curl ).*$/gm) ?? []
  assert.equal(commands.length, 3)
  // Some shells stop at a word with a ? that names no file.
  const script = ['set -e', 'curl() { echo "curl: $*"; }', ...commands].join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-O', 'failglob', '-c', script])
  assert.match(stdout, /^curl: .*\/v1\/consignments\?PageSize=3 /)

  assert.ok(((await api.must('GET', '/v1/inventory')).total as number) > 300)
  assert.equal(((await api.must('GET', '/v1/inventory?HoldKind=2')).total as number) > 0, true)
  assert.equal((await api.must('GET', '/v1/inventory?HoldKind=3')).total, 1)
  const { shortages } = (await api.must('GET', '/v1/inventory/shortages?PageSize=500')) as {
    shortages: { referenceNumber: string }[]
  }
  assert.equal(shortages.length, 5)
  const proof = await run(['check-stock'], settings).ended
  assert.deepEqual([proof.code, proof.output.trim()], [0, '0 differences.'])

  // Every connection is in use, and has to be gone before the database is.
  await Promise.all(Array.from({ length: 50 }, () => api.must('GET', '/v1/consignments')))
  const { code, output } = await demo.stop()
  assert.equal(code, 0)
  assert.doesNotMatch(output, /"level":[4-6]0/)
})
