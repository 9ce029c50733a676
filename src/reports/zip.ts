// Writes ZIP files while their entries are made: deflated at the fastest level, with the sizes behind each
// entry, and with a large directory (zip64) where an entry begins behind 4 GiB. Times are fixed, so that the
// same entries are the same bytes.

import { constants, crc32, deflateRawSync } from 'node:zlib'

const [localHeader, descriptor, centralHeader, largeEnd, largeEndLocator, endOfDirectory] = [
  0x04034b50, 0x08074b50, 0x02014b50, 0x06064b50, 0x07064b50, 0x06054b50,
]
// The sizes stand behind the data, and names are UTF-8.
const flags = 0x0808
const deflated = 8
const [plainVersion, largeVersion] = [20, 45]
// 1 January 1980, midnight.
const [time, day] = [0, 0x21]
const unheld = 0xffffffff

const pieceBytes = 65_536
// Nothing, said to be the last: what is flushed before it has no end.
const lastBlock = Buffer.from([3, 0])

interface Entry {
  name: Buffer
  offset: number
  crc: number
  packed: number
  size: number
}

/** Little-endian integers one after the other, each with its number of bytes. */
function bytesOf(...fields: (readonly [value: number, bytes: 2 | 4 | 8])[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [, size]) => sum + size, 0))
  let at = 0
  for (const [value, size] of fields) {
    if (size === 8) bytes.writeBigUInt64LE(BigInt(value), at)
    else bytes.writeUIntLE(value, at, size)
    at += size
  }
  return bytes
}

/** A ZIP file under way. */
export interface Zip {
  /** The bytes of an entry, which must be smaller than 4 GiB. */
  entry(name: string, content: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer>
  /** The directory, which ends the file. */
  end(): Buffer
}

/** Begins a file, or goes on where `offset` bytes stand before. */
export function beginZip(offset = 0): Zip {
  const entries: Entry[] = []
  let at = offset
  const counted = (bytes: Buffer): Buffer => {
    at += bytes.length
    return bytes
  }
  return {
    async *entry(name, content) {
      const entry: Entry = { name: Buffer.from(name), offset: at, crc: 0, packed: 0, size: 0 }
      entries.push(entry)
      yield counted(Buffer.concat([headOf(localHeader, entry, false), entry.name]))
      const start = at
      let packed: Buffer[] = []
      let size = 0
      for await (const bytes of measured(content, entry)) {
        // In this thread: those that Node lends for it have no less priority than requests.
        const piece = deflateRawSync(bytes, {
          level: constants.Z_BEST_SPEED,
          finishFlush: constants.Z_SYNC_FLUSH,
        })
        packed.push(piece)
        size += piece.length
        if (size < pieceBytes) continue
        yield counted(Buffer.concat(packed))
        packed = []
        size = 0
      }
      yield counted(Buffer.concat([...packed, lastBlock]))
      entry.packed = at - start
      yield counted(bytesOf([descriptor, 4], [entry.crc, 4], [entry.packed, 4], [entry.size, 4]))
    },
    end() {
      const start = at
      const directory = Buffer.concat(entries.map(directoryEntry))
      return Buffer.concat([directory, endOf(entries.length, start, directory.length)])
    },
  }
}

/** The bytes, whose checksum and size are noted. */
async function* measured(
  content: Iterable<Buffer> | AsyncIterable<Buffer>,
  entry: Entry,
): AsyncGenerator<Buffer> {
  for await (const bytes of content) {
    entry.crc = crc32(bytes, entry.crc)
    entry.size += bytes.length
    yield bytes
  }
}

/** What a local header and an entry of the directory have in common. */
function headOf(signature: number, { name, crc, packed, size }: Entry, isKnown: boolean, extra = 0): Buffer {
  const version = extra === 0 ? plainVersion : largeVersion
  return bytesOf(
    [signature, 4],
    ...(isKnown ? ([[version, 2]] as const) : []),
    ...([
      [version, 2],
      [flags, 2],
      [deflated, 2],
      [time, 2],
      [day, 2],
    ] as const),
    ...(isKnown
      ? ([
          [crc, 4],
          [packed, 4],
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
  const isFar = entry.offset >= unheld
  const extra = isFar ? bytesOf([1, 2], [8, 2], [entry.offset, 8]) : Buffer.alloc(0)
  const place = bytesOf([0, 2], [0, 2], [0, 2], [0, 4], [isFar ? unheld : entry.offset, 4])
  return Buffer.concat([headOf(centralHeader, entry, true, extra.length), place, entry.name, extra])
}

/** The end of a directory of so many entries and bytes that begins here. */
function endOf(entries: number, start: number, length: number): Buffer {
  const isFar = start >= unheld
  const large = bytesOf(
    ...([
      [largeEnd, 4],
      [44, 8],
      [largeVersion, 2],
      [largeVersion, 2],
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
      [largeEndLocator, 4],
      [0, 4],
      [start + length, 8],
      [1, 4],
    ] as const),
  )
  const plain = bytesOf(
    ...([
      [endOfDirectory, 4],
      [0, 2],
      [0, 2],
      [entries, 2],
      [entries, 2],
    ] as const),
    ...([
      [length, 4],
      [isFar ? unheld : start, 4],
      [0, 2],
    ] as const),
  )
  return isFar ? Buffer.concat([large, plain]) : plain
}
