// Everything that the API can do has a screen, or a reason why it has none.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { notShown } from '../../portal/not-shown.ts'

const methods = ['get', 'post', 'put', 'delete']
const { paths }: { paths: Record<string, object> } = JSON.parse(
  readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'),
)
const operations = Object.entries(paths).flatMap(([path, item]) =>
  methods.filter(method => method in item).map(method => `${method.toUpperCase()} ${path}`),
)
const program = fileURLToPath(new URL('../support/portal-operations.ts', import.meta.url))
const { stdout } = await promisify(execFile)(process.execPath, [program], { maxBuffer: 10_000_000 })
const { used, unknown }: { used: string[]; unknown: string[] } = JSON.parse(stdout)

test('every operation of the API is used by a screen, or has a reason why not', () => {
  assert.ok(used.length > 200, `only ${used.length} operations were found in the portal`)
  assert.deepEqual(unknown, [], 'files with a request whose path is not known')
  const missing = operations.filter(one => !used.includes(one) && !(one in notShown))
  assert.deepEqual(missing, [], 'not on a screen: use it, or say in portal/not-shown.ts why not')
})

test('the list of what is not shown names only what the API has, and no screen uses', () => {
  const listed = Object.keys(notShown)
  assert.deepEqual(
    listed.filter(one => !operations.includes(one)),
    [],
    'not in the API',
  )
  assert.deepEqual(
    listed.filter(one => used.includes(one)),
    [],
    'used by a screen',
  )
})
