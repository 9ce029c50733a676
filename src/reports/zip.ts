// Writes a ZIP file while its entries are made: deflated at the fastest level, with the sizes after the data
// of each entry, and with zip64 records if an entry begins beyond 4 GiB. Times are fixed, so that the same
// entries give the same bytes.

import { constants, crc32, deflateRawSync } from 'node:zlib'

const [localHeader, descriptor, centralHeader, zip64End, zip64EndLocator, endOfDirectory] = [
  0x04034b50, 0x08074b50, 0x02014b50, 0x06064b50, 0x07064b50, 0x06054b50,
]
// The sizes follow the data, and names are in UTF-8.
const flags = 0x0808
const deflateMethod = 8
const [plainVersion, zip64Version] = [20, 45]
// 1 January 1980, midnight.
const [time, day] = [0, 0x21]
// In a field of 32 bits: the value is in the zip64 record.
const inZip64 = 0xffffffff

const minChunkBytes = 65_536
// An empty final block. The blocks before it are flushed without ending the deflate stream.
const finalBlock = Buffer.from([3, 0])

interface Entry {
  name: Buffer
  offset: number
  crc: number
  compressedSize: number
  size: number
}

/** Encodes integers one after the other in little-endian order, each in its number of bytes. */
function encode(...fields: (readonly [value: number, bytes: 2 | 4 | 8])[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [, size]) => sum + size, 0))
  let at = 0
  for (const [value, size] of fields) {
    if (size === 8) bytes.writeBigUInt64LE(BigInt(value), at)
    else bytes.writeUIntLE(value, at, size)
    at += size
  }
  return bytes
}

/** A ZIP file that is being written. */
export interface Zip {
  /** Writes an entry of less than 4 GiB. Yields its bytes. */
  entry(name: string, content: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer>
  /** Returns the directory, which ends the file. */
  end(): Buffer
}

/** Begins a ZIP file. `offset` is the number of bytes before it. */
export function beginZip(offset = 0): Zip {
  const entries: Entry[] = []
  let at = offset
  const count = (bytes: Buffer): Buffer => {
    at += bytes.length
    return bytes
  }
  return {
    async *entry(name, content) {
      const entry: Entry = { name: Buffer.from(name), offset: at, crc: 0, compressedSize: 0, size: 0 }
      entries.push(entry)
      yield count(Buffer.concat([headerFields(localHeader, entry, false), entry.name]))
      const start = at
      let chunks: Buffer[] = []
      let size = 0
      for await (const bytes of measure(content, entry)) {
        // Synchronous, because the threads of Node's pool would compete with requests.
        const compressed = deflateRawSync(bytes, {
          level: constants.Z_BEST_SPEED,
          finishFlush: constants.Z_SYNC_FLUSH,
        })
        chunks.push(compressed)
        size += compressed.length
        if (size < minChunkBytes) continue
        yield count(Buffer.concat(chunks))
        chunks = []
        size = 0
      }
      yield count(Buffer.concat([...chunks, finalBlock]))
      entry.compressedSize = at - start
      yield count(encode([descriptor, 4], [entry.crc, 4], [entry.compressedSize, 4], [entry.size, 4]))
    },
    end() {
      const start = at
      const directory = Buffer.concat(entries.map(directoryEntry))
      return Buffer.concat([directory, endRecords(entries.length, start, directory.length)])
    },
  }
}

/** Passes the bytes through, and adds them to the checksum and the size of the entry. */
async function* measure(
  content: Iterable<Buffer> | AsyncIterable<Buffer>,
  entry: Entry,
): AsyncGenerator<Buffer> {
  for await (const bytes of content) {
    entry.crc = crc32(bytes, entry.crc)
    entry.size += bytes.length
    yield bytes
  }
}

/** The fields that a local header and an entry of the directory share. */
function headerFields(
  signature: number,
  { name, crc, compressedSize, size }: Entry,
  isDirectory: boolean,
  extra = 0,
): Buffer {
  const version = extra === 0 ? plainVersion : zip64Version
  return encode(
    [signature, 4],
    ...(isDirectory ? ([[version, 2]] as const) : []),
    ...([
      [version, 2],
      [flags, 2],
      [deflateMethod, 2],
      [time, 2],
      [day, 2],
    ] as const),
    ...(isDirectory
      ? ([
          [crc, 4],
          [compressedSize, 4],
          [size, 4],
        ] as const)
      : ([
          [0, 4],
          [0, 4],
          [0, 4],
        ] as const)),
    ...([
      [name.length, 2],
      [extra, 2],
    ] as const),
  )
}

function directoryEntry(entry: Entry): Buffer {
  const needsZip64 = entry.offset >= inZip64
  const extra = needsZip64 ? encode([1, 2], [8, 2], [entry.offset, 8]) : Buffer.alloc(0)
  const location = encode([0, 2], [0, 2], [0, 2], [0, 4], [needsZip64 ? inZip64 : entry.offset, 4])
  return Buffer.concat([headerFields(centralHeader, entry, true, extra.length), location, entry.name, extra])
}

/** The end records of a directory: its number of entries, its offset and its length in bytes. */
function endRecords(entries: number, start: number, length: number): Buffer {
  const needsZip64 = start >= inZip64
  const zip64 = encode(
    ...([
      [zip64End, 4],
      [44, 8],
      [zip64Version, 2],
      [zip64Version, 2],
      [0, 4],
      [0, 4],
    ] as const),
    ...([
      [entries, 8],
      [entries, 8],
      [length, 8],
      [start, 8],
    ] as const),
    ...([
      [zip64EndLocator, 4],
      [0, 4],
      [start + length, 8],
      [1, 4],
    ] as const),
  )
  const plain = encode(
    ...([
      [endOfDirectory, 4],
      [0, 2],
      [0, 2],
      [entries, 2],
      [entries, 2],
    ] as const),
    ...([
      [length, 4],
      [needsZip64 ? inZip64 : start, 4],
      [0, 2],
    ] as const),
  )
  return needsZip64 ? Buffer.concat([zip64, plain]) : plain
}
