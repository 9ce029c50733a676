// The file format of a backup: a file is read as it was written, or refused before any of it is used.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  type BackupEnd,
  BackupFault,
  type BackupHeader,
  type BackupTable,
  openBackupReader,
  openBackupWriter,
} from '../../src/backup/backup-file.ts'

const header: BackupHeader = {
  waybill: '0.1.0',
  createdUtc: '2026-03-01T00:00:00.000Z',
  migrations: ['001-organisations'],
  key: 'a2V5',
}
const end: BackupEnd = { sequences: [{ name: 'migration_id_seq', value: '19' }] }
const contents: [BackupTable, Buffer[]][] = [
  [{ name: 'empty', columns: [] }, []],
  [{ name: 'partner', columns: ['id', 'name'] }, [Buffer.from('1\tKauri\n'), randomBytes(30_000)]],
  [{ name: 'product', columns: ['id'] }, [Buffer.from('é\n')]],
]

async function writeSample(): Promise<Buffer> {
  const chunks: Buffer[] = []
  const writer = openBackupWriter(async bytes => void chunks.push(bytes))
  await writer.header(header)
  for (const [table, pieces] of contents) {
    await writer.table(table)
    for (const piece of pieces) await writer.data(piece)
  }
  await writer.end(end)
  return Buffer.concat(chunks)
}

/** Reads a file that arrives in chunks of this size. */
async function read(file: Buffer, size = 65_536) {
  async function* pieces() {
    for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size)
  }
  const reader = await openBackupReader(pieces(), 'x.backup')
  const tables: [BackupTable, Buffer][] = []
  for (let table = await reader.nextTable(); table !== undefined; table = await reader.nextTable()) {
    const data: Buffer[] = []
    for await (const piece of reader.data()) data.push(piece)
    tables.push([table, Buffer.concat(data)])
  }
  return { header: reader.header, tables, end: await reader.end() }
}

const file = await writeSample()

test('a backup is read as it was written, whatever the size of the chunks', async () => {
  for (const size of [1, 7, 65_536, file.length]) {
    assert.deepEqual(await read(file, size), {
      header,
      tables: contents.map(([table, pieces]) => [table, Buffer.concat(pieces)]),
      end,
    })
  }
})

const refused = (changed: Buffer, expected: RegExp, message: string) =>
  assert.rejects(read(changed), (error: Error) => {
    assert.ok(error instanceof BackupFault, `${message}: ${error.stack}`)
    assert.match(error.message, expected, message)
    return true
  })

test('a file that is truncated anywhere is refused as cut off', async () => {
  for (let length = 20; length < file.length; length += length < 400 ? 1 : 997)
    await refused(file.subarray(0, length), /^x\.backup is cut off: its end is missing\./, `${length} bytes`)
  await refused(file.subarray(0, -1), /is cut off/, 'the last byte')
})

test('a file with a changed byte, or with bytes after its end, is refused', async () => {
  for (let at = 17; at < file.length; at += at < 400 ? 1 : 997) {
    const changed = Buffer.from(file)
    changed[at] = (changed[at] as number) ^ 1
    await refused(changed, /^x\.backup is (damaged|cut off|not a backup|written by a newer)/, `byte ${at}`)
  }
  await refused(Buffer.concat([file, Buffer.from('x')]), /^x\.backup is damaged/, 'a byte more')
})

test('frames that were removed or moved are detected', async () => {
  const other = await writeSample()
  const at = file.indexOf(Buffer.from('{"name":"product"')) - 21
  const first = file.indexOf(Buffer.from('{"name":"partner"')) - 21
  await refused(Buffer.concat([file.subarray(0, first), file.subarray(at)]), /is damaged/, 'a table less')
  const twice = Buffer.concat([file.subarray(0, at), file.subarray(first, at), other.subarray(at)])
  await refused(twice, /is damaged/, 'a table twice')
})

test('a newer format is refused by its number, and any other file is not a backup', async () => {
  const newer = Buffer.concat([Buffer.from('Waybill backup 12\n'), file.subarray(17)])
  await refused(
    newer,
    /^x\.backup was written by a newer Waybill, in format 12; this one reads up to 1\./,
    '',
  )
  for (const other of ['', 'PK', 'PGDMP and so on and so forth', 'Waybill backup one\n'])
    await refused(Buffer.from(other), /is not a backup of Waybill\.|is damaged/, other)
})

test('a crafted frame that would grow to gigabytes is refused before it does', async () => {
  const chunks: Buffer[] = []
  const writer = openBackupWriter(async bytes => void chunks.push(bytes))
  await writer.header(header)
  await writer.table({ name: 'partner', columns: ['id'] })
  await writer.data(Buffer.alloc(257 * 2 ** 20))
  await writer.end(end)
  await assert.rejects(read(Buffer.concat(chunks)), /x\.backup is damaged/)
})
