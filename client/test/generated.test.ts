// The generated types are those of the API document.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const client = fileURLToPath(new URL('..', import.meta.url))

test('client/src/generated/api.ts is what the snapshot of the API document gives', async () => {
  const { scripts } = JSON.parse(await readFile(join(client, 'package.json'), 'utf8')) as {
    scripts: { generate: string }
  }
  const [, ...options] = scripts.generate.split(' ')
  const generator = join(client, 'node_modules/openapi-typescript/bin/cli.js')
  const checked = promisify(execFile)(process.execPath, [generator, ...options, '--check'], { cwd: client })
  await assert.doesNotReject(checked, 'Run `npm run client` and look at what changed.')
})
