// The demo: what it loads, shows and prints.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { openBrowser } from './support/given-people.ts'
import { apiCaller, preparedDataDir } from './support/processes.ts'
import { run, until } from './support/service-process.ts'

test('the demo loads an organisation, imports a consignment in front of the eyes, serves it, and stops without a false alarm', async () => {
  const settings = { DATA_DIR: await preparedDataDir(), LOG_LEVEL: 'info' }
  const demo = run(['demo', '--json'], settings)
  after(() => demo.stop())
  let printed = ''
  demo.child.stdout?.on('data', bytes => (printed += bytes))
  await demo.line(/Serving until/)
  await demo.line(/^\{"baseUrl".*$/m)
  assert.match(demo.output(), /it is consignment SSL-\d{6}-OUT/)
  const written = JSON.parse(await readFile(join(settings.DATA_DIR, 'demo.json'), 'utf8'))
  assert.deepEqual(JSON.parse(printed), written, 'what its file holds is all that standard output has')
  assert.deepEqual(Object.keys(written).toSorted(), [
    'authUrl',
    'baseUrl',
    'clientId',
    'clientSecret',
    'organisationId',
    'person',
    'printedFolder',
  ])
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

  const { person } = written as { person: Record<'email' | 'password' | 'clientId' | 'clientSecret', string> }
  const [link = ''] = /^ {2}http\S+\/connect\/authorize\?\S+$/m.exec(demo.output()) ?? []
  assert.match(demo.output(), new RegExp(`^ {2}Password +${person.password}$`, 'm'))
  const browser = openBrowser(written.baseUrl)
  const signIn = await browser.open(link.trim())
  const allowing = await browser.submit(signIn, 'sign-in', { email: person.email, password: person.password })
  assert.match((await browser.submit(allowing, 'allow')).url, /\/docs\?code=[^&]+&state=demo/)

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
