// Encodes JSON texts as the value of a parameter of type json[], in PostgreSQL's binary format. In the text
// format, every quote of every element would have to be escaped, and the database would have to undo that,
// which takes it longer than everything else that it does with them. Unlike the lines of table-of.ts, the
// texts may have line breaks, as those that callers send do.

const jsonTypeId = 114
const headerBytes = 20

/** The value of a `json[]` parameter. The database checks that each text is JSON, and keeps it as it is. */
export function jsonArray(texts: readonly string[]): Buffer {
  const sizes = texts.map(text => Buffer.byteLength(text))
  const array = Buffer.allocUnsafe(sizes.reduce((total, size) => total + 4 + size, headerBytes))
  // One dimension, without nulls, of this type, with so many elements, the first of which has the number 1.
  let at = 0
  for (const field of [1, 0, jsonTypeId, texts.length, 1]) at = array.writeInt32BE(field, at)
  for (const [i, text] of texts.entries()) {
    at = array.writeInt32BE(sizes[i] as number, at)
    at += array.write(text, at)
  }
  return array
}
