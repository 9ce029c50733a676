// The file format of a backup: one line that identifies it, then frames. The checksum of each frame covers
// the previous checksum, so that a file that was changed, truncated or pieced together is detected before it
// is used. Each frame is compressed separately: writing and reading need the memory of one frame.

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'

/** The version of the format; increased when older versions of Waybill could no longer read it. */
const formatVersion = 1
const signature = 'Waybill backup '
const maxVersionLength = 64
const checksumBytes = 16
const maxPayloadBytes = 64 * 2 ** 20
// A frame holds a mebibyte of rows and the rest of the last row, which may be a file or a large import.
const maxFrameBytes = 256 * 2 ** 20

const deflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.deflate)
const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate)

/** The kinds of frames: the header, the start of a table, data of that table, and the end. */
const kinds = { header: 'H', table: 'T', data: 'D', end: 'E' } as const
type Kind = keyof typeof kinds

/** The description of a backup at its beginning. */
export interface BackupHeader {
  /** the version of the Waybill that wrote it */
  waybill: string
  createdUtc: string
  /** names of the migrations that the database had */
  migrations: string[]
  /** the encryption key in base64; null if it was left out or does not exist yet */
  key: string | null
}

/** A table, whose rows follow in the text format of COPY. */
export interface BackupTable {
  name: string
  columns: string[]
}

/** The content of the last frame. */
export interface BackupEnd {
  /** the last value of each sequence; null for one that was never used */
  sequences: { name: string; value: string | null }[]
}

/** Thrown for a file that is not a backup, or not a complete one. */
export class BackupFault extends Error {}

const checksumOf = (previous: Buffer, kind: string, payload: Buffer): Buffer =>
  createHash('sha256').update(previous).update(kind).update(payload).digest().subarray(0, checksumBytes)

/** Writes a backup. Each call resolves when more can be written. */
export interface BackupWriter {
  header(header: BackupHeader): Promise<void>
  table(table: BackupTable): Promise<void>
  data(text: Buffer): Promise<void>
  end(end: BackupEnd): Promise<void>
}

/** Begins a backup. `write` resolves when more can be written. */
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
      await write(Buffer.from(`${signature}${formatVersion}\n`))
      await frame('header', json(header))
    },
    table: table => frame('table', json(table)),
    data: async text => frame('data', await deflate(text, { level: 3 })),
    end: end => frame('end', json(end)),
  }
}

/** Reads a backup in sequence. Every method throws a BackupFault if the file is damaged or incomplete. */
export interface BackupReader {
  readonly header: BackupHeader
  /** Returns the next table, or undefined if there is none; then `end` may be called. */
  nextTable(): Promise<BackupTable | undefined>
  /** Yields the data of that table. It must be consumed before the next table is read. */
  data(): AsyncGenerator<Buffer>
  end(): Promise<BackupEnd>
}

/** Reads the header of a backup. `name` is the name of the file in messages. Throws a BackupFault. */
export async function openBackupReader(bytes: AsyncIterable<Buffer>, name: string): Promise<BackupReader> {
  const take = takeFrom(bytes, name)
  await readSignature(take, name)
  let checksum: Buffer = Buffer.alloc(checksumBytes)
  async function frame(): Promise<{ kind: Kind; payload: Buffer }> {
    const head = await take(5 + checksumBytes)
    const kind = (Object.keys(kinds) as Kind[]).find(kind => kinds[kind] === head.toString('latin1', 0, 1))
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
      for (; next.kind === 'data'; next = await frame()) {
        yield await inflate(next.payload, { maxOutputLength: maxFrameBytes }).catch(() => {
          throw damaged(name)
        })
      }
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

/** Makes a function that takes `length` bytes from the file. It throws if the file ends before that. */
function takeFrom(bytes: AsyncIterable<Buffer>, name: string): Take {
  const source = bytes[Symbol.asyncIterator]()
  let chunks: Buffer[] = []
  let heldBytes = 0
  return async (length, isEndAllowed = false) => {
    while (heldBytes < length) {
      const { value, done } = await source.next()
      if (done && isEndAllowed) break
      if (done) throw new BackupFault(`${name} is cut off: its end is missing. Take another backup.`)
      chunks.push(value)
      heldBytes += value.length
    }
    const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    const rest = all.subarray(length)
    chunks = rest.length > 0 ? [rest] : []
    heldBytes = rest.length
    return all.subarray(0, length)
  }
}

/** Reads the first line. Throws if the file is not a backup or has a newer format. */
async function readSignature(take: Take, name: string): Promise<void> {
  const first = await take(signature.length, true)
  if (first.toString('latin1') !== signature) throw new BackupFault(`${name} is not a backup of Waybill.`)
  let version = ''
  for (let byte = ''; byte !== '\n'; version += byte) {
    if (version.length > maxVersionLength) throw damaged(name)
    byte = (await take(1)).toString('latin1')
  }
  if (!/^\d+\n$/.test(version)) throw damaged(name)
  if (Number(version) > formatVersion)
    throw new BackupFault(
      `${name} was written by a newer Waybill, in format ${Number(version)}; this one reads up to ` +
        `${formatVersion}. Restore it with that version.`,
    )
}
