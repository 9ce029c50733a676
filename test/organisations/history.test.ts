import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disableCustomApp } from '../../src/custom-apps/create-app.ts'
import { addSigningKey } from '../../src/oauth/signing-keys.ts'
import { sql } from '../../src/platform/database/db.ts'
import { createUser } from '../../src/users/create-user.ts'
import { setPassword } from '../../src/users/set-password.ts'
import { dock, givenBridge } from '../support/given-printers.ts'
import { openWorld } from '../support/harness.ts'

const world = await openWorld()
const { admin, stranger, as, database, secretBox } = world
const { organisationId, userId } = admin.actor
await database.atomically(tx =>
  tx.run(sql`update app_user set full_name = 'Ada' where organisation_id = ${organisationId}
    and id = ${userId}`),
)
const { appName } = await database.db.row<{ appName: string }>(
  sql`select name as app_name from custom_app where organisation_id = ${organisationId}`,
)

const latest = async (query = '', by = admin) =>
  (await by.get(`/v1/organisation/history${query}`)).body.organisationHistory
/** The latest entry without the fields that every entry has. */
async function last(query = '') {
  const [{ id, atUtc, requestId, ...entry }] = await latest(query)
  assert.ok(id && atUtc)
  return entry
}
const byAda = { userFullName: 'Ada', appName, address: '127.0.0.1' }
const byCommand = { userFullName: null, appName: null, address: null }

test('creating, changing and disabling a user is listed with the user, app and address of the request', async () => {
  const user = { email: 'grace@example.com', fullName: 'Grace', role: 'reader' }
  const { userId } = (await admin.post('/v1/users', user)).body
  const subject = { subject: 'user', subjectId: userId, subjectName: 'Grace' }
  assert.deepEqual(await last(), {
    ...subject,
    ...byAda,
    changes: [
      { field: 'email', from: null, to: 'grace@example.com' },
      { field: 'fullName', from: null, to: 'Grace' },
      { field: 'role', from: null, to: 'reader' },
    ],
  })
  const asked = admin.with({ 'x-request-id': 'trace-me' })
  await asked.put(`/v1/users/${userId}`, { role: 'member', isDisabled: true })
  const entries = (await latest(`?SubjectId=${userId}`)).slice(0, 2)
  assert.deepEqual(
    entries.map(({ requestId, changes }: Record<string, unknown>) => ({ requestId, changes })),
    [
      { requestId: 'trace-me', changes: [{ field: 'isDisabled', from: false, to: true }] },
      { requestId: 'trace-me', changes: [{ field: 'role', from: 'reader', to: 'member' }] },
    ],
  )
})

test('changes of passwords and secrets are listed without their values', async () => {
  const grace = { email: 'hopper@example.com', fullName: 'Hopper' }
  const { userId } = (await admin.post('/v1/users', grace)).body
  await admin.put(`/v1/users/${userId}/password`, { password: 'correct horse battery' })
  const { changes, ...rest } = await last()
  assert.deepEqual(rest, { subject: 'user', subjectId: userId, subjectName: 'Hopper', ...byAda })
  assert.deepEqual(changes, [{ field: 'password', from: null, to: null }])

  const app = (await admin.post('/v1/custom-apps', { name: 'ERP', grantType: 2, scopes: ['print'] })).body
  assert.equal((await admin.post(`/v1/custom-apps/${app.customAppId}/rotate-secret`, {})).status, 200)
  const [rotated, made] = await latest(`?SubjectId=${app.customAppId}`)
  const fields = ({ changes }: { changes: { field: string }[] }) => changes.map(({ field }) => field)
  assert.deepEqual(fields(rotated), ['previousSecretExpiresUtc', 'clientSecret'])
  assert.deepEqual(fields(made).includes('clientSecret'), true)
  const { text } = await database.db.row<{ text: string }>(
    sql`select string_agg(changes::text, '') as text from administration_entry`,
  )
  assert.doesNotMatch(text, /\\\\x|scrypt|argon/)
})

test('changes of the settings of the organisation are listed, and those of its counters are not', async () => {
  const { name } = (await admin.get('/v1/organisation')).body
  await admin.put('/v1/organisation', { name: 'Northwind' })
  assert.deepEqual(await last('?Subject=organisation'), {
    subject: 'organisation',
    subjectId: organisationId,
    subjectName: 'Northwind',
    ...byAda,
    changes: [{ field: 'name', from: name, to: 'Northwind' }],
  })
  const count = (await latest()).length
  await database.atomically(tx =>
    tx.run(sql`update organisation set last_consignment_number = last_consignment_number + 1`),
  )
  assert.equal((await admin.put('/v1/organisation', { name: 'Northwind' })).status, 304)
  assert.equal((await latest()).length, count)
})

test('an invoice takes the next number, which is no change of the settings; setting another one is', async () => {
  const partner = { name: 'Kauri', code: 'KAURI', relationship: 1 }
  const { partnerId } = (await admin.post('/v1/partners', partner)).body
  const { taxRateId } = (await admin.post('/v1/tax-rates', { name: 'GST', percent: 15 })).body
  await admin.put('/v1/organisation', { nextInvoiceNumber: 40 })
  const before = await latest()
  const set = { field: 'nextInvoiceNumber', from: 1, to: 40 }
  assert.deepEqual(before[0].changes, [{ ...set, field: 'firstInvoiceNumber' }, set])
  const charge = { partnerId, taxRateId, date: '2026-01-31', chargeApplication: 2, chargeRateExclTax: 10 }
  await admin.post('/v1/schedule-transactions', charge)
  const schedule = { partnerId, date: '2026-01-31' }
  const { partnerScheduleId } = (await admin.post('/v1/schedules', schedule)).body
  const { status } = await admin.put(`/v1/schedules/${partnerScheduleId}/status`, { status: 2 })
  assert.equal(status, 200)
  assert.equal((await admin.get('/v1/organisation')).body.nextInvoiceNumber, 41)
  assert.deepEqual(await latest(), before)
})

test('no setting of the organisation is left out', async () => {
  const untold = await database.db.rows<{ column: string }>(sql`
    select a.attname as column from pg_attribute a
    where a.attrelid = 'organisation'::regclass and a.attnum > 0 and not a.attisdropped
      and not exists (select from pg_trigger t where t.tgrelid = a.attrelid
        and t.tgname = 'record_administration' and a.attnum = any (t.tgattr))`)
  assert.deepEqual(
    untold.map(({ column }) => column),
    ['last_consignment_number', 'last_logistic_unit_number', 'last_job_number', 'last_stock_count_number'],
  )
  await admin.put('/v1/organisation', { rateCardApprovalBySecondUser: true })
  const { changes } = await last('?Subject=organisation')
  assert.deepEqual(changes, [{ field: 'rateCardApprovalBySecondUser', from: false, to: true }])
})

test('changes of printers and bridges are listed, and the regular reports of a bridge are not', async () => {
  const place = { name: 'Auckland', code: 'AKL', timezoneId: 'Pacific/Auckland' }
  const { warehouseId } = (await admin.post('/v1/warehouses', place)).body
  const bridge = await givenBridge(world, warehouseId, [dock])
  const subject = { subject: 'printer-bridge', subjectId: bridge.printerBridgeId, subjectName: 'Site PC' }
  const [made] = await latest('?Subject=printer-bridge')
  assert.deepEqual([made.subjectName, made.userFullName], ['Site PC', 'Ada'])

  const [printer] = await latest('?Subject=printer')
  assert.deepEqual([printer.subjectName, printer.address], ['Dock labels', '127.0.0.1'])
  const count = (await latest()).length
  await bridge.claim()
  await bridge.claim([{ name: dock.name, isReachable: false, reason: 'out of paper' }])
  assert.equal((await latest()).length, count)

  await admin.put(`/v1/printers/${printer.subjectId}`, { keepMinutes: 5 })
  assert.deepEqual(await last('?Subject=printer'), {
    ...{ subject: 'printer', subjectId: printer.subjectId, subjectName: 'Dock labels', ...byAda },
    changes: [{ field: 'keepMinutes', from: 60, to: 5 }],
  })
  await admin.put(bridge.path, { status: 2 })
  assert.deepEqual(await last('?Subject=printer-bridge'), {
    ...{ ...subject, ...byAda },
    changes: [{ field: 'status', from: 1, to: 2 }],
  })
})

test('the records that a change leads to are named: the partner of a person and the warehouse of a printer', async () => {
  const partner = { name: 'Rimu', code: 'RIMU', relationship: 1 }
  const { partnerId } = (await admin.post('/v1/partners', partner)).body
  const user = { email: 'lin@example.com', fullName: 'Lin', partnerId }
  assert.equal((await admin.post('/v1/users', user)).status, 201)
  const named = async (field: string, query = '') =>
    (await last(query)).changes.find((change: { field: string }) => change.field === field)
  const toRimu = { field: 'partnerId', from: null, to: partnerId, toName: 'Rimu' }
  assert.deepEqual(await named('partnerId'), toRimu)
  const place = { name: 'Timaru', code: 'TIU', timezoneId: 'Pacific/Auckland' }
  const { warehouseId } = (await admin.post('/v1/warehouses', place)).body
  await givenBridge(world, warehouseId, [dock], 'Timaru PC')
  const toTimaru = { field: 'warehouseId', from: null, to: warehouseId, toName: 'Timaru' }
  assert.deepEqual(await named('warehouseId', '?Subject=printer-bridge'), toTimaru)
})

test('whatever is renamed keeps its former name in what was told of it', async () => {
  const client = { name: 'Totara', code: 'TOTARA', relationship: 1 }
  const { partnerId } = (await admin.post('/v1/partners', client)).body
  const place = { name: 'Gisborne', code: 'GIS', timezoneId: 'Pacific/Auckland' }
  const { warehouseId } = (await admin.post('/v1/warehouses', place)).body
  const lou = { email: 'lou@example.com', fullName: 'Lou', partnerId }
  const { userId: louId } = (await admin.post('/v1/users', lou)).body
  const bridge = await givenBridge(world, warehouseId, [dock], 'Gisborne PC')
  const [{ subjectId: printerId }] = await latest('?Subject=printer')
  const app = { name: 'Gate', grantType: 2, scopes: ['print'] }
  const { customAppId } = (await admin.post('/v1/custom-apps', app)).body
  await admin.put('/v1/organisation', { consignmentPrefix: 'GIS' })
  const told = () => latest('?PageSize=500')
  const before = (await told()).toReversed()

  for (const [path, renamed] of [
    [`/v1/partners/${partnerId}`, { name: 'Matai' }],
    [`/v1/warehouses/${warehouseId}`, { name: 'Tauranga' }],
    [`/v1/users/${louId}`, { fullName: 'Louise' }],
    [bridge.path, { name: 'Tauranga PC' }],
    [`/v1/printers/${printerId}`, { name: 'Gate labels' }],
    [`/v1/custom-apps/${customAppId}`, { name: 'Door' }],
    ['/v1/organisation', { name: 'Southwind' }],
  ] as const)
    assert.equal((await admin.put(path, renamed)).status, 200, path)

  const after = (await told()).toReversed()
  assert.deepEqual(after.slice(0, before.length), before)
  const names = after.slice(before.length).map(({ subjectName }: { subjectName: string }) => subjectName)
  assert.deepEqual(
    names,
    ['Louise', 'Tauranga PC', 'Gate labels', 'Door', 'Southwind'],
    'and has the next one',
  )
  await admin.put(`/v1/users/${louId}`, { partnerId: null })
  const [{ changes }] = await latest()
  assert.deepEqual(changes, [{ field: 'partnerId', from: partnerId, fromName: 'Matai', to: null }])
})

test('a bridge that takes a printer over by its name is told in the history of the printer', async () => {
  const place = { name: 'Nelson', code: 'NSN', timezoneId: 'Pacific/Auckland' }
  const { warehouseId } = (await admin.post('/v1/warehouses', place)).body
  const first = await givenBridge(world, warehouseId, [dock], 'First PC')
  await first.claim()
  const second = await givenBridge(world, warehouseId, [dock], 'Second PC')
  const { changes, subjectName } = await last('?Subject=printer')
  assert.equal(subjectName, 'Dock labels')
  assert.deepEqual(changes, [
    {
      ...{ field: 'printerBridgeId', from: first.printerBridgeId, fromName: 'First PC' },
      ...{ to: second.printerBridgeId, toName: 'Second PC' },
    },
  ])
  assert.equal((await second.caller.put(`${second.path}/printers`, { printers: [] })).status, 200)
  const left = (await last('?Subject=printer')).changes
  assert.deepEqual(left, [
    { field: 'printerBridgeId', from: second.printerBridgeId, fromName: 'Second PC', to: null },
    { field: 'status', from: 1, to: 2 },
  ])
})

test('commands are listed without a person, and a signing key in every organisation', async () => {
  const app = (await admin.post('/v1/custom-apps', { name: 'Scanner', grantType: 2, scopes: ['print'] })).body
  await database.atomically(tx => disableCustomApp(tx, app.clientId))
  const subject = { subject: 'custom-app', subjectId: app.customAppId, subjectName: 'Scanner' }
  const changes = [{ field: 'isDisabled', from: false, to: true }]
  assert.deepEqual(await last(), { ...subject, ...byCommand, changes })

  await database.atomically(tx => addSigningKey(tx, secretBox))
  const key = { subject: 'signing-key', subjectId: null, subjectName: null, ...byCommand, changes: [] }
  assert.deepEqual(await last(), key)
  const other = await stranger()
  assert.deepEqual(
    await latest('?Subject=signing-key', other),
    [],
    'no key was added since the organisation was created',
  )
  await database.atomically(tx => addSigningKey(tx, secretBox))
  assert.equal((await latest('?Subject=signing-key', other)).length, 1)
})

test('the author of changes is that of one transaction only', async () => {
  await admin.put('/v1/organisation', { name: 'Southwind' })
  const id = await database.atomically(tx =>
    createUser(tx, { organisationId, email: 'cli@example.com', fullName: 'Cli' }),
  )
  await setPassword(database, { organisationId, userId: id }, 'correct horse battery')
  for (const { userFullName } of (await latest(`?SubjectId=${id}`)) as { userFullName: string | null }[])
    assert.equal(userFullName, null)
})

test('people of another organisation, of a partner or without the scope cannot read the history', async () => {
  const other = await stranger()
  const ids = (await latest('', other)).map(({ subjectId }: { subjectId: string }) => subjectId)
  assert.ok(!ids.includes(organisationId))
  assert.equal((await as(admin, { scopes: ['consignment'] }).get('/v1/organisation/history')).status, 403)
  assert.equal(
    (await as(admin, { scopes: ['organisation.read'] }).get('/v1/organisation/history')).status,
    200,
  )
})

test('a person who is renamed keeps the name of then, also in the entry of that change', async () => {
  const { userId } = admin.actor
  const change = (fullName: string) => admin.put(`/v1/users/${userId}`, { fullName })
  assert.equal((await change('Augusta')).status, 200)
  assert.equal((await change('Ada')).status, 200)
  const names = (await latest(`?SubjectId=${userId}`)).map(
    ({ userFullName }: { userFullName: string }) => userFullName,
  )
  assert.deepEqual(names.slice(0, 2), ['Augusta', 'Ada'])
})
