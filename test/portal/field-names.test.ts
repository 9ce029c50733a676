// How histories say what was changed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesInWords, lineNamesOf } from '../../portal/src/words/consignment-history.ts'
import { fieldInWords } from '../../portal/src/words/history.ts'
import { organisationHistoryWords } from '../../portal/src/words/organisation-history.ts'

test('a field is named in words, with units and abbreviations as they are written', () => {
  const named = (field: string, words: string) => assert.equal(fieldInWords(field), words)
  named('fullName', 'Full name')
  named('dotsPerMM', 'Dots per mm')
  named('emptyWeightKG', 'Empty weight kg')
  named('webhookUrl', 'Webhook URL')
  named('redirectUris', 'Redirect URIs')
  named('gs1CompanyPrefix', 'GS1 company prefix')
  named('partnerId', 'Partner id')
  named('job_prefix', 'Job prefix')
  named('address.city', 'Address city')
})

test('the history of a consignment says what was changed, without ids and whole records', () => {
  const said = (sentence: string, ...changes: { field: string; from: unknown; to: unknown }[]) =>
    assert.equal(changesInWords(changes), sentence)
  const carrierId = '0197e1c6-5a5e-7c1e-9d3a-000000000001'
  said(
    'Status: Pending to In transit; Carrier run number: NRX-1',
    { field: 'status', from: 1, to: 7 },
    { field: 'carrierRunNumber', from: null, to: 'NRX-1' },
    { field: 'carrierId', from: null, to: carrierId },
    { field: 'notes', from: null, to: { note: 'Gate 4' } },
  )
  const line = { id: carrierId, pickedQuantity: 12 }
  said('Dispatched quantity: 0 to 12', {
    field: 'products',
    from: { ...line, dispatchedQuantity: 0 },
    to: { ...line, dispatchedQuantity: 12 },
  })
  const names = lineNamesOf([
    { id: 'other', productCode: 'PEAR' },
    { id: carrierId, productCode: 'APPLE' },
  ])
  const picked = {
    field: 'products',
    from: { ...line, pickedQuantity: 0, allocatedQuantity: 12 },
    to: { ...line, pickedQuantity: 1200, allocatedQuantity: 0 },
  }
  assert.equal(
    changesInWords([picked], names),
    'Picked quantity of line 2, APPLE: 0 to 1,200; Allocated quantity of line 2, APPLE: 12 to 0',
  )
  const corrected = { id: 'gone', productCode: 'PLUM', expectedQuantity: 5 }
  const change = { field: 'products', from: corrected, to: { ...corrected, expectedQuantity: 6 } }
  assert.equal(changesInWords([change], names), 'Expected quantity of PLUM: 5 to 6', 'a line that is gone')
  said('Line added: PLUM, 5', { field: 'products', from: null, to: corrected })
  said('Line removed: PLUM, 5', { field: 'products', from: corrected, to: null })
  const many = Array.from({ length: 8 }, (_, i) => ({ field: `field${i}`, from: 0, to: i + 1 }))
  assert.match(changesInWords(many), /^Field0: 0 to 1; .*; 2 more$/)
  assert.equal(changesInWords(null), '')
})

test('the history of the organisation says names and words, not ids and numbers of enumerations', () => {
  const id = '0197e1c6-5a5e-7c1e-9d3a-0000004711ab'
  const said = (sentence: string, ...changes: { field: string; from: unknown; to: unknown }[]) =>
    assert.equal(organisationHistoryWords.changesOf(changes), sentence)
  said(
    'Format: PDF to ZPL; Resolution: 203 dpi; Prints: Labels; Status: Active to Inactive',
    { field: 'language', from: 1, to: 2 },
    { field: 'dotsPerMM', from: null, to: 8 },
    { field: 'type', from: null, to: 1 },
    { field: 'status', from: 1, to: 2 },
  )
  said('Grant: Client credentials', { field: 'grantType', from: null, to: 2 })
  said('Role: Reader to Member', { field: 'role', from: 'reader', to: 'member' })
  said('First day of the week: Monday to Sunday', { field: 'firstDayOfWeek', from: 1, to: 7 })
  const toRimu = { field: 'partnerId', from: id, to: id, toName: 'Rimu' }
  said('Works for: …4711ab to Rimu', toRimu)
  assert.equal(organisationHistoryWords.toOf(toRimu), 'Rimu')
  said(
    'Password; Full name: Lin',
    ...[
      { field: 'password', from: null, to: null },
      { field: 'redirectUris', from: null, to: [] },
      { field: 'fullName', from: null, to: 'Lin' },
    ],
  )
  const till = { field: 'previousSecretExpiresUtc', from: null, to: '2026-03-02T01:21:00+00:00' }
  assert.match(organisationHistoryWords.changesOf([till]), /^Earlier secret ends: \d+ \w+/)
})
