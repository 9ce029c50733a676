// Typical mistakes of integrators and clerks, and what they are told. Each has a grade: 1 if the sentences
// say what is wrong, where, and what to do or what is allowed; 2 if they say what and where. A third is not
// allowed. `npm run goldens` writes the sentences of mistakes.txt anew; the grades must then be reviewed.

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { isUpdating } from '../support/golden.ts'
import { openWorld } from '../support/harness.ts'
import { recordsOf } from '../support/records.ts'

const world = await openWorld()
const { app, admin } = world
const file = new URL('mistakes.txt', import.meta.url)

/** Ids by the name that stands for them: `partnerId`, or `tax-rates` for `/v1/tax-rates/:id`. */
const ids = new Map(
  Object.entries(await recordsOf(world, admin)).map(([path, id]) => {
    const [collection = '', parameter = ''] = path.split('/').slice(-2)
    return [parameter === ':id' ? collection : parameter.slice(1), id] as const
  }),
)
const withIds = (text: string) =>
  text.replace(
    /<([\w-]+)>/g,
    (name: string, key: string) => ids.get(key) ?? assert.fail(`There is no ${name}.`),
  )
function withNames(text: string): string {
  for (const [name, id] of ids) text = text.replaceAll(id, `<${name}>`)
  // The prefix of consignment numbers, which differs from world to world.
  return text.replaceAll(/\bT[A-Z]{2}-(?=\d{6})/g, 'TAA-')
}

/** Makes a mistake, such as `POST /v1/partners {}`. Returns the status and the sentences of the response. */
async function make(mistake: string): Promise<string[]> {
  const [method, url, ...body] = mistake.split(' ')
  const payload = body.length === 0 ? undefined : withIds(body.join(' '))
  const response = await app.inject({
    method: method as 'GET',
    url: withIds(url as string),
    headers: {
      authorization: admin.authorization,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(payload === undefined ? {} : { payload }),
  })
  const ignored = response.headers['ignored-fields']
  const said: string[] =
    response.statusCode >= 400 ? response.json().ErrorMessages : [`Ignored-Fields: ${ignored}`]
  return said.map(sentence => `  ${response.statusCode} ${withNames(sentence)}`)
}

test('a typical mistake is told in sentences that say what is wrong and where, mostly what to do too', async () => {
  const table = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const mistakes = table.filter(line => !line.startsWith('  '))
  const now: string[] = []
  for (const line of mistakes) {
    now.push(line)
    if (line.startsWith('#')) continue
    assert.match(line, /^[12] [A-Z]+ \//, 'each mistake has the first or the second grade')
    now.push(...(await make(line.slice(2))))
  }
  if (isUpdating) return writeFile(file, `${now.join('\n')}\n`)
  assert.deepEqual(now, table)
})

test('a caller whose request is not accepted is told which scope the token needs, and which content type', async () => {
  const call = (headers: Record<string, string>, payload: string) =>
    app.inject({ method: 'POST', url: '/v1/partners', headers, payload })
  const { authorization } = admin
  const reader = world.as(admin, { scopes: ['partner.read'] })
  const responses = [
    await call({ authorization: reader.authorization, 'content-type': 'application/json' }, '{}'),
    await call({ authorization, 'content-type': 'application/x-www-form-urlencoded' }, 'name=Rimu'),
  ]
  assert.deepEqual(
    responses.map(response => [response.statusCode, ...response.json().ErrorMessages]),
    [
      [403, 'The token needs the scope partner.'],
      [415, 'The content type must be application/json.'],
    ],
  )
})
