// The demo: what it loads, shows and prints.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { createWaybill, type Waybill } from '../client/src/waybill.ts'
import { PrintJobStatus } from '../src/vocabulary/paper.ts'
import { walkFirstMinute } from './support/first-minute.ts'
import { openBrowser } from './support/given-people.ts'
import { noBrowser } from './support/given-portal.ts'
import { type ApiCaller, apiCaller, preparedDataDir } from './support/processes.ts'
import { run, startServiceProcess, until } from './support/service-process.ts'

type PrintJobs = { printJobs: { status: number; isInDoubt: boolean }[] }

/** Checks that every report has rows, and that every document and label can be produced. */
async function checkPapersAndReports(api: ApiCaller, waybill: Waybill): Promise<void> {
  const { reports } = (await api.must('GET', '/v1/reports')) as { reports: { name: string }[] }
  assert.equal(reports.length, 25)
  for (const { name } of reports) {
    const rows = (await api.must('POST', `/v1/reports/${name}`, {})) as unknown as object[]
    assert.ok(rows.length > 0, `${name} has no rows`)
  }
  const faults = (await api.must('POST', '/v1/reports/pickface-exception', {})) as unknown as {
    exceptionType: number
  }[]
  assert.equal(new Set(faults.map(({ exceptionType }) => exceptionType)).size, 7)

  const idOf = async (path: string) => {
    const [records] = Object.values(await api.must('GET', path)).filter(Array.isArray) as {
      id?: string
      jobId?: string
    }[][]
    return records?.[0]?.id ?? records?.[0]?.jobId
  }
  const consignmentPath = async (query: string) =>
    `/v1/consignments/${await idOf(`/v1/consignments?${query}`)}`
  const warehouse = `/v1/warehouses/${await idOf('/v1/warehouses?SearchText=Auckland')}`
  const client = `/v1/partners/${await idOf('/v1/partners?SearchText=HARBOUR')}`
  const papers = [
    `${await consignmentPath('SearchText=PO-DUBAI')}/detail-pdf`,
    `${await consignmentPath('SearchText=PO-DUBAI')}/dg-declaration-pdf`,
    `${await consignmentPath('SearchText=PO-BANGKOK')}/picking-list-pdf`,
    `${await consignmentPath('SearchText=PO-HALF')}/receipt-confirmation-pdf`,
    `${await consignmentPath('Type=2&Status=7')}/dispatch-confirmation-pdf`,
    `/v1/jobs/${await idOf('/v1/jobs?Status=3')}/wave-pick/picking-list-pdf`,
    `/v1/schedules/${await idOf('/v1/schedules?Status=1')}/statement-pdf`,
    `/v1/schedules/${await idOf('/v1/schedules?Status=2')}/statement-pdf`,
    `${client}/products/${await idOf(`${client}/products`)}/label`,
    `/v1/logistic-units/${await idOf('/v1/logistic-units')}/label`,
    `${warehouse}/locations/${await idOf(`${warehouse}/locations`)}/label`,
  ]
  for (const path of papers) assert.equal((await waybill.fetch(path)).status, 200, path)
}

/** Checks the month of weekly bills, and that each of their lines is proved. */
async function checkBills(api: ApiCaller): Promise<void> {
  const list = async <T>(path: string, name: string) => (await api.must('GET', path))[name] as T[]
  type Bill = { id: string; amountExclTax: number; isExported: boolean }
  const drafts = await list<Bill>('/v1/schedules?Status=1', 'schedules')
  const approved = await list<Bill>('/v1/schedules?Status=2', 'schedules')
  assert.deepEqual([drafts.length, approved.length], [3, 9])
  assert.equal(approved.filter(({ isExported }) => isExported).length, 6)
  for (const { id, amountExclTax } of [...drafts, ...approved]) {
    assert.ok(amountExclTax > 0)
    const { transactions, verified, differing } = await api.must('GET', `/v1/schedules/${id}/proof`)
    assert.deepEqual([verified, differing], [transactions, []])
  }

  const [kauri] = await list<{ id: string }>('/v1/partners?SearchText=KAURI', 'partners')
  const [card] = await list<{ id: string; current: { number: number }; draftCount: number }>(
    `/v1/rate-cards?PartnerId=${kauri?.id}`,
    'rateCards',
  )
  assert.deepEqual([card?.current.number, card?.draftCount], [2, 1])
  const stored = await list<{ id: string; adjusts: string | null; amountExclTax: number }>(
    `/v1/schedule-transactions?PartnerId=${kauri?.id}&Type=2&PageSize=500`,
    'scheduleTransactions',
  )
  const late = stored.filter(({ adjusts }) => adjusts !== null)
  assert.ok(late.length > 0, 'the pallet that was scanned late')
  for (const { adjusts, amountExclTax } of late) {
    assert.ok(amountExclTax > 0)
    assert.ok(stored.some(({ id }) => id === adjusts))
  }
  const versions = new Set<number>()
  for (const { id } of stored) {
    const { rule } = await api.must('GET', `/v1/schedule-transactions/${id}/proof`)
    versions.add((rule as { version: { number: number } }).version.number)
  }
  assert.deepEqual([...versions].toSorted(), [1, 2], 'bills show the increase')
  const charged = await list<{ particulars: string | null }>(
    `/v1/schedule-transactions?PartnerId=${kauri?.id}&SearchText=Devanning`,
    'scheduleTransactions',
  )
  assert.deepEqual(
    charged.map(({ particulars }) => particulars),
    ['Devanning TCLU4455665'],
  )
  const margins = (await api.must('POST', '/v1/reports/freight-margin', {})) as unknown as {
    marginPercent: number
    isBelowThreshold: boolean
  }[]
  assert.deepEqual(
    margins
      .filter(({ isBelowThreshold }) => isBelowThreshold)
      .map(({ marginPercent }) => Math.round(marginPercent))
      .toSorted((a, b) => a - b),
    [-12, 3],
    'the two express consignments',
  )
  const unbilled = (await api.must('POST', '/v1/reports/unbilled-work', {})) as unknown as {
    kind: number
    subject: string
  }[]
  assert.ok(unbilled.some(({ kind, subject }) => kind === 3 && subject.startsWith('Stretch film')))
  assert.ok(unbilled.some(({ kind }) => kind === 8))
}

/** Checks that one can try the demo as its people, but only straight from this machine. */
async function checkPeople(baseUrl: string, link: string): Promise<void> {
  const here = openBrowser(baseUrl)
  const offered = await here.open(link)
  assert.match(offered.html, /Try the demo as/)
  const asKim = await here.submit(offered, 'sign-in', { demo: 'kim' })
  assert.match(asKim.html, /You are signed in as Kim Tran/)
  const elsewhere = openBrowser(baseUrl, { 'x-forwarded-for': '203.0.113.9' })
  const plain = await elsewhere.open(link)
  assert.doesNotMatch(plain.html, /Try the demo as/)
  assert.equal((await elsewhere.submit(plain, 'sign-in', { demo: 'ada' })).status, 403)
}

/** Checks that there is something of each kind that waits for a person, and a back-test that has finished. */
async function checkWhatWaits(api: ApiCaller): Promise<void> {
  const kinds = [
    'importsWaiting',
    'subscriptionsFailed',
    'printsInDoubt',
    'countsToApprove',
    'linesShort',
    'late',
  ]
  await until(async () => {
    const { items } = (await api.must('GET', '/v1/attention')) as { items: { key: string }[] }
    return kinds.every(kind => items.some(({ key }) => key === kind))
  }, 'Something of the demo does not wait for a person.')
  const { webhookSubscriptions } = await api.must('GET', '/v1/webhook-subscriptions')
  const [subscription] = webhookSubscriptions as { id: string; lastFailure: string }[]
  assert.match(subscription?.lastFailure ?? '', /The receiver answered 503/)
  await until(async () => {
    const { rateCardBackTests } = await api.must('GET', '/v1/rate-card-back-tests')
    return (rateCardBackTests as { differingCount: number }[]).some(
      ({ differingCount }) => differingCount > 0,
    )
  }, 'No back-test of the demo has finished.')
}

const settings = { DATA_DIR: await preparedDataDir(), LOG_LEVEL: 'info' }

test('the demo loads an organisation, imports a sample consignment, serves it, and logs nothing but that a receiver is down', async () => {
  const demo = run(['demo', '--json'], settings)
  after(() => demo.stop())
  let printed = ''
  demo.child.stdout?.on('data', bytes => (printed += bytes))
  await demo.line(/Serving until/)
  await demo.line(/^\{"baseUrl".*$/m)
  assert.match(demo.output(), /it is consignment SSL-\d{6}-OUT/)
  const written = JSON.parse(await readFile(join(settings.DATA_DIR, 'demo.json'), 'utf8'))
  assert.deepEqual(JSON.parse(printed), written, 'standard output has exactly the content of the file')
  assert.deepEqual(Object.keys(written).toSorted(), [
    'authUrl',
    'baseUrl',
    'clientId',
    'clientSecret',
    'organisationId',
    'people',
    'person',
    'printedFolder',
  ])
  const baseUrl = written.baseUrl.replace('localhost', '127.0.0.1')
  const api = apiCaller(() => baseUrl, written)
  assert.equal((await api.must('GET', '/v1/partners?Relationship=1')).total, 4)
  assert.equal((await api.must('GET', '/v1/partners?Relationship=2')).total, 4)
  // Including a return, and the consignment that was imported as a sample.
  assert.equal((await api.must('GET', '/v1/consignments')).total, 322)
  await checkBills(api)
  // The printers write files.
  await until(async () => {
    const { printers } = await api.must('GET', '/v1/printer-bridges/printer/options')
    return (printers as { status: number }[]).filter(({ status }) => status === 1).length === 3
  }, 'The printers of the demo did not appear.')
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
  assert.equal(commands.length, 7)
  // Some shells stop at a word with a ? that names no file.
  const script = ['set -e', 'curl() { echo "curl: $*"; }', ...commands].join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-O', 'failglob', '-c', script])
  assert.match(stdout, /^curl: .*\/v1\/consignments\?PageSize=3 /)

  const withoutToken = (commands[1] as string).replaceAll('localhost', '127.0.0.1')
  await assert.rejects(promisify(execFile)('bash', ['-c', withoutToken]), /returned error: 401/)

  await checkPapersAndReports(api, createWaybill({ ...written, baseUrl }))
  const folder = await mkdtemp(join(tmpdir(), 'waybill-demo-'))
  after(() => rm(folder, { recursive: true }))
  const billing = ['set -e', commands[0], commands[3]].join('\n').replaceAll('localhost', '127.0.0.1')
  const [bill, proof] = (await promisify(execFile)('bash', ['-c', billing])).stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.deepEqual(
    [proof.transactions, proof.verified, proof.differing, proof.sumExclTax],
    [bill.transactions.length, bill.transactions.length, [], bill.amountExclTax],
  )
  const printing = ['set -e', commands[0], ...commands.slice(4)]
    .join('\n')
    .replaceAll('localhost', '127.0.0.1')
  const { stdout: printOutput } = await promisify(execFile)('bash', ['-c', printing], { cwd: folder })
  assert.equal(printOutput.match(/"printJobId"/g)?.length, 2, printOutput)
  assert.ok((await readFile(join(folder, 'stock-on-hand.xlsx'))).subarray(0, 2).equals(Buffer.from('PK')))
  await until(async () => {
    const { printJobs } = (await api.must('GET', '/v1/print-jobs?PageSize=2')) as PrintJobs
    return printJobs.every(({ status }) => status === PrintJobStatus.Success)
  }, 'The commands printed nothing.')
  const { printJobs } = (await api.must('GET', '/v1/print-jobs?PageSize=500')) as PrintJobs
  for (const status of [PrintJobStatus.Success, PrintJobStatus.Failed, PrintJobStatus.Cancelled])
    assert.ok(
      printJobs.some(job => job.status === status),
      `no print job has the status ${status}`,
    )
  assert.equal(printJobs.filter(({ isInDoubt }) => isInDoubt).length, 1)

  const { person } = written as { person: Record<'email' | 'password' | 'clientId' | 'clientSecret', string> }
  const [link = ''] = /^ {2}http\S+\/connect\/authorize\?\S+$/m.exec(demo.output()) ?? []
  assert.match(demo.output(), new RegExp(`^ {2}Password +${person.password}$`, 'm'))
  const browser = openBrowser(written.baseUrl)
  const signIn = await browser.open(link.trim())
  const allowing = await browser.submit(signIn, 'sign-in', { email: person.email, password: person.password })
  assert.match((await browser.submit(allowing, 'allow')).url, /\/docs\?code=[^&]+&state=demo/)
  await checkPeople(written.baseUrl, link.trim())

  assert.ok(((await api.must('GET', '/v1/inventory')).total as number) > 300)
  assert.equal(((await api.must('GET', '/v1/inventory?HoldKind=2')).total as number) > 0, true)
  assert.equal((await api.must('GET', '/v1/inventory?HoldKind=3')).total, 1)
  const { shortages } = (await api.must('GET', '/v1/inventory/shortages?PageSize=500')) as {
    shortages: { referenceNumber: string }[]
  }
  assert.equal(shortages.length, 5)
  await checkWhatWaits(api)
  // Three buttons of the sign-in page, and what the README tells.
  if (noBrowser === false) assert.equal((await walkFirstMinute(written.baseUrl)).clicks, 11)
  const stock = await run(['check-stock'], settings).ended
  assert.deepEqual([stock.code, stock.output.trim()], [0, '0 differences.'])
  const money = await run(['check-money', '--json'], settings).ended
  assert.deepEqual([money.code, JSON.parse(money.output).differences], [0, []])

  // Every connection is in use, and has to be closed before the database stops.
  await Promise.all(Array.from({ length: 50 }, () => api.must('GET', '/v1/consignments')))
  const { code, output } = await demo.stop()
  assert.equal(code, 0)
  const warnings = output.split('\n').filter(text => /"level":[4-6]0/.test(text))
  assert.equal(warnings.length, 1, warnings.join('\n'))
  assert.match(warnings[0] ?? '', /a webhook subscription has failed/)
})

test('a demo that was killed before it had written the secrets of its bridge and its person is finished, whatever its app did meanwhile', async () => {
  const [finished, unfinished] = ['demo.json', 'demo-unfinished.json'].map(name =>
    join(settings.DATA_DIR, name),
  ) as [string, string]
  const { person: _lost, ...written } = JSON.parse(await readFile(finished, 'utf8'))
  await writeFile(unfinished, JSON.stringify(written))
  await rm(finished)
  await rm(join(settings.DATA_DIR, 'bridge.json'))
  // Takes all requests that the organisation has in a minute.
  const service = await startServiceProcess(settings)
  const form = {
    grant_type: 'client_credentials',
    client_id: written.clientId,
    client_secret: written.clientSecret,
  }
  const response = await fetch(`${service.baseUrl}/connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  let isRefused = false
  const ask = async () => {
    while (!isRefused) {
      const { status } = await fetch(`${service.baseUrl}/v1/service-types?PageSize=1`, { headers })
      isRefused ||= status === 429
    }
  }
  await Promise.all(Array.from({ length: 20 }, ask))
  assert.equal((await service.stop()).code, 0)

  const demo = run(['demo'], settings)
  after(() => demo.stop())
  await demo.line(/Serving until/)
  assert.doesNotMatch(demo.output(), /could not|Loading/)
  const { person, ...rest } = JSON.parse(await readFile(finished, 'utf8'))
  assert.equal(rest.clientId, written.clientId)
  const browser = openBrowser(rest.baseUrl)
  const [link = ''] = /^ {2}http\S+\/connect\/authorize\?\S+$/m.exec(demo.output()) ?? []
  const signIn = await browser.open(link.trim())
  const allowing = await browser.submit(signIn, 'sign-in', { email: person.email, password: person.password })
  assert.match((await browser.submit(allowing, 'allow')).url, /\/docs\?code=/)
  assert.equal((await demo.stop()).code, 0)
})

test('a step of the demo that fails is reported in one line, and the service goes on', async () => {
  await rm(join(settings.DATA_DIR, 'bridge'), { recursive: true })
  await writeFile(join(settings.DATA_DIR, 'bridge'), 'a file where the bridge has a folder')
  const demo = run(['demo'], settings)
  after(() => demo.stop())
  await demo.line(/Serving until/)
  assert.match(demo.output(), /^The demo could not start its printers: EEXIST.*$/m)
  assert.doesNotMatch(demo.output(), /\n\s+at /)
  const { baseUrl } = JSON.parse(await readFile(join(settings.DATA_DIR, 'demo.json'), 'utf8'))
  assert.equal((await fetch(`${baseUrl.replace('localhost', '127.0.0.1')}/health/ready`)).status, 200)
  assert.equal((await demo.stop()).code, 0)
})
