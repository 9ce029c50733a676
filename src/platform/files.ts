// Files carried inside requests: strict base64, allowed types judged by content, safe names. Spec 2.1.

import { fileTypeFromBuffer } from 'file-type'

/** The most that one decoded file may hold: 10 MiB. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024

/** A file as a request carries it (spec 2.1): `content` is base64. */
export interface UploadedFile {
  fileName: string
  contentType: string
  content: string
}

/** A file that passed every check; `contentType` is lower case and without parameters. */
export interface CheckedFile {
  fileName: string
  contentType: string
  bytes: Buffer
}

/** What is wrong, as full sentences. `invalidContent`: the content itself is bad (422 where the specification says so), not only its name or declared type. */
export interface FileFaults {
  faults: string[]
  invalidContent: boolean
}

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.'
const ZIP = 'application/zip'
const OLD_OFFICE = 'application/x-cfb'
const ZIPPED_OFFICE = [
  ...['wordprocessingml.document', 'spreadsheetml.sheet', 'presentationml.presentation'].map(name => OPEN_XML + name),
  ...['text', 'spreadsheet', 'presentation'].map(name => OPEN_DOCUMENT + name),
]
const TEXTS = ['text/plain', 'text/csv']

/** For each type that may be declared, the types that its content may show. A zipped document that was packed unusually shows as a mere ZIP. */
const SHOWN_BY = new Map<string, readonly string[]>(
  Object.entries({
    'application/pdf': ['application/pdf'],
    'image/png': ['image/png', 'image/apng'],
    'image/jpeg': ['image/jpeg'],
    'image/gif': ['image/gif'],
    'image/webp': ['image/webp'],
    'image/tiff': ['image/tiff'],
    'application/msword': [OLD_OFFICE],
    'application/vnd.ms-excel': [OLD_OFFICE],
    'application/vnd.ms-powerpoint': [OLD_OFFICE],
    ...Object.fromEntries(ZIPPED_OFFICE.map(type => [type, [type, ZIP]])),
    [ZIP]: [ZIP, ...ZIPPED_OFFICE],
  }),
)
const OTHER_SPELLINGS = new Map([
  ['image/jpg', 'image/jpeg'],
  ['application/x-zip-compressed', ZIP],
])

// Separators, control characters, and the marks that turn the reading direction (they make "exe.fdp" of "pdf.exe").
const BAD_IN_NAME = /[/\\\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
// Everything below the space but tab, line feed, form feed and carriage return.
const CONTROL_BYTES = Array.from({ length: 0x20 }, (_, byte) => byte).filter(byte => !'\t\n\f\r'.includes(String.fromCharCode(byte)))
// Enough for every signature; container formats otherwise let the sender choose how much there is to search.
const SIGNATURE_BYTES = 256 * 1024
// The directory by which a TIFF is told from its relatives may stand at its very end.
const TIFF_MARKS = ['II*\0', 'MM\0*']

/**
 * Checks an uploaded file: name, declared type, base64, size (at most 10 MiB), and that type and content agree. `field` is the file's place in the request
 * for the sentences ("notes[0].attachments[1]"); `only: 'image'` refuses everything else. Never throws. Contents are judged by
 * their signature; text has none and must be free of control bytes.
 */
export async function checkFile(given: UploadedFile, field: string, only?: 'image'): Promise<{ file: CheckedFile } | FileFaults> {
  const contentType = mediaType(given.contentType)
  const nameFault = faultOfName(given.fileName, `${field}.fileName`)
  const typeFault = faultOfType(contentType, `${field}.contentType`, only)
  const bytes = given.content.length > base64Length(MAX_FILE_BYTES) ? 'too large' : decodeBase64(given.content)
  const contentFault = await faultOfContent(bytes, typeFault === null ? contentType : null, field)
  const faults = [nameFault, typeFault, contentFault].filter(fault => fault !== null)
  if (faults.length > 0 || !Buffer.isBuffer(bytes)) return { faults, invalidContent: contentFault !== null }
  return { file: { fileName: given.fileName, contentType, bytes } }
}

/** Decodes base64 as RFC 4648 section 4 has it: that alphabet, padded, nothing else, not even line breaks. Null when it is anything else. */
export function decodeBase64(text: string): Buffer | null {
  // Node skips what it does not understand; encoding again shows whether it did, in half the time of a regular expression.
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

/** The header that makes a browser save a download under its name (RFC 6266): an ASCII name for old ones and the real one in UTF-8. Takes any string. */
export function contentDisposition(fileName: string): string {
  const name = fileName.toWellFormed().replace(/\p{Cc}/gu, '')
  const ascii = name.replace(/[^ -~]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

function faultOfName(name: string, field: string): string | null {
  if (name.trim() === '') return `${field} must not be empty.`
  if (name.length > 200) return `${field} must not be longer than 200 characters.`
  if (BAD_IN_NAME.test(name) || !name.isWellFormed()) return `${field} must not contain path separators or control characters.`
  return name === '.' || name === '..' ? `${field} must be the name of a file.` : null
}

function faultOfType(contentType: string, field: string, only?: 'image'): string | null {
  if (only === 'image') return contentType.startsWith('image/') && SHOWN_BY.has(contentType) ? null : `${field} must be an image type.`
  if (SHOWN_BY.has(contentType) || TEXTS.includes(contentType)) return null
  return `${field} must be PDF, an image (PNG, JPEG, GIF, WebP, TIFF), plain text, CSV, an Office document or ZIP.`
}

async function faultOfContent(bytes: Buffer | 'too large' | null, contentType: string | null, field: string): Promise<string | null> {
  if (bytes === null) return `${field}.content must be base64.`
  if (bytes === 'too large' || bytes.length > MAX_FILE_BYTES) return `${field}.content must not be larger than 10 MiB.`
  if (bytes.length === 0) return `${field}.content must not be empty.`
  if (contentType === null) return null
  const agrees = TEXTS.includes(contentType) ? isText(bytes) : SHOWN_BY.get(contentType)?.includes(await shownType(bytes))
  return agrees ? null : `${field}.content is not what ${field}.contentType says (${contentType}).`
}

/** The type that the signature shows, or an empty string. Content made to upset the detection shows nothing. */
async function shownType(bytes: Buffer): Promise<string> {
  const shown = await fileTypeFromBuffer(bytes.subarray(0, SIGNATURE_BYTES)).catch(() => undefined)
  return shown?.mime ?? (TIFF_MARKS.includes(bytes.toString('latin1', 0, 4)) ? 'image/tiff' : '')
}

// Any encoding that extends ASCII passes: spreadsheets still write CSV in Windows code pages. UTF-16 does not, it is full of zeros.
function isText(bytes: Buffer): boolean {
  return !CONTROL_BYTES.some(byte => bytes.includes(byte))
}

/** A content type as it is compared and stored: lower case, without parameters, in its usual spelling. */
export function mediaType(contentType: string): string {
  const essence = contentType.replace(/;.*/s, '').trim().toLowerCase()
  return OTHER_SPELLINGS.get(essence) ?? essence
}

function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4
}
