import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { createOrganisation } from '../../src/organisations/organisation.ts'
import { sql } from '../../src/platform/database/db.ts'
import { openWorld } from '../support/harness.ts'

const { admin, as, database } = await openWorld()

test('the settings are read and changed; 304 if nothing would change', async () => {
  assert.equal((await admin.get('/v1/organisation')).body.timezoneId, 'Pacific/Auckland')
  assert.equal(
    (
      await admin.put('/v1/organisation', {
        name: 'Southwind',
        timezoneId: 'Australia/Perth',
        consignmentPrefix: 'swl',
      })
    ).status,
    200,
  )
  assert.equal(
    (await admin.put('/v1/organisation', { name: 'Southwind', consignmentPrefix: 'SWL' })).status,
    304,
  )
  assert.deepEqual((await admin.get('/v1/organisation')).body, {
    id: admin.actor.organisationId,
    name: 'Southwind',
    timezoneId: 'Australia/Perth',
    consignmentPrefix: 'SWL',
    fullPalletAllocation: 1,
    isFullPalletFirst: true,
    countApprovalBySecondUser: false,
    rateCardApprovalBySecondUser: false,
    closingRequiresRates: false,
    locale: 'en-NZ',
    firstDayOfWeek: 1,
    invoicePrefix: 'INV-',
    nextInvoiceNumber: 1,
    paperSize: 1,
    address: null,
    dgEmergencyPhone: null,
    taxNumber: null,
    currencyCode: null,
    trackingCategory: null,
    paymentTermsDays: null,
    taxName: null,
    paymentTerms: null,
    bankDetails: null,
  })
})

test('the settings for stock and money are changed one by one', async () => {
  const settings = {
    ...{ fullPalletAllocation: 2, isFullPalletFirst: false, countApprovalBySecondUser: true },
    ...{ rateCardApprovalBySecondUser: true, closingRequiresRates: true },
  }
  for (const [setting, value] of Object.entries(settings)) {
    const change = { [setting]: value }
    assert.equal((await admin.put('/v1/organisation', change)).status, 200)
    assert.equal((await admin.put('/v1/organisation', change)).status, 304)
    assert.equal((await admin.get('/v1/organisation')).body[setting], value)
  }
})

test('every fault of a setting is reported', async () => {
  const { status, body } = await admin.put('/v1/organisation', {
    name: '',
    timezoneId: 'Mars/Base',
    consignmentPrefix: 'A1',
  })
  assert.equal(status, 400)
  assert.ok(
    body.ErrorMessages.includes('timezoneId must be an IANA time zone name, such as Pacific/Auckland.'),
  )
  assert.ok(body.ErrorMessages.includes('consignmentPrefix must be 3 to 6 letters.'))
})

test('the prefix cannot change once there is a consignment; other settings can', async () => {
  await database.atomically(tx =>
    tx.run(sql`update organisation set last_consignment_number = 1 where id = ${admin.actor.organisationId}`),
  )
  const refused = await admin.put('/v1/organisation', { consignmentPrefix: 'NEW' })
  assert.deepEqual([refused.status, refused.body.ErrorType], [400, 'Verification Failed'])
  assert.equal(
    (await admin.put('/v1/organisation', { name: 'Westwind', consignmentPrefix: 'SWL' })).status,
    200,
  )
})

test("a partner's token reaches no settings", async () => {
  const partner = as(admin, { partnerId: uuidv7() })
  assert.equal((await partner.get('/v1/organisation')).status, 403)
  assert.equal((await partner.put('/v1/organisation', { name: 'Mine' })).status, 403)
})

test('the command line reports every fault of a new organisation', async () => {
  const create = database.atomically(tx =>
    createOrganisation(tx, { name: ' ', prefix: 'TOOLONG', timezone: 'Nowhere' }),
  )
  await assert.rejects(create, {
    status: 400,
    messages: [
      'name must not be blank.',
      'prefix must be 3 to 6 letters.',
      'timezone must be an IANA time zone name, such as Pacific/Auckland.',
    ],
  })
})

test('a locale is a language tag that browsers can write dates by, and weeks begin on a day of theirs', async () => {
  const { admin } = await openWorld()
  const put = (body: object) => admin.put('/v1/organisation', body)
  assert.equal((await put({ locale: 'de-CH', firstDayOfWeek: 7 })).status, 200)
  const { locale, firstDayOfWeek } = (await admin.get('/v1/me')).body.organisation
  assert.deepEqual([locale, firstDayOfWeek], ['de-CH', 7])
  for (const wrong of ['English', 'en_NZ', 'en-AB-CD', 'x']) {
    const { status, body } = await put({ locale: wrong })
    assert.deepEqual(
      [status, body.ErrorMessages],
      [400, ['locale must be a language tag of BCP 47, such as en-NZ.']],
      wrong,
    )
  }
  assert.equal((await put({ firstDayOfWeek: 8 })).status, 400)
})
