import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { hazardClasses } from '../../src/reference-data/dg-hazard-data.ts'
import {
  hazardCategoryId,
  hazardClassId,
  loadReferenceData,
  portRows,
  shippingPortId,
} from '../../src/reference-data/load-reference-data.ts'
import { openTestDatabase } from '../support/harness.ts'
import { atEnd } from '../support/test-database.ts'

const { databaseUrl } = await openTestDatabase()

async function connected(): Promise<pg.Client> {
  const connection = new pg.Client(databaseUrl)
  atEnd(() => connection.end())
  await connection.connect()
  return connection
}
const client = await connected()

const forget = () => client.query(`delete from reference_data`)
const snapshot = async () =>
  (
    await client.query(`select id, code, name from shipping_port union all select id, code, name
      from dg_hazard_class
      union all select id, code, name from dg_hazard_category order by id`)
  ).rows

test('a database that is up to date is left alone', async () => {
  assert.equal(await loadReferenceData(client), false)
})

test('loading again changes only rows that differ, and removes none', async () => {
  const before = await snapshot()
  const rowVersions = async () =>
    (await client.query('select code, xmin from shipping_port order by code')).rows
  await client.query(`update shipping_port set name = 'Old name' where code = 'NZAKL'`)
  await client.query(
    `insert into shipping_port (id, code, name, country) values ($1, 'ZZZZZ', 'Kept', 'Nowhere')`,
    [shippingPortId('ZZZZZ')],
  )
  const versions = await rowVersions()
  await forget()
  assert.equal(await loadReferenceData(client), true)
  assert.equal(await loadReferenceData(client), false)
  const untouched = (await rowVersions()).filter((row, i) => row.xmin === versions[i].xmin)
  assert.equal(untouched.length, versions.length - 1, 'only the port with the old name was written')
  await client.query(`delete from shipping_port where code = 'ZZZZZ'`)
  assert.deepEqual(await snapshot(), before)
})

test('processes that start together load once', async () => {
  await forget()
  const others = await Promise.all([connected(), connected(), connected()])
  const loaded = await Promise.all(others.map(loadReferenceData))
  assert.equal(loaded.filter(Boolean).length, 1)
})

test('a failed load changes nothing and leaves the connection usable', async () => {
  await forget()
  const taken = '00000000-0000-4000-8000-000000000000'
  await client.query('update shipping_port set id = $1 where code = $2', [taken, 'NZAKL'])
  await assert.rejects(loadReferenceData(client), /shipping_port_code_key/)
  assert.equal((await client.query('select from reference_data')).rowCount, 0)
  await client.query('update shipping_port set id = $1 where code = $2', [shippingPortId('NZAKL'), 'NZAKL'])
  assert.equal(await loadReferenceData(client), true)
})

test('ids are derived from codes and never change', () => {
  assert.equal(shippingPortId('NZAKL'), '91a5a5bd-36cc-5d26-931a-168c2211e8a8')
  assert.equal(hazardClassId(1, '2.6'), '8b8bb952-2ff4-5554-82c6-e00381691dc8')
  assert.equal(hazardCategoryId(hazardClassId(1, '2.6'), '1'), '55b0ccc9-ce79-5da2-b8b1-b317ea4e1a95')
})

test('a port with several codes becomes several rows, and other codes are ignored', () => {
  const rows = portRows({
    CNSHA: { name: ' Shanghai ', country: 'China', unlocs: ['CNSHA', 'CNSGH'] },
    CNSGH: { name: 'Shanghai new port', country: 'China', unlocs: ['CNSHA', 'CNSGH'] },
    nzakl: { name: 'Auckland', country: ' New Zealand ', unlocs: ['nzakl ', 'AKL', 'NZ-AK'] },
    ANEUX: { name: 'Sint Eustatius', country: 'Netherlands', unlocs: ['ANEUX'] },
  })
  assert.deepEqual(
    rows.map(({ code, name, country }) => [code, name, country]),
    [
      ['CNSHA', 'Shanghai', 'China'],
      ['CNSGH', 'Shanghai new port', 'China'],
      ['NZAKL', 'Auckland', 'New Zealand'],
      ['ANEUX', 'Sint Eustatius', 'Netherlands Antilles'],
    ],
  )
})

test('every class has categories, and codes and names are unique', () => {
  assert.deepEqual(Object.keys(hazardClasses), ['1', '2', '3', '4'])
  const unique = (values: readonly string[]) =>
    assert.equal(new Set(values).size, values.length, `repeated in ${values.join(', ')}`)
  for (const classes of Object.values(hazardClasses)) {
    unique(classes.map(({ code }) => code))
    unique(classes.map(({ name }) => name))
    for (const { categories } of classes) {
      assert.ok(categories.length > 0)
      unique(categories.map(([code]) => code))
      unique(categories.map(([, name]) => name))
    }
  }
  assert.deepEqual(
    Object.values(hazardClasses).map(classes => classes.length),
    [33, 33, 9, 20],
  )
})
