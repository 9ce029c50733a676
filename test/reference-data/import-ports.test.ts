import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { Refusal } from '../../src/platform/http/refusal.ts'
import { importPorts } from '../../src/reference-data/import-ports.ts'
import { loadReferenceData, shippingPortId } from '../../src/reference-data/load-reference-data.ts'
import { openImports } from '../support/given-imports.ts'
import { run, until } from '../support/service-process.ts'

const { world, post, drain, read, row } = await openImports()
const { admin, database, databaseUrl } = world

const folder = await mkdtemp(join(tmpdir(), 'waybill-ports-'))
after(() => rm(folder, { recursive: true, force: true }))
let files = 0

/** Writes a file with these lines in the form of the code list. */
async function fileOf(lines: readonly string[], encoding: 'utf8' | 'latin1' = 'utf8'): Promise<string> {
  const file = join(folder, `part ${++files}.csv`)
  await writeFile(file, Buffer.from(`${lines.join('\r\n')}\r\n`, encoding))
  return file
}

/** The line of a place. */
const place = (country: string, location: string, name: string, functions = '1-------', plain = name) =>
  `,"${country}","${location}","${name}","${plain}",,"${functions}","RL","0601",,"3640S 17445E",""`
const heading = (country: string, name: string) => `,"${country}",,".${name}",,,,,,,,`

const imported = async (lines: readonly string[], all = false) => importOf([await fileOf(lines)], all)
const importOf = (paths: string[], all = false) => database.atomically(tx => importPorts(tx, paths, { all }))
const port = (code: string) =>
  database.db.maybe<{ id: string; name: string; country: string; isImported: boolean }>(
    sql`select id, name, country, is_imported from shipping_port where code = ${code}`,
  )
const found = async (text: string) =>
  (await admin.get(`/v1/shipping-ports?SearchText=${encodeURIComponent(text)}`)).body.shippingPorts.map(
    ({ code }: { code: string }) => code,
  )

/** The message with which these lines are refused. */
async function refusalOf(lines: readonly string[]): Promise<string> {
  const file = await fileOf(lines)
  const refused = await importOf([file]).then(
    () => assert.fail('it was imported'),
    error => error,
  )
  assert.ok(refused instanceof Refusal, String(refused))
  return refused.messages.join().replace(file, 'FILE')
}

test('a place is found by its other names in the list', async () => {
  await imported([
    heading('SE', 'SWEDEN'),
    '=,"SE",,"Testenburg = Testeborg","Testenburg = Testeborg",,,,,,,""',
    place('SE', 'QQT', 'Testeborg'),
  ])
  assert.deepEqual(await found('testenburg'), ['SEQQT'])
})

test('ports are added and renamed, their ids stay, and places without a port are left out', async () => {
  const before = await port('NZAKL')
  const counts = await imported([
    heading('NZ', 'NEW ZEALAND'),
    place('NZ', 'AKL', 'Auckland (new)'),
    place('NZ', 'QQ2', 'Bay of Tests'),
    place('NZ', 'QQ3', 'Inland', '--34-6--'),
    '"=","NZ","","Akarana = Auckland","Akarana = Auckland","",,"",,"","",""',
  ])
  assert.deepEqual(counts, { added: 1, changed: 1, unchanged: 0, left: 1 })
  assert.deepEqual(await port('NZAKL'), {
    id: before?.id,
    name: 'Auckland (new)',
    country: 'New Zealand',
    isImported: true,
  })
  assert.equal((await port('NZQQ2'))?.id, shippingPortId('NZQQ2'))
  assert.equal(await port('NZQQ3'), undefined)
})

test('importing a file again changes nothing; --all also imports places without a port', async () => {
  const lines = [
    place('NZ', 'RR2', 'Bay'),
    place('NZ', 'RR3', 'Inland', '--34-6--'),
    place('NZ', 'RR2', 'Bay again'),
  ]
  assert.deepEqual(await imported(lines), { added: 1, changed: 0, unchanged: 0, left: 2 })
  const version = () => database.db.row(sql`select xmin::text from shipping_port where code = 'NZRR2'`)
  const before = await version()
  assert.deepEqual(await imported(lines), { added: 0, changed: 0, unchanged: 1, left: 2 })
  assert.deepEqual(await version(), before, 'the row was not written')
  assert.deepEqual(await imported(lines, true), { added: 1, changed: 0, unchanged: 1, left: 1 })
  assert.equal((await port('NZRR3'))?.name, 'Inland')
})

test('function and status are distinguished in either order of their columns', async () => {
  await imported([
    `,"NZ","SS2","Old order","Old order",,"RL","1--4----","0601",,,`,
    place('NZ', 'SS3', 'River', '12345---'),
  ])
  assert.ok(await port('NZSS2'))
  assert.ok(await port('NZSS3'))
})

test('Latin-1 is read as well as UTF-8, and the search finds names and countries without their diacritics', async () => {
  const latin = [place('SE', 'QQ2', 'Göteborg å', '1-------', 'Goteborg a'), place('CI', 'QQ2', 'Bouaké')]
  await importOf([await fileOf(latin, 'latin1')])
  await importOf([await fileOf([`\uFEFF${place('PL', 'QQ2', 'Gdynia-Łąka', '1-------', 'Gdynia-Laka')}`])])
  assert.equal((await port('SEQQ2'))?.name, 'Göteborg å')
  assert.equal((await port('PLQQ2'))?.name, 'Gdynia-Łąka')
  assert.deepEqual(await found('goteborg a'), ['SEQQ2'])
  assert.deepEqual(await found('göteborg å'), ['SEQQ2'])
  assert.deepEqual(await found('gdynia-laka'), ['PLQQ2'])
  assert.ok((await found("cote d'ivoire")).includes('CIQQ2'))
  assert.ok((await found('Côte d’Ivoire')).includes('CIQQ2'))
  await imported([
    place('DK', 'QQ2', 'Ærøskøbing', '1-------', 'Æroskobing'),
    place('DE', 'QQ2', 'Gießhafen'),
    place('NO', 'QQ2', 'Tromso-Ost'),
  ])
  for (const text of ['Ærøskøbing', 'æroskobing', 'aeroskobing'])
    assert.deepEqual(await found(text), ['DKQQ2'], text)
  for (const text of ['gießhafen', 'giesshafen']) assert.deepEqual(await found(text), ['DEQQ2'], text)
  assert.deepEqual(await found('Tromsø-Øst'), ['NOQQ2'])
})

test('a country code without a known name takes the name in its heading', async () => {
  await imported([heading('XZ', "INTERNATIONAL WATERS OF D'ARC"), place('XZ', 'QQ2', 'Platform')])
  assert.equal((await port('XZQQ2'))?.country, "International Waters Of D'arc")
})

test('a later start keeps imported ports and updates the others', async () => {
  await imported([place('AU', 'SYD', 'Sydney as imported')])
  const client = await database.openConnection()
  await client.query(`delete from reference_data`)
  await client.query(`update shipping_port set name = 'Old name' where code = 'AUMEL'`)
  assert.equal(await loadReferenceData(client), true)
  await client.end()
  assert.equal((await port('AUSYD'))?.name, 'Sydney as imported')
  assert.equal((await port('AUMEL'))?.name, 'Melbourne')
})

test('an invalid file is refused with its line, and nothing of any file is stored', async () => {
  const good = place('NZ', 'TT2', 'Good')
  for (const [line, fault] of [
    ['a,b,c', 'there are 3 columns where the code list has 12'],
    [place('New Zealand', 'TT3', 'X'), 'the country is not two capital letters'],
    [place('NZ', 'tt3', 'X'), 'the location is not three capital letters or digits'],
    [place('NZ', 'TT3', ' '), 'the name is missing'],
    [place('NZ', 'TT3', 'A\u0000'), 'the name has control characters'],
    [',"NZ","TT3",X"y",,,,,,,,', 'the line is not CSV'],
    [`,"NZ","TT3","${'long '.repeat(5_000)}`, 'the line is not CSV'],
  ] as const) {
    assert.equal(await refusalOf([good, good, line, good]), `FILE, line 3: ${fault}.`)
  }
  assert.equal(await refusalOf(['']), 'FILE has no place of the UN/LOCODE code list in it.')
  await assert.rejects(importOf([await fileOf([good]), await fileOf(['x'])]), /line 1/)
  await assert.rejects(
    importOf([await fileOf([good]), join(folder, 'none.csv')]),
    /none\.csv cannot be read \(ENOENT\)\./,
  )
  assert.equal(await port('NZTT2'), undefined)
})

test('an import that waits for a port continues once the port is imported', async () => {
  const id = await post({ loadShippingPortCode: 'nzuu2' })
  await drain()
  assert.deepEqual(
    (await read(id)).reasons.map(({ kind }: { kind: string }) => kind),
    ['shippingPort'],
  )
  await imported([place('NZ', 'UU2', 'At last')])
  await drain()
  assert.equal((await row(id)).loadShippingPortId, shippingPortId('NZUU2'))
})

test('files larger than a batch are imported completely', async () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789'
  const codes = Array.from(
    { length: 1_250 },
    (_, i) => `${letters[Math.floor(i / 1156) % 34]}${letters[Math.floor(i / 34) % 34]}${letters[i % 34]}`,
  )
  const counts = await imported(codes.map(code => place('XA', code, `UnLocodePlace ${code}`)))
  assert.deepEqual(counts, { added: 1_250, changed: 0, unchanged: 0, left: 0 })
})

test('an import waits for another one, however long that takes', async () => {
  const file = await fileOf([place('NZ', 'TT2', 'Bay')])
  const isWaiting = () =>
    database.db.maybe(sql`
      select from pg_stat_activity where wait_event = 'relation' and query like 'lock table%'
        and clock_timestamp() - query_start > interval '0.3 seconds'`)
  const second = await database.atomically(async tx => {
    await importPorts(tx, [file], { all: false })
    const importing = database
      .atomically(async other => {
        await other.run(sql`set local lock_timeout = '0.1s'`)
        await other.run(sql`set local statement_timeout = '0.2s'`)
        return importPorts(other, [file], { all: false })
      })
      .catch((error: Error) => error.message)
    await Promise.race([importing, until(isWaiting, 'Nobody waits.')])
    return { importing }
  })
  assert.deepEqual(await second.importing, { added: 0, changed: 0, unchanged: 1, left: 0 })
})

test('the command imports several files and prints the counts', async () => {
  const paths = [
    await fileOf([place('NZ', 'VV2', 'One')]),
    await fileOf([place('NZ', 'VV3', 'Two', '--3-----')]),
  ]
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: folder }
  const { code, output } = await run(['ports', 'import', ...paths, '--json'], settings).ended
  assert.equal(code, 0, output)
  assert.deepEqual(JSON.parse(output), { added: 1, changed: 0, unchanged: 0, left: 1 })
  const refused = await run(['ports', 'import', await fileOf(['no code list'])], settings).ended
  assert.equal(refused.code, 1)
  assert.match(refused.output, /^.*line 1: there are 1 columns where the code list has 12\.$/m)
  assert.doesNotMatch(refused.output, /\n\s+at /)
})
