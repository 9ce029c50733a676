// The files for operators: checked by their own tools if these are installed, and always for names that the
// service does not have.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createMetrics } from '../src/platform/metrics.ts'
import { settingNames } from '../src/process/config.ts'
import { connectQuery } from './support/pgbouncer.ts'

const run = promisify(execFile)
const root = new URL('..', import.meta.url).pathname
const read = (path: string) => readFile(join(root, path), 'utf8')

/** Whether a program is installed; the arguments make it print its version. */
const isInstalled = (program: string, ...args: string[]): Promise<boolean> =>
  run(program, args).then(
    () => true,
    () => false,
  )

/** Lists the metrics of the service: those of every Node.js process, and those that the sources name. */
async function listMetrics(): Promise<Set<string>> {
  const { body } = await createMetrics().text()
  const names = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string))
  const naming = /metrics\s*\.(?:count|observe|gauge|gaugeBy\(\s*'[a-z]+',)\(?\s*'([a-z_]+)'/g
  for await (const file of glob('src/**/*.ts', { cwd: root }))
    for (const [, name] of (await read(file)).matchAll(naming)) names.add(`waybill_${name}`)
  return names
}

for (const file of [
  'deploy/alerts.yaml',
  'deploy/grafana-dashboard.json',
  'docs/operating.md',
  'docs/production.md',
])
  test(`${file} names no metric that the service does not have`, async () => {
    const names = await listMetrics()
    assert.ok(names.has('waybill_queue_depth') && names.has('waybill_webhook_attempts_total'))
    const named = (await read(file)).match(/\b(?:waybill|process|nodejs)_[a-z0-9_]+[a-z0-9]\b(?=[{[) >`"])/g)
    const unknown = (named ?? []).filter(
      name => !names.has(name) && !names.has(name.replace(/_(bucket|count|sum)$/, '')),
    )
    assert.ok((named ?? []).length > 0)
    assert.deepEqual(unknown, [])
  })

test('the panels of the dashboard do not overlap', async () => {
  const { panels } = JSON.parse(await read('deploy/grafana-dashboard.json'))
  type Panel = { id: number; gridPos: { x: number; y: number; w: number; h: number } }
  const cells = (panels as Panel[]).flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
  )
  assert.equal(new Set(cells).size, cells.length)
  assert.equal(new Set((panels as Panel[]).map(({ id }) => id)).size, panels.length)
})

const hasSystemd = await isInstalled('systemd-analyze', '--version')
test('systemd finds no fault in the unit', {
  skip: !hasSystemd && 'systemd is not installed',
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-unit-'))
  try {
    // It also checks that the program exists.
    const unit = (await read('deploy/waybill.service')).replaceAll('/opt/waybill', root.replace(/\/$/, ''))
    const path = join(folder, 'waybill.service')
    await writeFile(path, unit)
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', path])
    assert.deepEqual([stdout, stderr], ['', ''])
  } finally {
    await rm(folder, { recursive: true })
  }
})

const hasCaddy = await isInstalled('caddy', 'version')
test('Caddy accepts its file', { skip: !hasCaddy && 'Caddy is not installed' }, async () => {
  await run('caddy', ['validate', '--config', join(root, 'deploy/Caddyfile'), '--adapter', 'caddyfile'])
})

const hasPromtool = await isInstalled('promtool', '--version')
test('Prometheus accepts the rules', { skip: !hasPromtool && 'promtool is not installed' }, async () => {
  await run('promtool', ['check', 'rules', join(root, 'deploy/alerts.yaml')])
})

const hasCompose = await isInstalled('docker', 'compose', 'version')
test('Docker Compose accepts its file', {
  skip: !hasCompose && 'Docker Compose is not installed',
}, async () => {
  const env = { ...process.env, POSTGRES_PASSWORD: 'a', ENCRYPTION_KEY: 'b' }
  await run('docker', ['compose', '--file', join(root, 'deploy/compose.yaml'), 'config', '--quiet'], { env })
})

/** Reads the file that the production recipe shows below this path. */
async function readRecipeFile(path: string): Promise<string> {
  const [, after = ''] = (await read('docs/production.md')).split(`\`${path}\` on `)
  return /```\w*\n(.*?)```/s.exec(after)?.[1] ?? ''
}

test('the production recipe uses only settings that exist, and has PgBouncer apply those that it drops', async () => {
  const names = [...(await readRecipeFile('/etc/waybill.env')).matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  assert.ok(names.length >= 7)
  assert.deepEqual(
    names.filter(name => !(settingNames as readonly unknown[]).includes(name)),
    [],
  )
  const pgbouncer = await readRecipeFile('/etc/pgbouncer/pgbouncer.ini')
  assert.equal(/connect_query='(.*)'$/m.exec(pgbouncer)?.[1], connectQuery)
})

const hasHaproxy = await isInstalled('haproxy', '-v')
test('HAProxy accepts the file of the recipe', {
  skip: !hasHaproxy && 'HAProxy is not installed',
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-haproxy-'))
  try {
    const path = join(folder, 'haproxy.cfg')
    // The certificate of the recipe does not exist here.
    const text = (await readRecipeFile('/etc/haproxy/haproxy.cfg')).replace(/ ssl crt \S+ alpn \S+/, '')
    assert.match(text, /^ {2}bind :443$/m)
    await writeFile(path, text)
    await run('haproxy', ['-c', '-f', path])
  } finally {
    await rm(folder, { recursive: true })
  }
})
