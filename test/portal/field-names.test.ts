// How the history names the fields that were changed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldInWords } from '../../portal/src/words/history.ts'

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
