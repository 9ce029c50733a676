import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { apiDocument } from '../support/api-document.ts'
import { sections } from './contract.ts'
import type { Document } from './document.ts'
import { conformancePage, gapsOf, pagePath, readTitles } from './page.ts'
import { endpoint, fields, rule, values } from './rows.ts'

const document = JSON.parse(JSON.stringify(apiDocument())) as Document
const none: ReturnType<typeof readTitles> = new Map()

test('docs/conformance.md is up to date', () => {
  const [kept, now] = [readFileSync(pagePath, 'utf8').split('\n'), conformancePage(document).split('\n')]
  const differing = now.filter(line => !kept.includes(line))
  assert.deepEqual(differing, [], 'Run `npm run conformance` and look at what changed.')
  assert.equal(kept.join('\n'), now.join('\n'), 'Run `npm run conformance`: a row is gone.')
})

test('every test that a row names is there: one that was renamed is no gap', () => {
  const titles = readTitles()
  const gaps = sections.flatMap(({ rows }) => rows.flatMap(row => gapsOf(row, document, titles)))
  assert.deepEqual(
    gaps.filter(gap => gap.startsWith('there is no test')),
    [],
  )
})

test('every endpoint that is not marked as an extension is a row of the contract', () => {
  const asked = sections.flatMap(({ rows }) => rows.map(({ asks }) => asks))
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `\`${method.toUpperCase()} ${path}\``
      const isAsked = asked.some(asks => asks.startsWith(name))
      assert.equal(isAsked, !operation['x-extension'], name)
    }
  }
})

test('what the document lacks is a gap and is named', () => {
  const gaps = (row: Parameters<typeof gapsOf>[0]) => gapsOf(row, document, none)
  assert.deepEqual(gaps(endpoint('GET /v1/nothing', {})), ['there is no such endpoint'])
  assert.deepEqual(gaps(endpoint('GET /v1/identity', { query: 'SearchText', status: '200 422' })), [
    'it does not document 422',
    'the query has no SearchText of the kind text',
  ])
  assert.deepEqual(gaps(endpoint('GET /v1/partners', { page: 'clients', first: 0 })), [
    'PageIndex is not 0 by default',
    'the answer has no clients',
  ])
  const place = 'GET /v1/identity >'
  assert.deepEqual(gaps(fields('Identity', place, 'userId:uuid userFullName:int age:int')), [
    `${place}: userFullName is not of the kind int`,
    `${place} has no age`,
  ])
  assert.deepEqual(gaps(fields('Import', 'POST /v1/consignment-imports <', 'clientCode products!:list')), [
    'POST /v1/consignment-imports <: clientCode is required',
  ])
  const status = 'GET /v1/partners > partners[].status'
  assert.deepEqual(gaps(values('Status', status, '1 Inactive, 2 Active, 3 Asleep')), [
    `${status} has no 3 Asleep`,
  ])
})

test('a proof that is not there is a gap, and so is a row without any', () => {
  const titles = readTitles()
  const gaps = (...proofs: string[]) => gapsOf(rule('Lists', ...proofs), document, titles)
  const collections = 'reference-data/set-up-collections'
  assert.deepEqual(
    gaps(
      'jobs/jobs: the pages list every job once',
      `${collections}: the list of unit types searches, filters and pages`,
    ),
    [],
  )
  // A title that is made for each of several things is there for these only.
  for (const [file, title] of [
    ['reference-data/set-up-collections', 'the list of depots searches, filters and pages'],
    ['nothing-changed', 'every update: the same again is 304, reads the same and raises no event'],
    ['nothing-changed', 'PUT /v1/depots: the same again is 304, reads the same and raises no event'],
  ])
    assert.deepEqual(gaps(`${file}: ${title}`), [`there is no test "${title}"`])
  assert.deepEqual(gaps('jobs/jobs: pages are walked'), ['there is no test "pages are walked"'])
  assert.deepEqual(gaps('jobs/job: pages walk every job once'), [
    'there is no test "pages walk every job once"',
  ])
  assert.deepEqual(gaps(`${collections}: depots are searched`), ['there is no test "depots are searched"'])
  assert.deepEqual(gaps(), ['no test proves it yet'])
})
