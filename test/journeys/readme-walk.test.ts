// Executes the tutorials of the README on a fresh service, line by line: from an empty warehouse to goods on
// a truck, from a rate card to a proved line of a bill, and the chapter about backups.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { apiCaller, newApp, preparedDataDir, temporaryDataDir } from '../support/processes.ts'
import { json, startServiceProcess, until } from '../support/service-process.ts'

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
const [, tutorial = ''] = /\n## From an empty warehouse.*?\n(.*?)\n## /s.exec(readme) ?? []
// Further blocks, about an unknown code and a webhook, follow these three.
const [, token = '', setUp = '', goods = ''] = [...tutorial.matchAll(/```sh\n(.*?)```/gs)].map(
  ([, lines]) => lines as string,
)
const [, billing = ''] = /\n## From a rate card.*?```sh\n(.*?)```/s.exec(readme) ?? []

test('the tutorials of the README end with goods on a truck, the rest on the shelf, and a proved line of a bill', async () => {
  const settings = { DATA_DIR: await preparedDataDir() }
  const service = await startServiceProcess(settings)
  after(() => service.stop())
  const app = await newApp(settings)
  const run = async (...blocks: string[]) => {
    const script = blocks
      .join('\n')
      .replaceAll('http://localhost:8080', service.baseUrl)
      .replace('<clientId>', app.clientId)
      .replace('<clientSecret>', app.clientSecret)
    return (await promisify(execFile)('bash', ['-euc', script])).stdout
  }
  const ids = await run(token, setUp, 'echo "ids $in $out"')
  const [, arriving = '', leaving = ''] = /ids (\S+) (\S+)/.exec(ids) ?? []
  const api = apiCaller(() => service.baseUrl, app)
  const isThere = async (id: string) => (await api.call('GET', `/v1/consignments/${id}`)).status === 200
  await until(async () => (await isThere(arriving)) && isThere(leaving), 'The imports were not processed.')

  const output = await run(token, `in=${arriving} out=${leaving}`, goods)
  assert.doesNotMatch(output, /ErrorType/)
  assert.match(output.trim().split('\n').at(-1) as string, /"onHandQuantity":34\b/)
  const { status, products } = (await api.must('GET', `/v1/consignments/${leaving}`)) as {
    status: number
    products: { dispatchedQuantity: number }[]
  }
  assert.deepEqual([status, products.map(line => line.dispatchedQuantity)], [7, [6]])
  const lines = `${setUp}${goods}`.trim().split('\n')
  assert.equal(lines.length, 10, 'ten lines, one call each')

  const findClient = `client=$(api GET '/v1/partners?SearchText=KAURI' | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')`
  const billed = await run(token, findClient, `out=${leaving}`, billing)
  assert.doesNotMatch(billed, /ErrorType/)
  const proof = JSON.parse(billed.trim().split('\n').at(-1) as string)
  assert.deepEqual([proof.subject.amountExclTax, proof.derivedExclTax, proof.isVerified], [2.1, 2.1, true])
  assert.equal(billing.trim().split('\n').length, 8, 'eight lines')
})

test('the chapter about backups in the README works, line by line', async () => {
  const [, chapter = ''] = /\n## Backup\n(.*?)\n## /s.exec(readme) ?? []
  const lines = [...chapter.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block as string).join('')
  const folder = await temporaryDataDir()
  const settings = { DATA_DIR: await preparedDataDir(), DATABASE_URL: '', PGHOST: '' }
  const { clientId } = await newApp(settings)
  const script = lines
    .replaceAll('./waybill ', `${fileURLToPath(new URL('../../waybill', import.meta.url))} `)
    .replaceAll('./restored', join(folder, 'restored'))
  const shell = { cwd: folder, env: { ...process.env, ...settings } }
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], shell)
  assert.match(
    stdout,
    /^Backed up \d+ rows .*\n.*\nRestored \d+ rows .*\n0 differences\.\n\d+ charges .*\n0 differences\.\n$/,
  )
  const restored = { DATA_DIR: join(folder, 'restored') }
  const { apps } = await json<{ apps: { clientId: string }[] }>(['app', 'list'], restored)
  assert.deepEqual(
    apps.map(app => app.clientId),
    [clientId],
  )
})
