// The image and the compose file, as far as they can be tested without Docker: the content of the image runs,
// and every setting reaches the container.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { version } from '../src/process/version.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8')
const compose = await readFile(join(root, 'deploy/compose.yaml'), 'utf8')

test('the content of the image runs ./waybill with the Node.js of the image', async () => {
  const app = await mkdtemp(join(tmpdir(), 'waybill-image-'))
  after(() => rm(app, { recursive: true }))
  const [, final = ''] = /\n(FROM [^\n]*(?!.* AS )\n(?:(?!\nFROM).)*)$/s.exec(dockerfile) ?? []
  for (const [, list = ''] of final.matchAll(/^COPY (?!--)(.+)$/gm)) {
    const [target = '', ...sources] = list.split(' ').toReversed()
    for (const source of sources) {
      const to = target.endsWith('/') ? join(app, target, basename(source)) : join(app, target)
      await cp(join(root, source), to, { recursive: true })
    }
  }
  // The image has the modules, but not the Node.js that npm installs.
  await mkdir(join(app, 'node_modules'))
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(app, 'node_modules', name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(app, 'node_modules', name))
  }
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }
  const run = (...args: string[]) => promisify(execFile)(join(app, 'waybill'), args, { cwd: app, env })
  assert.equal((await run('--version')).stdout.trim(), version)
  const { stdout } = await run('--help')
  for (const command of ['backup', 'restore', 'doctor'])
    assert.match(stdout, new RegExp(`^ +${command}\\b`, 'm'))
  assert.match(final, /^CMD \["\.\/waybill", "start"\]$/m)
  assert.match(final, /^USER node$/m)
})

test('the compose file passes every setting of .env, publishes to this machine only, and restarts services', () => {
  const service = /\n {2}waybill:\n(.*?)\nvolumes:/s.exec(compose)?.[1] ?? ''
  assert.match(service, /^ {4}env_file:\n {6}- path: \.env$/m)
  // The file is in deploy/, and the image is built from the parent folder.
  assert.match(service, /^ {4}build: \.\.$/m)
  assert.match(service, /^ {6}- "127\.0\.0\.1:\$\{PORT:-8080\}:8080"$/m)
  assert.equal(compose.match(/^ {4}restart: unless-stopped$/gm)?.length, 2)
  assert.match(service, /^ {4}stop_grace_period: 30s$/m)
  // A password that contains a / would break a connection string.
  assert.match(service, /^ {6}PGPASSWORD: \$\{POSTGRES_PASSWORD\}$/m)
  assert.doesNotMatch(compose, /postgres:\/\//)
  // These override .env, so only settings that the container requires may be here.
  const fixed = [...service.matchAll(/^ {6}([A-Z_]+): /gm)].map(([, name]) => name)
  assert.deepEqual(fixed, [
    'PGHOST',
    'PGUSER',
    'PGPASSWORD',
    'PGDATABASE',
    'ENCRYPTION_KEY',
    'BASE_URL',
    'HOST',
    'PORT',
    'DATA_DIR',
  ])
})
