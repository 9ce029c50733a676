// The generated types and enumerations match the API document.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as waybill from '../src/waybill.ts'

const client = fileURLToPath(new URL('..', import.meta.url))
const { scripts } = JSON.parse(await readFile(join(client, 'package.json'), 'utf8')) as {
  scripts: { generate: string }
}
const [types = '', enumerations = ''] = scripts.generate.split(' && ')

/** Runs a generator of `npm run client` in its comparison mode. */
const check = (program: string, ...options: string[]) =>
  promisify(execFile)(process.execPath, [join(client, program), ...options, '--check'], { cwd: client })

test('client/src/generated/api.ts matches the snapshot of the API document', async () => {
  const [, ...options] = types.split(' ')
  await assert.doesNotReject(
    check('node_modules/openapi-typescript/bin/cli.js', ...options),
    'Run `npm run client` and look at what changed.',
  )
})

test('client/src/generated/enumerations.ts matches the snapshot of the API document', async () => {
  const [, script = ''] = enumerations.split(' ')
  await assert.doesNotReject(check(script), 'Run `npm run client` and look at what changed.')
})

test('every enumeration of the API document is an object and a type of the client', () => {
  const { Pending, ReadyToPick } = waybill.ConsignmentStatus
  const status: waybill.ConsignmentStatus = Pending
  const schemaStatus: waybill.Schemas['ConsignmentStatus'] = ReadyToPick
  assert.deepEqual([status, schemaStatus, waybill.EventType.ConsignmentCreated], [1, 2, 101])
})
