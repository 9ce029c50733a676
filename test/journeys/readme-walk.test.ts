// Runs the commands of the README and of the pages that continue it, as they stand there and in their order, in
// one shell on a fresh service. A block marked `sh` is run; one marked `console` needs what a test lacks.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { preparedDataDir, temporaryDataDir } from '../support/processes.ts'
import { json, startServiceProcess } from '../support/service-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The pages, in the order in which the README lists them. */
const pages = ['webhooks', 'reports', 'printing', 'billing', 'signing-in', 'backup'].map(
  name => `docs/${name}.md`,
)

/** The blocks of a page that are to be run. */
async function blocksOf(page: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8')
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block as string)
}

const [install, testing, ...walk] = await blocksOf('README.md')
const blocks = [...walk, ...(await Promise.all(pages.map(blocksOf))).flat()]

test('the README installs, starts and tests with the scripts that there are', async () => {
  assert.deepEqual([install, testing], ['npm ci && npm run demo\n', 'npm ci && npm test\n'])
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  assert.ok(scripts.demo && scripts.start && scripts.test)
})

test('no other page has commands that nobody runs', async () => {
  const others = globSync(['*.md', '{bench,bridge,client,docs}/*.md'], { cwd: root }).filter(
    page => page !== 'README.md' && !pages.includes(page),
  )
  for (const page of others) assert.deepEqual(await blocksOf(page), [], page)
})

test('the README and its pages lead from an empty warehouse to a proved bill and a restored backup', async () => {
  const settings = { DATA_DIR: await preparedDataDir(), DATABASE_URL: '', PGHOST: '' }
  const service = await startServiceProcess({ ...settings, WEBHOOK_ALLOW_PRIVATE: 'on' })
  after(() => service.stop())
  const folder = join(await temporaryDataDir(), 'walk')
  await mkdir(folder)
  await symlink(join(root, 'waybill'), join(folder, 'waybill'))
  const script = blocks
    .map((block, n) => `${block}\necho "== block ${n} is done"\n`)
    .join('')
    .replaceAll(/(http:\/\/)?localhost:8080/g, service.baseUrl)
    // A relative DATA_DIR belongs to the folder of the program.
    .replaceAll('./restored', join(folder, 'restored'))
  const shell = { cwd: folder, env: { ...process.env, ...settings }, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], shell)
  const answers = stdout.split(/== block \d+ is done\n/).slice(0, -1)
  assert.equal(answers.length, blocks.length)
  assert.doesNotMatch(stdout, /ErrorType/)

  /** What the block with this command printed. */
  const answerTo = (command: string) => answers[blocks.findIndex(block => block.includes(command))]?.trim()
  assert.match(answerTo('api GET /v1/inventory') ?? '', /"onHandQuantity":34\b.*$/)
  assert.match(answerTo('/v1/webhook-subscriptions') ?? '', /"total":1\b/)
  assert.match(answerTo('/v1/events?After=0') ?? '', /"consignment\.created"/)
  assert.match(answerTo('stock-on-hand') ?? '', /"onHandQuantity":34\b/)
  const proof = JSON.parse(answerTo('/proof')?.split('\n').at(-1) as string)
  assert.deepEqual([proof.subject.amountExclTax, proof.derivedExclTax, proof.isVerified], [2.1, 2.1, true])
  assert.match(answerTo('check-money') ?? '', /^0 differences\.\n\d+ charges .*\n0 differences\.$/m)

  const files = await readdir(folder)
  assert.ok(files.some(name => name.endsWith('.xlsx')))
  assert.ok(files.some(name => name.endsWith('.pdf')))
  const { apps } = await json<{ apps: { name: string }[] }>(['app', 'list'], {
    DATA_DIR: join(folder, 'restored'),
  })
  assert.deepEqual(apps.map(({ name }) => name).toSorted(), [
    'My shop',
    'My shop for people',
    'Printer bridge Auckland office PC',
  ])
})
