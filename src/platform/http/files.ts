// Files carried inside requests: strict base64, allowed types judged by content, safe names. Spec 2.1.

import { create } from 'content-disposition'
import { fileTypeFromBuffer } from 'file-type'
import { type Fault, faultAt } from './fault.ts'

/** The most that one decoded file may hold: 10 MiB. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024

/**
 * A file as a request carries it (spec 2.1): `content` is base64. Where name or type are left open, the
 * content says what it is.
 */
export interface UploadedFile {
  fileName?: string | null
  contentType?: string | null
  content: string
}

/** A file that passed every check; `contentType` is lower case and without parameters. */
export interface CheckedFile {
  fileName: string
  contentType: string
  bytes: Buffer
}

/**
 * What is wrong. `invalidContent`: the content itself is bad (422 where the specification
 * says so), not only its name or declared type.
 */
export interface FileFaults {
  faults: Fault[]
  invalidContent: boolean
}

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.'
const ZIP = 'application/zip'
const OLD_OFFICE = 'application/x-cfb'
const ZIPPED_OFFICE_BY_EXTENSION = {
  docx: `${OPEN_XML}wordprocessingml.document`,
  xlsx: `${OPEN_XML}spreadsheetml.sheet`,
  pptx: `${OPEN_XML}presentationml.presentation`,
  odt: `${OPEN_DOCUMENT}text`,
  ods: `${OPEN_DOCUMENT}spreadsheet`,
  odp: `${OPEN_DOCUMENT}presentation`,
}
const ZIPPED_OFFICE = Object.values(ZIPPED_OFFICE_BY_EXTENSION)
const TEXTS = ['text/plain', 'text/csv']

/**
 * For each type that may be declared, the types that its content may show. A zipped document that was packed
 * unusually shows as a mere ZIP.
 */
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
/** The type that each extension stands for. Of several for one type, a file without a name gets the first. */
const EXTENSIONS = new Map<string, string>(
  Object.entries({
    pdf: 'application/pdf',
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
    tif: 'image/tiff',
    tiff: 'image/tiff',
    txt: 'text/plain',
    csv: 'text/csv',
    doc: 'application/msword',
    xls: 'application/vnd.ms-excel',
    ppt: 'application/vnd.ms-powerpoint',
    ...ZIPPED_OFFICE_BY_EXTENSION,
    zip: ZIP,
  }),
)
const OTHER_SPELLINGS = new Map([
  ['image/jpg', 'image/jpeg'],
  ['application/x-zip-compressed', ZIP],
])

// Separators, control characters, and the marks that turn the reading direction (they make "exe.fdp" of
// "pdf.exe").
const BAD_IN_NAME = /[/\\\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
// Everything below the space but tab, line feed, form feed and carriage return.
const CONTROL_BYTES = Array.from({ length: 0x20 }, (_, byte) => byte).filter(
  byte => !'\t\n\f\r'.includes(String.fromCharCode(byte)),
)
// What begins formats that can do without control bytes. Shorter beginnings, such as BM of a bitmap, are also
// those of words.
const FORMAT_IN_TEXT =
  /^(?:\xef\xbb\xbf)?\s*(?:%PDF-|%!PS-|\{\\rtf|GIF8[79]a|<\?xml\s|<!doctype\s|<(?:html|svg)[\s>])/i
// Enough for every signature; container formats otherwise let the sender choose how much there is to search.
const SIGNATURE_BYTES = 256 * 1024
// The directory by which a TIFF is told from its relatives may stand at its very end.
const TIFF_MARKS = ['II*\0', 'MM\0*']

/**
 * Checks an uploaded file: name, declared type, base64, size (at most 10 MiB), and that type and content
 * agree. `field` is the file's place in the request for the sentences ("notes[0].attachments[1]"); `only:
 * 'image'` refuses everything else. Never throws. Contents are judged by their signature; text has none, must
 * be free of control bytes and must not begin as another format does.
 */
export async function checkFile(
  given: UploadedFile,
  field: string,
  only?: 'image',
): Promise<{ file: CheckedFile } | FileFaults> {
  const bytes =
    given.content.length > base64Length(MAX_FILE_BYTES) ? 'too large' : decodeBase64(given.content)
  const sizeFault = faultOfSize(bytes, field)
  const shown = Buffer.isBuffer(bytes) && sizeFault === null ? await shownBy(bytes) : null
  const contentType = mediaType(given.contentType ?? (shown && typeShown(shown, given.fileName)) ?? '')
  const fileName = given.fileName ?? nameOf(contentType)
  const isOpen = (given.contentType ?? null) === null && shown === null
  const typeFault = isOpen ? null : faultOfType(contentType, `${field}.contentType`, only)
  const contentFault =
    sizeFault ?? (typeFault === null && shown !== null ? disagreement(contentType, shown, field) : null)
  const faults = [nameFault(fileName, `${field}.fileName`), typeFault, contentFault].filter(
    fault => fault !== null,
  )
  if (faults.length > 0 || !Buffer.isBuffer(bytes)) return { faults, invalidContent: contentFault !== null }
  return { file: { fileName, contentType, bytes } }
}

/**
 * What a content shows of its type: that of its signature, or an empty string, and whether it reads as text.
 */
export interface Shown {
  signature: string
  isText: boolean
}

/** Looks at a content. Content made to upset the detection shows nothing. */
export const shownBy = async (bytes: Buffer): Promise<Shown> => ({
  signature: await signatureOf(bytes),
  isText: isText(bytes),
})

/**
 * What is wrong with a name and a type for a content that shows this; the name and the type of
 * a file that passes are fit to be stored.
 */
export function declarationFaults(
  fileName: string,
  contentType: string,
  shown: Shown,
  field: string,
): Fault[] {
  const typeFault =
    faultOfType(contentType, `${field}.contentType`) ?? disagreement(contentType, shown, field)
  return [nameFault(fileName, `${field}.fileName`), typeFault].filter(fault => fault !== null)
}

/** Whether files of this type are taken. */
export const isAllowedType = (contentType: string): boolean =>
  SHOWN_BY.has(contentType) || TEXTS.includes(contentType)

/**
 * The type of a content that shows this: what its name ends with, where they agree, else what its signature
 * says, else plain text. Null: none that is allowed.
 */
export function typeShown(shown: Shown, fileName: string | null | undefined): string | null {
  const named = EXTENSIONS.get(/\.([^.]*)$/.exec(fileName ?? '')?.[1]?.toLowerCase() ?? '')
  const candidates = [named, shown.signature, 'text/plain']
  return candidates.find(type => type !== undefined && isAllowedType(type) && agrees(type, shown)) ?? null
}

/** A name for a file that has none: `file` with the extension of its type. */
export function nameOf(contentType: string): string {
  const extension = [...EXTENSIONS].find(([, type]) => type === contentType)?.[0]
  return extension === undefined ? 'file' : `file.${extension}`
}

/**
 * Decodes base64 as RFC 4648 section 4 has it: that alphabet, padded, nothing else, not even line breaks.
 * Null when it is anything else.
 */
export function decodeBase64(text: string): Buffer | null {
  const { length } = text
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  // Node reads the alphabet of URLs too, and of every other letter the lower byte.
  if (length % 4 !== 0 || text.includes('-') || text.includes('_')) return null
  if (Buffer.byteLength(text) !== length) return null
  const bytes = Buffer.from(text, 'base64')
  // Node skips what it does not understand: then there are fewer bytes. What it reads of the last letters and
  // leaves, encoding them again shows.
  if (bytes.length !== (length / 4) * 3 - padding) return null
  const last = bytes.subarray(Math.floor((bytes.length - 1) / 3) * 3)
  return last.toString('base64') === text.slice(-4) ? bytes : null
}

/**
 * The header that makes a browser save a download under its name (RFC 6266): an ASCII name for old ones and
 * the real one in UTF-8. Takes any string.
 */
export function contentDisposition(fileName: string): string {
  return create(fileName.toWellFormed().replace(/\p{Cc}/gu, ''))
}

/** What is wrong with a file name that `field` gives, or null. */
export function nameFault(name: string, field: string): Fault | null {
  if (name.trim() === '') return faultAt(field, 'must not be empty', 'length')
  if (name.length > 200) return faultAt(field, 'must not be longer than 200 characters', 'length')
  if (BAD_IN_NAME.test(name) || !name.isWellFormed())
    return faultAt(field, 'must not contain path separators or control characters', 'pattern')
  return name === '.' || name === '..' ? faultAt(field, 'must be the name of a file', 'pattern') : null
}

function faultOfType(contentType: string, field: string, only?: 'image'): Fault | null {
  if (only === 'image')
    return contentType.startsWith('image/') && SHOWN_BY.has(contentType)
      ? null
      : faultAt(field, 'must be an image type', 'enum')
  if (isAllowedType(contentType)) return null
  return faultAt(
    field,
    'must be PDF, an image (PNG, JPEG, GIF, WebP, TIFF), plain text, CSV, an Office document or ZIP',
    'enum',
  )
}

function faultOfSize(bytes: Buffer | 'too large' | null, field: string): Fault | null {
  if (bytes === null) return faultAt(`${field}.content`, 'must be base64', 'format')
  if (bytes === 'too large' || bytes.length > MAX_FILE_BYTES)
    return faultAt(`${field}.content`, 'must not be larger than 10 MiB', 'too_large')
  return bytes.length === 0 ? faultAt(`${field}.content`, 'must not be empty', 'length') : null
}

const agrees = (contentType: string, { signature, isText }: Shown): boolean =>
  TEXTS.includes(contentType) ? isText : (SHOWN_BY.get(contentType)?.includes(signature) ?? false)

const disagreement = (contentType: string, shown: Shown, field: string): Fault | null =>
  agrees(contentType, shown)
    ? null
    : faultAt(`${field}.content`, `is not what ${field}.contentType says (${contentType})`, 'unprocessable')

async function signatureOf(bytes: Buffer): Promise<string> {
  const shown = await fileTypeFromBuffer(bytes.subarray(0, SIGNATURE_BYTES)).catch(() => undefined)
  return shown?.mime ?? (TIFF_MARKS.includes(bytes.toString('latin1', 0, 4)) ? 'image/tiff' : '')
}

// Any encoding that extends ASCII passes: spreadsheets still write CSV in Windows code pages. UTF-16 does
// not, it is full of zeros.
function isText(bytes: Buffer): boolean {
  return (
    !CONTROL_BYTES.some(byte => bytes.includes(byte)) &&
    !FORMAT_IN_TEXT.test(bytes.toString('latin1', 0, 1024))
  )
}

/** A content type as it is compared and stored: lower case, without parameters, in its usual spelling. */
export function mediaType(contentType: string): string {
  const essence = contentType.replace(/;.*/s, '').trim().toLowerCase()
  return OTHER_SPELLINGS.get(essence) ?? essence
}

function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4
}
