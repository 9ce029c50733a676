// Messages of the Internet Printing Protocol as bytes: RFC 8010. As much of it as a bridge needs.

export const Operation = {
  PrintJob: 0x0002,
  ValidateJob: 0x0004,
  CancelJob: 0x0008,
  GetJobAttributes: 0x0009,
  GetJobs: 0x000a,
  GetPrinterAttributes: 0x000b,
} as const

const groupTags = { operation: 0x01, job: 0x02, end: 0x03, printer: 0x04 } as const

const valueTags = {
  integer: 0x21,
  boolean: 0x22,
  enum: 0x23,
  text: 0x41,
  name: 0x42,
  keyword: 0x44,
  uri: 0x45,
  charset: 0x47,
  language: 0x48,
  mimeType: 0x49,
} as const

/** An attribute of a request: its syntax and its values. */
export type Attribute = readonly [
  name: string,
  syntax: keyof typeof valueTags,
  ...values: (string | number | boolean)[],
]

/** A range of integers. */
export interface Range {
  from: number
  to: number
}

/** A value of an answer. What a bridge does not read comes as null. */
export type Value = string | number | boolean | Range | null

/** Attributes of an answer by name. */
export type Attributes = ReadonlyMap<string, readonly Value[]>

/** An answer: the status, and the groups of attributes by their tags, in their order. */
export interface Answer {
  status: number
  groups: { tag: number; attributes: Attributes }[]
}

/** A request without its document, which follows the bytes. */
export function encode(
  operation: number,
  requestId: number,
  operationAttributes: readonly Attribute[],
  jobAttributes: readonly Attribute[] = [],
): Buffer {
  const parts = [uint(2, 0x0200), uint(2, operation), uint(4, requestId), uint(1, groupTags.operation)]
  const general: Attribute[] = [
    ['attributes-charset', 'charset', 'utf-8'],
    ['attributes-natural-language', 'language', 'en'],
  ]
  parts.push(...[...general, ...operationAttributes].map(encodeAttribute))
  if (jobAttributes.length > 0) parts.push(uint(1, groupTags.job), ...jobAttributes.map(encodeAttribute))
  parts.push(uint(1, groupTags.end))
  return Buffer.concat(parts)
}

function encodeAttribute([name, syntax, ...values]: Attribute): Buffer {
  return Buffer.concat(
    values.map((value, i) => {
      const bytes = encodeValue(value)
      const named = Buffer.from(i === 0 ? name : '')
      return Buffer.concat([
        uint(1, valueTags[syntax]),
        uint(2, named.length),
        named,
        uint(2, bytes.length),
        bytes,
      ])
    }),
  )
}

function encodeValue(value: string | number | boolean): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    return bytes
  }
  return typeof value === 'boolean' ? uint(1, Number(value)) : Buffer.from(value)
}

function uint(length: 1 | 2 | 4, value: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeUIntBE(value, 0, length)
  return bytes
}

/** Reads an answer. Throws where it is none. */
export function decode(bytes: Buffer): Answer {
  if (bytes.length < 9) throw new Error('The printer answered what is no IPP.')
  const status = bytes.readUInt16BE(2)
  const groups: { tag: number; attributes: Map<string, Value[]> }[] = []
  let last: Value[] = []
  let at = 8
  /** Nesting of collections, whose members are left out. */
  let depth = 0
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('The answer of the printer is cut off.')
    at += length
    return bytes.subarray(at - length, at)
  }
  for (;;) {
    const tag = take(1).readUInt8()
    if (tag === groupTags.end) return { status, groups }
    if (tag < 0x10) {
      groups.push({ tag, attributes: new Map() })
      continue
    }
    const name = take(take(2).readUInt16BE()).toString()
    const value = decodeValue(tag, take(take(2).readUInt16BE()))
    if (tag === 0x37) depth--
    else if (depth === 0) {
      if (name !== '') {
        last = []
        groups.at(-1)?.attributes.set(name, last)
      }
      last.push(value)
    }
    if (tag === 0x34) depth++
  }
}

function decodeValue(tag: number, bytes: Buffer): Value {
  if ((tag === 0x21 || tag === 0x23) && bytes.length === 4) return bytes.readInt32BE()
  if (tag === 0x22 && bytes.length === 1) return bytes[0] === 1
  if (tag === 0x33 && bytes.length === 8) return { from: bytes.readInt32BE(0), to: bytes.readInt32BE(4) }
  // Text and name with a language of their own: two lengths, and the text last.
  if ((tag === 0x35 || tag === 0x36) && bytes.length >= 4) {
    const start = 2 + bytes.readUInt16BE()
    return start + 2 <= bytes.length ? bytes.subarray(start + 2).toString() : null
  }
  return tag >= 0x40 && tag <= 0x5f ? bytes.toString() : null
}
