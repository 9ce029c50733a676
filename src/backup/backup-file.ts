// The file of a backup: a line that says what it is, then frames, each with a checksum that continues the one
// before, so that a file that was changed, cut off or put together from parts is found out before any of it
// is used. A frame's data is compressed by itself: writing and reading need the memory of one frame.

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'

/** The form of the file; raised when a Waybill that reads only earlier ones could not read it. */
const formatVersion = 1
const beginning = 'Waybill backup '
const maxBeginning = 64
const checksumBytes = 16
const maxPayloadBytes = 64 * 2 ** 20

const deflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.deflate)
const inflate = promisify<Buffer, Buffer>(zlib.inflate)

/** What a frame is: a description in JSON, the beginning of a table, data of that table, or the end. */
const kinds = { header: 'H', table: 'T', data: 'D', end: 'E' } as const
type Kind = keyof typeof kinds

/** What a backup says of itself. */
export interface BackupHeader {
  /** version of the Waybill that wrote it */
  waybill: string
  createdUtc: string
  /** names of the migrations that the database had */
  migrations: string[]
  /** the encryption key in base64; null where it was left out, or there is none yet */
  key: string | null
}

/** A table whose rows follow as text of COPY. */
export interface BackupTable {
  name: string
  columns: string[]
}

/** What stands at the end. */
export interface BackupEnd {
  /** where each sequence stands; null for one that was never used */
  sequences: { name: string; value: string | null }[]
}

/** A file that is no backup, or not a whole one. */
export class BackupFault extends Error {}

const checksumOf = (before: Buffer, kind: string, payload: Buffer): Buffer =>
  createHash('sha256').update(before).update(kind).update(payload).digest().subarray(0, checksumBytes)

/** Writes a backup. Each call resolves when more may be written. */
export interface BackupWriter {
  header(header: BackupHeader): Promise<void>
  table(table: BackupTable): Promise<void>
  data(text: Buffer): Promise<void>
  end(end: BackupEnd): Promise<void>
}

/** Begins a backup. `write` resolves when more may be written. */
export function openBackupWriter(write: (bytes: Buffer) => Promise<void>): BackupWriter {
  let checksum: Buffer = Buffer.alloc(checksumBytes)
  async function frame(kind: Kind, payload: Buffer): Promise<void> {
    checksum = checksumOf(checksum, kinds[kind], payload)
    const head = Buffer.alloc(5)
    head.write(kinds[kind], 'latin1')
    head.writeUInt32BE(payload.length, 1)
    await write(Buffer.concat([head, checksum, payload]))
  }
  const json = (value: object) => Buffer.from(JSON.stringify(value))
  return {
    async header(header) {
      await write(Buffer.from(`${beginning}${formatVersion}\n`))
      await frame('header', json(header))
    },
    table: table => frame('table', json(table)),
    data: async text => frame('data', await deflate(text, { level: 3 })),
    end: end => frame('end', json(end)),
  }
}

/** Reads a backup in its order. Every method throws a BackupFault for a file that is not whole. */
export interface BackupReader {
  readonly header: BackupHeader
  /** The next table; undefined when there is none, and the end may be read. */
  nextTable(): Promise<BackupTable | undefined>
  /** The data of that table, which has to be read before the next one. */
  data(): AsyncGenerator<Buffer>
  end(): Promise<BackupEnd>
}

/** Reads the beginning of a backup. `name` is what messages call it. Throws a BackupFault. */
export async function openBackupReader(bytes: AsyncIterable<Buffer>, name: string): Promise<BackupReader> {
  const take = takeFrom(bytes, name)
  await readBeginning(take, name)
  let checksum: Buffer = Buffer.alloc(checksumBytes)
  async function frame(): Promise<{ kind: Kind; payload: Buffer }> {
    const head = await take(5 + checksumBytes)
    const kind = (Object.keys(kinds) as Kind[]).find(each => kinds[each] === head.toString('latin1', 0, 1))
    const length = head.readUInt32BE(1)
    if (kind === undefined || length > maxPayloadBytes) throw damaged(name)
    const payload = await take(length)
    checksum = checksumOf(checksum, kinds[kind], payload)
    if (!checksum.equals(head.subarray(5))) throw damaged(name)
    return { kind, payload }
  }
  const first = await frame()
  if (first.kind !== 'header') throw damaged(name)
  const header = JSON.parse(first.payload.toString()) as BackupHeader
  let next = await frame()
  return {
    header,
    async nextTable() {
      if (next.kind === 'end') return undefined
      if (next.kind !== 'table') throw damaged(name)
      const table = JSON.parse(next.payload.toString()) as BackupTable
      next = await frame()
      return table
    },
    async *data() {
      for (; next.kind === 'data'; next = await frame()) yield await inflate(next.payload)
    },
    async end() {
      if (next.kind !== 'end' || (await take(1, true)).length > 0) throw damaged(name)
      return JSON.parse(next.payload.toString()) as BackupEnd
    },
  }
}

const damaged = (name: string) =>
  new BackupFault(`${name} is damaged: what it holds is not what was written. Take another backup.`)

type Take = (length: number, isEndAllowed?: boolean) => Promise<Buffer>

/** Returns what takes so many bytes at a time, which throws where the file ends before. */
function takeFrom(bytes: AsyncIterable<Buffer>, name: string): Take {
  const source = bytes[Symbol.asyncIterator]()
  let chunks: Buffer[] = []
  let held = 0
  return async (length, isEndAllowed = false) => {
    while (held < length) {
      const { value, done } = await source.next()
      if (done && isEndAllowed) break
      if (done) throw new BackupFault(`${name} is cut off: its end is missing. Take another backup.`)
      chunks.push(value)
      held += value.length
    }
    const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    const rest = all.subarray(length)
    chunks = rest.length > 0 ? [rest] : []
    held = rest.length
    return all.subarray(0, length)
  }
}

/** Reads the first line. Throws for a file that is something else, or of a newer form. */
async function readBeginning(take: Take, name: string): Promise<void> {
  const first = await take(beginning.length, true)
  if (first.toString('latin1') !== beginning) throw new BackupFault(`${name} is not a backup of Waybill.`)
  let version = ''
  for (let byte = ''; byte !== '\n'; version += byte) {
    if (version.length > maxBeginning) throw damaged(name)
    byte = (await take(1)).toString('latin1')
  }
  if (!/^\d+\n$/.test(version)) throw damaged(name)
  if (Number(version) > formatVersion)
    throw new BackupFault(
      `${name} was written by a newer Waybill, in the form ${Number(version)}; this one reads up to ` +
        `${formatVersion}. Restore it with that version.`,
    )
}
