// Encodes and decodes messages of the Internet Printing Protocol (RFC 8010), as far as the bridge needs it.

export const Operation = {
  PrintJob: 0x0002,
  ValidateJob: 0x0004,
  CancelJob: 0x0008,
  GetJobAttributes: 0x0009,
  GetJobs: 0x000a,
  GetPrinterAttributes: 0x000b,
} as const

/** The tags that begin a group of attributes, or end the last one. */
export const groupTags = { operation: 0x01, job: 0x02, end: 0x03, printer: 0x04, unsupported: 0x05 } as const

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

/** A value in a response. Values of unsupported types are null. */
export type Value = string | number | boolean | Range | null

/** The attributes of a response by name. */
export type Attributes = ReadonlyMap<string, readonly Value[]>

/** A response: its status, and its groups of attributes in order. */
export interface IppResponse {
  status: number
  groups: { tag: number; attributes: Attributes }[]
}

/** Encodes a request. A document, if any, follows these bytes. */
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
      const nameBytes = Buffer.from(i === 0 ? name : '')
      return Buffer.concat([
        uint(1, valueTags[syntax]),
        uint(2, nameBytes.length),
        nameBytes,
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

/** Decodes a response. Throws if it is not IPP or is incomplete. */
export function decode(bytes: Buffer): IppResponse {
  if (bytes.length < 9) throw new Error('The response of the printer is not IPP.')
  const status = bytes.readUInt16BE(2)
  const groups: { tag: number; attributes: Map<string, Value[]> }[] = []
  let last: Value[] = []
  let at = 8
  /** The nesting depth of collections, whose members are skipped. */
  let depth = 0
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('The response of the printer is cut off.')
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
    if (tag === endCollection) depth--
    else if (depth === 0) {
      if (name !== '') {
        last = []
        groups.at(-1)?.attributes.set(name, last)
      }
      last.push(value)
    }
    if (tag === beginCollection) depth++
  }
}

const beginCollection = 0x34
const endCollection = 0x37

function decodeValue(tag: number, bytes: Buffer): Value {
  if ((tag === 0x21 || tag === 0x23) && bytes.length === 4) return bytes.readInt32BE()
  if (tag === 0x22 && bytes.length === 1) return bytes[0] === 1
  if (tag === 0x33 && bytes.length === 8) return { from: bytes.readInt32BE(0), to: bytes.readInt32BE(4) }
  // textWithLanguage and nameWithLanguage: the length of the language, the language, the length of the text,
  // the text.
  if ((tag === 0x35 || tag === 0x36) && bytes.length >= 4) {
    const start = 2 + bytes.readUInt16BE()
    return start + 2 <= bytes.length ? bytes.subarray(start + 2).toString() : null
  }
  return tag >= 0x40 && tag <= 0x5f ? bytes.toString() : null
}
