// Printers and their bridges: announcements, which printers are online, and which ones may be used.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { findPrinter } from '../../../../src/paper/print-jobs/submit.ts'
import { sql } from '../../../../src/platform/database/db.ts'
import { Refusal } from '../../../../src/platform/http/refusal.ts'
import { dock, givenBridge, office, openPrinters } from '../../../support/given-printers.ts'

const { world, admin, database, clientId, carrierId, warehouseId, bridge, ids } = await openPrinters()

const announce = (printers: object[], by = bridge) => by.caller.put(`${by.path}/printers`, { printers })
const read = async (id: string) => (await admin.get(`/v1/printers/${id}`)).body
const options = async (query = '') =>
  (await admin.get(`/v1/printer-bridges/printer/options${query}`)).body.printers
const both = [office, dock].map(({ name }) => ({ name, isReachable: true }))

/** The refusal of findPrinter for a caller as one line of text, or 'none'. */
async function refusal(printerId: string, type: 1 | 2, by = admin): Promise<string> {
  try {
    await findPrinter(database.db, by.actor, { printerId }, type)
    return 'none'
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    return `${error.status} ${error.type}: ${error.faults.map(({ message }) => message).join(' ')}`
  }
}

test('the options are the active printers by name, online or not', async () => {
  assert.deepEqual(await options(), [
    { id: ids.dock, name: 'Dock labels', type: 1, status: 1, warehouseId },
    { id: ids.office, name: 'Office A4', type: 2, status: 1, warehouseId },
  ])
  assert.deepEqual((await options('?SearchText=office')).length, 1)
  assert.deepEqual((await options('?PrintType=1'))[0].id, ids.dock)
  assert.deepEqual(await options(`?WarehouseId=${uuidv7()}`), [])
  const reader = world.as(admin, { scopes: ['warehouse.read'] })
  assert.equal((await reader.get('/v1/printer-bridges/printer/options')).status, 200)
})

test('a printer is offline with a reason while its bridge cannot reach it', async () => {
  await bridge.claim([{ name: 'OFFICE a4', isReachable: false, reason: 'out of paper' }])
  assert.equal((await options('?PrintType=2'))[0].status, 2)
  const { availability, reason } = await read(ids.office)
  assert.deepEqual([availability, reason], [2, 'out of paper'])
  assert.equal(
    await refusal(ids.office, 2),
    '400 Verification Failed: printOption.printerId names the printer Office A4, which is offline: out of ' +
      'paper.',
  )
  await bridge.claim(both)
  assert.equal(await refusal(ids.office, 2), 'none')
})

test('printers are offline a minute after the last claim of their bridge', async () => {
  const setLastSeen = (interval: string) =>
    database.inOneStatement(tx =>
      tx.run(sql`update printer_bridge set last_seen_utc = now() - ${interval}::interval`),
    )
  await setLastSeen('55 seconds')
  assert.equal((await read(ids.office)).availability, 1)
  await setLastSeen('61 seconds')
  const { availability, reason } = await read(ids.office)
  assert.equal(availability, 2)
  assert.match(reason, /^its printer bridge Site PC has not been heard of since [-\d]+ [:\d]+ UTC$/)
  assert.equal((await admin.get(bridge.path)).body.isOnline, false)
  await bridge.claim(both)
  assert.equal((await admin.get(bridge.path)).body.isOnline, true)
})

test('a printer that is unknown, inactive or of another type is refused with the reason', async () => {
  const stranger = await world.stranger()
  const unknown = '400 Verification Failed: printOption.printerId does not refer to a printer.'
  assert.equal(await refusal(uuidv7(), 2), unknown)
  assert.equal(await refusal(ids.office, 2, stranger), unknown)
  assert.equal(
    await refusal(ids.office, 1),
    '400 Verification Failed: printOption.printerId names the printer Office A4, which prints documents, ' +
      'not labels.',
  )
  assert.equal((await admin.put(`/v1/printers/${ids.office}`, { status: 2 })).status, 200)
  assert.equal(
    await refusal(ids.office, 2),
    '400 Verification Failed: printOption.printerId names the printer Office A4, which is inactive.',
  )
  assert.equal((await options()).length, 1)
  assert.equal((await admin.put(`/v1/printers/${ids.office}`, { status: 1 })).status, 200)
})

test('the app of a bridge cannot print, so its credentials open no documents', async () => {
  assert.equal(
    await refusal(ids.office, 2, bridge.caller),
    '403 Forbidden: The app of a printer bridge cannot print.',
  )
})

test('a printer created by a user is offline until a bridge announces its name and takes it over', async () => {
  const { status, body } = await admin.post('/v1/printers', {
    name: 'Gate',
    type: 2,
    warehouseId,
    keepMinutes: 5,
  })
  assert.equal(status, 201)
  const before = await read(body.printerId)
  assert.deepEqual(
    [before.availability, before.reason, before.language, before.printerBridgeId],
    [2, 'no printer bridge announces it', 1, null],
  )
  const gate = { name: 'GATE', type: 1, language: 2, dotsPerMM: 12, media: ['a', 'b'] }
  assert.equal((await announce([office, dock, gate])).status, 200)
  assert.equal((await announce([office, dock, gate])).status, 304)
  const { availability, reason, ...after } = await read(body.printerId)
  assert.deepEqual(after, {
    id: body.printerId,
    ...gate,
    warehouseId,
    printerBridgeId: bridge.printerBridgeId,
    isDefault: false,
    keepMinutes: 5,
    status: 1,
  })
  // It counts as unreachable until the bridge reports that it can reach it.
  assert.equal(availability, 2)
  assert.equal(reason, 'its printer bridge Site PC does not reach it')
  await bridge.claim([...both, { name: 'Gate', isReachable: true }])
  assert.equal((await read(body.printerId)).availability, 1)
})

test('a printer that its bridge no longer announces becomes inactive, and active when announced again', async () => {
  assert.equal((await announce([office, dock])).status, 200)
  const [gate] = (await admin.get('/v1/printers?SearchText=gate')).body.printers
  assert.deepEqual([gate.status, gate.printerBridgeId], [2, null])
  await announce([office, dock, { name: 'Gate', type: 2, language: 1 }])
  assert.equal((await read(gate.id)).status, 1)
  // A printer that a user has deactivated stays inactive.
  await admin.put(`/v1/printers/${gate.id}`, { status: 2 })
  await announce([office, dock, { name: 'Gate', type: 2, language: 1, media: ['other'] }])
  assert.equal((await read(gate.id)).status, 2)
  await announce([office, dock])
})

test('another bridge of the warehouse can take over a printer by its name', async () => {
  const other = await givenBridge(world, warehouseId, [office], 'Spare PC')
  assert.equal((await read(ids.office)).printerBridgeId, other.printerBridgeId)
  assert.equal((await read(ids.office)).availability, 2)
  assert.equal((await announce([office, dock])).status, 200)
  assert.equal((await read(ids.office)).printerBridgeId, bridge.printerBridgeId)
  await bridge.claim(both)
})

test('an announcement is refused with all its faults: duplicate names, ZPL printers without a resolution', async () => {
  const { status, body } = await announce([
    office,
    { ...office, name: 'office a4' },
    { ...dock, dotsPerMM: null },
  ])
  assert.deepEqual(
    [status, body.ErrorMessages],
    [
      400,
      [
        'printers[1].name is listed twice: office a4.',
        'printers[2].dotsPerMM is required with language 2 (Zpl).',
      ],
    ],
  )
})

test('a warehouse has one default printer of each type, the one set last', async () => {
  const { printerId } = (
    await admin.post('/v1/printers', { name: 'Second', type: 2, warehouseId, isDefault: true })
  ).body
  const defaults = async () =>
    (await admin.get('/v1/printers')).body.printers
      .filter((printer: { isDefault: boolean }) => printer.isDefault)
      .map((printer: { name: string }) => printer.name)
  assert.deepEqual(await defaults(), ['Second'])
  await admin.put(`/v1/printers/${ids.dock}`, { isDefault: true })
  assert.equal((await admin.put(`/v1/printers/${ids.office}`, { isDefault: true })).status, 200)
  assert.equal((await admin.put(`/v1/printers/${ids.office}`, { isDefault: true })).status, 304)
  assert.deepEqual(await defaults(), ['Dock labels', 'Office A4'])
  // A default printer that changes its type replaces the default of the new type.
  assert.equal((await admin.put(`/v1/printers/${ids.office}`, { type: 1 })).status, 200)
  assert.deepEqual(await defaults(), ['Office A4'])
  assert.equal((await admin.put(`/v1/printers/${printerId}`, { status: 2, isDefault: true })).status, 400)
  await admin.put(`/v1/printers/${ids.office}`, { status: 2 })
  assert.deepEqual(await defaults(), [])
  await admin.put(`/v1/printers/${ids.office}`, { status: 1, type: 2 })
})

test('the names of printers are unique in a warehouse, whatever their case', async () => {
  const create = (more: object) =>
    admin.post('/v1/printers', { name: 'office A4', type: 2, warehouseId, ...more })
  assert.deepEqual((await create({})).body.ErrorMessages, [
    'The warehouse already has a printer with the name office A4.',
  ])
  assert.equal((await create({ name: 'Zebra', language: 2 })).status, 400)
  assert.equal((await create({ name: 'Zebra', language: 2, dotsPerMM: 9 })).status, 400)
  assert.deepEqual((await create({ warehouseId: uuidv7() })).body.ErrorMessages, [
    'warehouseId does not refer to a warehouse.',
  ])
})

test('a bridge gets an app of its own with only the scope print, and its name is unique', async () => {
  const { body } = await admin.get(bridge.path)
  assert.deepEqual(
    [body.name, body.warehouseId, body.version, body.status],
    ['Site PC', warehouseId, '1.0.0', 1],
  )
  const app = (await admin.get(`/v1/custom-apps/${body.customAppId}`)).body
  assert.deepEqual([app.scopes, app.grantType, app.clientId], [['print'], 2, body.clientId])
  assert.equal((await admin.post('/v1/printer-bridges', { name: 'SITE PC', warehouseId })).status, 409)
  const underprivileged = world.as(admin, { scopes: ['organisation'] })
  assert.equal((await underprivileged.post('/v1/printer-bridges', { name: 'X', warehouseId })).status, 403)
  assert.equal((await admin.put(bridge.path, { name: 'Main PC' })).status, 200)
  assert.equal((await admin.get('/v1/printer-bridges?SearchText=main')).body.total, 1)
})

test('users of clients may list printer options, users of carriers may not, and neither manages printers', async () => {
  const [client, carrier] = [
    world.as(admin, { partnerId: clientId }),
    world.as(admin, { partnerId: carrierId }),
  ]
  assert.equal((await client.get('/v1/printer-bridges/printer/options')).status, 200)
  assert.equal((await carrier.get('/v1/printer-bridges/printer/options')).status, 403)
  assert.equal((await client.get('/v1/printers')).status, 403)
})
