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
  const [stored, current] = [
    readFileSync(pagePath, 'utf8').split('\n'),
    conformancePage(document).split('\n'),
  ]
  const differing = current.filter(line => !stored.includes(line))
  assert.deepEqual(differing, [], 'Run `npm run conformance` and look at what changed.')
  assert.equal(stored.join('\n'), current.join('\n'), 'Run `npm run conformance`: a row was removed.')
})

test('every test that a row names exists, so a renamed test is not mistaken for a gap', () => {
  const titles = readTitles()
  const gaps = sections.flatMap(({ rows }) => rows.flatMap(row => gapsOf(row, document, titles)))
  assert.deepEqual(
    gaps.filter(gap => gap.startsWith('there is no test')),
    [],
  )
})

test('every endpoint that is not marked as an extension is a row of the contract', () => {
  const requirements = sections.flatMap(({ rows }) => rows.map(({ requirement }) => requirement))
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `\`${method.toUpperCase()} ${path}\``
      const isRequired = requirements.some(requirement => requirement.startsWith(name))
      assert.equal(isRequired, !operation['x-extension'], name)
    }
  }
})

test('anything missing from the document is reported as a gap', () => {
  const gaps = (row: Parameters<typeof gapsOf>[0]) => gapsOf(row, document, none)
  assert.deepEqual(gaps(endpoint('GET /v1/nothing', {})), ['there is no such endpoint'])
  assert.deepEqual(gaps(endpoint('GET /v1/identity', { query: 'SearchText', status: '200 422' })), [
    'it does not document 422',
    'the query has no SearchText of the kind text',
  ])
  assert.deepEqual(gaps(endpoint('GET /v1/partners', { page: 'clients', first: 0 })), [
    'PageIndex is not 0 by default',
    'the response has no clients',
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

test('a missing test is a gap, and so is a row without tests', () => {
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
  // A parameterised title exists only for the values that it is used with.
  for (const [file, title] of [
    ['reference-data/set-up-collections', 'the list of depots searches, filters and pages'],
    ['nothing-changed', 'every update: repeating it returns 304, changes nothing and raises no event'],
    ['nothing-changed', 'PUT /v1/depots: repeating it returns 304, changes nothing and raises no event'],
  ])
    assert.deepEqual(gaps(`${file}: ${title}`), [`there is no test "${title}"`])
  assert.deepEqual(gaps('jobs/jobs: pages are walked'), ['there is no test "pages are walked"'])
  assert.deepEqual(gaps('jobs/job: pages walk every job once'), [
    'there is no test "pages walk every job once"',
  ])
  assert.deepEqual(gaps(`${collections}: depots are searched`), ['there is no test "depots are searched"'])
  assert.deepEqual(gaps(), ['no test proves it yet'])
})
