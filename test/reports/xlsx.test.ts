// Workbooks: any texts and numbers are read back as they were written, on as many sheets as needed, with the
// same bytes each time.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { readXlsx } from 'hucre/xlsx'
import { date, enumeration, flag, id, localTime, money, quantity, text } from '../../src/reports/columns.ts'
import type { Row } from '../../src/reports/table-rows.ts'
import { writeWorkbook } from '../../src/reports/xlsx.ts'
import { beginZip } from '../../src/reports/zip.ts'
import fc from '../support/properties.ts'

const columns = [
  id,
  text('Text'),
  quantity('Quantity'),
  money('Amount'),
  date('Day'),
  localTime('Time'),
  flag('Yes'),
  enumeration('Kind', { InProgress: 1, Done: 2 }),
]

async function* batchesOf(rows: readonly Row[], size = 3): AsyncGenerator<Row[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}

/** The bytes of a workbook with these rows. */
async function workbook(
  rows: readonly Row[],
  limits?: { rows: number; bytes: number },
  size?: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  const table = {
    title: 'Stock on hand',
    columns,
    rows: batchesOf(rows, size),
    about: [['Made by', '=Ada & <Co>']] as const,
  }
  for await (const chunk of writeWorkbook(table, limits)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const row = (value: string | null, digits = '1'): Row => [
  'x',
  value,
  digits,
  '2.50',
  '2026-02-28',
  '2026-02-28T13:45:10Z',
  'true',
  '1',
]

test('numbers, dates, times, booleans and names have their types in a spreadsheet', async () => {
  const bytes = await workbook([
    row('plain', '-0.25'),
    [null, null, null, null, null, null, null, null],
    ['y', 'old', '99999999999.123456', '-1', '1899-12-31', '0001-01-01T00:00:00Z', 'false', '7'],
  ])
  const [sheet, about] = (await readXlsx(bytes)).sheets
  assert.deepEqual(sheet?.rows, [
    ['Id', 'Text', 'Quantity', 'Amount', 'Day', 'Time', 'Yes', 'Kind'],
    [
      'x',
      'plain',
      -0.25,
      2.5,
      new Date('2026-02-28T00:00:00Z'),
      new Date('2026-02-28T13:45:10Z'),
      true,
      'In progress',
    ],
    [null, null, null, null, null, null, null, null],
    ['y', 'old', 99999999999.12346, -1, '1899-12-31', '0001-01-01T00:00:00Z', false, '7'],
  ])
  assert.deepEqual(about?.rows, [
    ['Made by', '=Ada & <Co>'],
    ['Rows', 3],
    ['Sum of Quantity', 99999999998.87346],
    ['Sum of Amount', 1.5],
  ])
})

test('numbers have separators of thousands, and a whole number no decimal point', async () => {
  const bytes = await workbook([row('plain', '1234567'), row('plain', '1234.5')])
  const [sheet, about] = (await readXlsx(bytes, { readStyles: true })).sheets
  const formatAt = (at: typeof sheet, cell: string) => at?.cells?.get(cell)?.style?.numFmt
  assert.deepEqual([formatAt(sheet, '1,2'), formatAt(sheet, '2,2')], ['#,##0', '#,##0.0#####'])
  assert.equal(formatAt(about, '1,1'), '#,##0')
})

test('a column is as wide as its heading needs', async () => {
  const [wide, narrow] = [quantity('A heading of many words'), quantity('Short')]
  const table = { title: 'T', columns: [wide, narrow], rows: batchesOf([]), about: [] }
  const chunks: Buffer[] = []
  for await (const chunk of writeWorkbook(table)) chunks.push(chunk)
  const [sheet] = (await readXlsx(Buffer.concat(chunks), { readStyles: true })).sheets
  const [first, second] = (sheet?.columns ?? []).map(({ width }) => width ?? 0)
  assert.ok((first ?? 0) >= wide.heading.length + 3, String(first))
  assert.equal(second, narrow.width)
})

test('any text is stored unchanged, except characters that XML cannot hold, and none becomes a formula', async () => {
  const expectedText = (value: string) =>
    [...value.slice(0, 32_767)]
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold these
      .map(character => (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(character) ? '\ufffd' : character))
      .join('')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 8 }), async texts => {
      const given = texts.map(value => value.toWellFormed())
      const bytes = await workbook(given.map(value => row(value)))
      const cells = (await readXlsx(bytes)).sheets[0]?.rows.slice(1).map(cell => cell[1])
      assert.deepEqual(
        cells?.map(cell => cell ?? ''),
        given.map(expectedText),
      )
    }),
    { numRuns: 60 },
  )
  for (const formula of [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '=cmd|"/c calc"!A1',
    '</t></is></c>',
    '  edges  ',
    '_x0041_',
    'a\r\nb',
  ])
    assert.equal((await readXlsx(await workbook([row(formula)]))).sheets[0]?.rows[1]?.[1], formula)
  const long = (await readXlsx(await workbook([row('😀'.repeat(20_000))]))).sheets[0]?.rows[1]?.[1]
  assert.equal((long as string).length, 32_766)
})

test('rows that do not fit into a sheet continue on the next one under the same headings', async () => {
  const rows = Array.from({ length: 25 }, (_, i) => row(`row ${i}`, `${i}.1`))
  for (const limits of [
    { rows: 10, bytes: 1e9 },
    { rows: 1_000, bytes: 1 },
  ]) {
    const { sheets } = await readXlsx(await workbook(rows, limits))
    const data = sheets.slice(0, -1)
    if (limits.rows === 10)
      assert.deepEqual(
        sheets.map(({ name }) => name),
        ['Stock on hand', 'Stock on hand 2', 'Stock on hand 3', 'About'],
      )
    assert.ok(data.every(sheet => sheet.rows[0]?.[1] === 'Text'))
    assert.deepEqual(
      data.flatMap(sheet => sheet.rows.slice(1).map(cell => cell[1])),
      rows.map(([, value]) => value),
    )
    assert.equal(sheets.at(-1)?.rows[2]?.[1], 302.5)
  }
  const { sheets } = await readXlsx(await workbook([]))
  assert.deepEqual([sheets.length, sheets[0]?.rows.length], [2, 1])
})

test('the same rows give the same bytes, however they are batched', async () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => row(`row ${i}`))
  const [largeBatches, smallBatches] = [
    await workbook(rows, undefined, 2_000),
    await workbook(rows, undefined, 7),
  ]
  assert.ok(largeBatches.equals(smallBatches))
})

test('LibreOffice reads workbooks, if it is installed', async t => {
  if (spawnSync('soffice', ['--version']).status !== 0) return t.skip('there is no soffice')
  const folder = mkdtempSync(join(tmpdir(), 'waybill-xlsx-'))
  try {
    const path = join(folder, 'table.xlsx')
    writeFileSync(path, await workbook([row('=1+1'), row('quo"ted', '0.5')]))
    // Commas, quotation marks, UTF-8, from the first line on, and cells as formatted.
    const asShown = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true'
    const options = ['--headless', '--convert-to', asShown, '--outdir', folder, path]
    const converted = spawnSync('soffice', options, { timeout: 120_000 })
    assert.equal(converted.status, 0, String(converted.stderr))
    const [, first, second] = readFileSync(join(folder, 'table.csv'), 'utf8').split('\n')
    assert.equal(first, 'x,=1+1,1,2.50,2026-02-28,2026-02-28 13:45,TRUE,In progress')
    assert.equal(second, 'x,"quo""ted",0.5,2.50,2026-02-28,2026-02-28 13:45,TRUE,In progress')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the zip64 directory locates an entry beyond 4 GiB', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-zip-'))
  const path = join(folder, 'large.zip')
  const file = openSync(path, 'w+')
  try {
    const start = 2 ** 32 + 10
    ftruncateSync(file, start)
    const zip = beginZip(start)
    const chunks: Buffer[] = []
    for await (const chunk of zip.entry('hello.txt', [Buffer.from('Hello, '), Buffer.from('world')]))
      chunks.push(chunk)
    chunks.push(zip.end())
    const bytes = Buffer.concat(chunks)
    writeSync(file, bytes, 0, bytes.length, start)
    // As a reader does: from the end record to the zip64 end record, to the directory, to the entry.
    const readAt = (position: number, length: number) => {
      const read = Buffer.alloc(length)
      readSync(file, read, 0, length, position)
      return read
    }
    const size = start + bytes.length
    const end = readAt(size - 42, 42)
    assert.deepEqual([end.readUInt32LE(0), end.readUInt32LE(20)], [0x07064b50, 0x06054b50])
    const zip64End = readAt(Number(end.readBigUInt64LE(8)), 56)
    assert.equal(zip64End.readUInt32LE(0), 0x06064b50)
    const directory = readAt(Number(zip64End.readBigUInt64LE(48)), Number(zip64End.readBigUInt64LE(40)))
    assert.equal(directory.readUInt32LE(0), 0x02014b50)
    const [nameLength, packed] = [directory.readUInt16LE(28), directory.readUInt32LE(20)]
    const offset = Number(directory.readBigUInt64LE(46 + nameLength + 4))
    assert.equal(offset, start)
    const local = readAt(offset, 30 + nameLength + packed)
    assert.equal(inflateRawSync(local.subarray(30 + nameLength)).toString(), 'Hello, world')
    const python = spawnSync('python3', [
      '-c',
      'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read("hello.txt").decode())',
      path,
    ])
    if (python.status === 0) assert.equal(String(python.stdout).trim(), 'Hello, world')
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the zip64 records begin exactly where 32 bits no longer hold a position', async () => {
  // The largest number of 32 bits says that the position stands in the zip64 record.
  const largest = 0xffffffff
  /** The length of an entry that begins at a position, and of the records after it. */
  async function lengthsAt(start: number): Promise<[entry: number, records: number]> {
    const zip = beginZip(start)
    let length = 0
    for await (const chunk of zip.entry('a', [Buffer.from('a')])) length += chunk.length
    return [length, zip.end().length]
  }
  const [entry, plain] = await lengthsAt(0)
  const [zip64End, zip64OfEntry] = [76, 12]
  assert.deepEqual(await lengthsAt(largest - entry - 1), [entry, plain], 'everything begins below')
  assert.deepEqual(await lengthsAt(largest - entry), [entry, plain + zip64End], 'the directory does not')
  assert.deepEqual(await lengthsAt(largest - 1), [entry, plain + zip64End])
  assert.deepEqual(await lengthsAt(largest), [entry, plain + zip64End + zip64OfEntry], 'nor the entry')
})

test('a workbook fails when its rows fail', async () => {
  async function* failing(): AsyncGenerator<Row[]> {
    yield [row('one')]
    throw new Error('The rows failed.')
  }
  const chunks = writeWorkbook({ title: 'T', columns, rows: failing(), about: [] })
  await assert.rejects(async () => {
    for await (const _ of chunks) void _
  }, /The rows failed/)
})
