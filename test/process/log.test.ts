// The log: lines of JSON for programs, text for people.

import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { createLog } from '../../src/process/log.ts'

/** Logs a refused request, and returns what is written. */
function written(t: TestContext, logFormat: 'text' | 'json' | undefined, isTerminal: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-log-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'log')
  const file = openSync(path, 'w')
  const log = createLog({ logLevel: 'info', logFormat }, file, isTerminal)
  log.debug('not logged')
  log.info({ requestId: 'a1', req: { headers: { authorization: 'Bearer secret' } } }, 'request refused')
  log.error({ err: new Error('a defect') }, 'unexpected error')
  closeSync(file)
  return readFileSync(path, 'utf8')
}

test('programs read the log as lines of JSON, without secrets', t => {
  const lines = written(t, undefined, false).trimEnd().split('\n')
  const [refused, failed] = lines.map(line => JSON.parse(line))
  assert.equal(lines.length, 2)
  assert.deepEqual([refused.level, refused.msg, refused.requestId], [30, 'request refused', 'a1'])
  assert.equal(refused.req.headers.authorization, '[Redacted]')
  assert.equal(failed.err.message, 'a defect')
})

test('people read the log on a terminal as text, at once and without secrets', t => {
  const text = stripVTControlCharacters(written(t, undefined, true))
  const [refused] = text.split('\n')
  assert.match(refused as string, /^\[\d\d:\d\d:\d\d\] INFO: request refused \{"requestId":"a1",/)
  assert.match(text, /^\[\d\d:\d\d:\d\d\] ERROR: unexpected error[\s\S]+Error: a defect\n\s+at /m)
  assert.doesNotMatch(text, /secret|not logged/)
})

test('LOG_FORMAT decides whatever the output is, and text in a file has no colours', t => {
  assert.equal(JSON.parse(written(t, 'json', true).split('\n')[0] as string).requestId, 'a1')
  assert.match(written(t, 'text', false), /^\[\d\d:\d\d:\d\d\] INFO: request refused/)
})
