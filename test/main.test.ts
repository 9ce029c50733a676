// The command line: its help, what it refuses, and what it creates with and without a running service.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import type { Command } from 'commander'
import { createProgram } from '../src/commands/program.ts'
import type { CustomAppCredentials } from '../src/custom-apps/create-app.ts'
import { askToken, callApi } from './support/given-oauth.ts'
import { authorise, freeAddress, openBrowser, password, redirectUri } from './support/given-people.ts'
import { type App, allScopes, apiCaller, preparedDataDir, temporaryDataDir } from './support/processes.ts'
import { json, run, startServiceProcess, until } from './support/service-process.ts'

test('every command has a help text, takes --json, and is in docs/operating.md', async () => {
  const readme = await readFile(new URL('../docs/operating.md', import.meta.url), 'utf8')
  const [, chapter = ''] = /\n## Administer it\n(.*?)\n## /s.exec(readme) ?? []
  const helps = new Map<string, string>()
  const examine = (command: Command, name: string): void => {
    const help = command.helpInformation()
    helps.set(name, help)
    assert.ok(help.startsWith(`Usage: ./waybill ${name}`), name)
    assert.notEqual(command.description(), '', name)
    for (const subcommand of command.commands) examine(subcommand, `${name} ${subcommand.name()}`.trim())
    if (command.commands.length > 0) return
    assert.match(help, /^ {2}--json /m, name)
    const required = command.options.filter(({ mandatory }) => mandatory)
    assert.equal(help.match(/\(required\)/g)?.length ?? 0, required.length, name)
    assert.match(chapter, new RegExp(`\`${name}\\b`), name)
  }
  examine(createProgram(), '')
  for (const name of ['', 'app create']) {
    const { code, output } = await run([...name.split(' ').filter(Boolean), '--help']).ended
    assert.deepEqual([code, output], [0, helps.get(name)])
  }
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

test('refusals of the command line are sentences', async () => {
  const settings = { DATA_DIR: await preparedDataDir() }
  const faulty = await run(
    ['organisation', 'create', '--name', 'X', '--prefix', 'x1', '--timezone', 'Mars/Base'],
    settings,
  ).ended
  assert.equal(faulty.code, 1)
  assert.match(faulty.output, /prefix/)
  assert.match(faulty.output, /time ?zone/i)
  assert.doesNotMatch(faulty.output, /\n\s+at /)
  for (const [args, message] of [
    [['check-stock', '--organisation', 'mine'], /'--organisation <id>' .* It must be a uuid\./],
    [['check-money', '--from', '2026-02-31'], /'--from <date>' .* It must be a date such as 2026-/],
    [['app', 'create', '--name', 'Shop'], /required option '--organisation <id>' not specified/],
  ] as const) {
    const { code, output } = await run([...args], { DATA_DIR: '/sys/none' }).ended
    assert.equal(code, 1)
    assert.match(output, message)
  }
})

/** Creates an organisation and an app with commands. */
async function createWithCommands(settings: Record<string, string>, prefix: string): Promise<App> {
  const options = ['--name', 'Journey Ltd', '--prefix', prefix, '--timezone', 'Pacific/Auckland']
  const { organisationId } = await json<{ organisationId: string }>(
    ['organisation', 'create', ...options],
    settings,
  )
  const app = ['--organisation', organisationId, '--name', 'Shop', '--scopes', allScopes]
  return { organisationId, ...(await json<Omit<App, 'organisationId'>>(['app', 'create', ...app], settings)) }
}

test('organisations and apps can be created without a running service, and work once one is running', async () => {
  const settings = { DATA_DIR: await temporaryDataDir() }
  const app = await createWithCommands(settings, 'OFF')
  const service = await startServiceProcess(settings)
  after(() => service.stop())
  const { organisationName, partnerId } = await apiCaller(() => service.baseUrl, app).must(
    'GET',
    '/v1/identity',
  )
  assert.equal(organisationName, 'Journey Ltd')
  assert.equal(partnerId, null)

  const whileRunning = await createWithCommands(settings, 'RUN')
  const caller = apiCaller(() => service.baseUrl, whileRunning)
  assert.equal((await caller.must('GET', '/v1/identity')).organisationId, whileRunning.organisationId)

  await json(['app', 'disable', '--client-id', whileRunning.clientId], settings)
  await until(
    async () => (await caller.call('GET', '/v1/identity')).status === 401,
    'A disabled app was still accepted.',
    10_000,
  )
})

test('users get passwords that are never printed and sign in with them, and keys are rotated while the service runs', async () => {
  const authUrl = await freeAddress()
  const settings = { DATA_DIR: await preparedDataDir(), PORT: new URL(authUrl).port, BASE_URL: authUrl }
  const service = await startServiceProcess(settings)
  after(() => service.stop())
  const options = ['--name', 'Northwind', '--prefix', 'NWL', '--timezone', 'Pacific/Auckland']
  const { organisationId } = await json<{ organisationId: string }>(
    ['organisation', 'create', ...options],
    settings,
  )
  const person = ['--organisation', organisationId, '--email', 'ada@example.com']
  const create = ['user', 'create', ...person, '--full-name', 'Ada', '--role', 'reader', '--password-stdin']
  const { userId } = await json<{ userId: string }>(create, settings, 'first long password\n')
  const later = ['--organisation', organisationId, '--email', 'bob@example.com', '--full-name', 'Bob']
  assert.match(
    (await run(['user', 'create', ...later], settings).ended).output,
    /^User bob@example\.com has the id \S+\.\n.* cannot sign in yet: .* user set-password --email bob@example\.com\.\n$/,
  )
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
