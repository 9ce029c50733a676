// Checks files inside request bodies: strict base64, types verified by content, safe names. Spec 2.1.

import { create } from 'content-disposition'
import { type Fault, faultAt } from './fault.ts'

/** The largest size of a decoded file: 10 MiB. */
export const maxFileBytes = 10 * 1024 * 1024

/**
 * A file in a request body. `content` is base64. A missing name or type is derived from the content. Spec
 * 2.1.
 */
export interface ReceivedFile {
  fileName?: string | null
  contentType?: string | null
  content: string
}

/** A file that passed all checks. `contentType` is in lower case and without parameters. */
export interface CheckedFile {
  fileName: string
  contentType: string
  bytes: Buffer
}

/**
 * The faults of a file. `invalidContent` means that the content itself is bad, not only its name or declared
 * type. The specification sometimes wants 422 then.
 */
export interface FileFaults {
  faults: Fault[]
  invalidContent: boolean
}

const openXml = 'application/vnd.openxmlformats-officedocument.'
const openDocument = 'application/vnd.oasis.opendocument.'
const zip = 'application/zip'
const oldOffice = 'application/x-cfb'
const zippedOfficeByExtension = {
  docx: `${openXml}wordprocessingml.document`,
  xlsx: `${openXml}spreadsheetml.sheet`,
  pptx: `${openXml}presentationml.presentation`,
  odt: `${openDocument}text`,
  ods: `${openDocument}spreadsheet`,
  odp: `${openDocument}presentation`,
}
const zippedOffice = Object.values(zippedOfficeByExtension)
const texts = ['text/plain', 'text/csv']

/**
 * For each type that may be declared, the types that may be detected in its content. An Office document whose
 * ZIP has an unusual layout is detected only as a ZIP.
 */
const detectedTypes = new Map<string, readonly string[]>(
  Object.entries({
    'application/pdf': ['application/pdf'],
    'image/png': ['image/png', 'image/apng'],
    'image/jpeg': ['image/jpeg'],
    'image/gif': ['image/gif'],
    'image/webp': ['image/webp'],
    'image/tiff': ['image/tiff'],
    'application/msword': [oldOffice],
    'application/vnd.ms-excel': [oldOffice],
    'application/vnd.ms-powerpoint': [oldOffice],
    ...Object.fromEntries(zippedOffice.map(type => [type, [type, zip]])),
    [zip]: [zip, ...zippedOffice],
  }),
)
/** The type for each extension. A file without a name gets the first extension of its type. */
const extensions = new Map<string, string>(
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
    ...zippedOfficeByExtension,
    zip,
  }),
)
const synonyms = new Map([
  ['image/jpg', 'image/jpeg'],
  ['application/x-zip-compressed', zip],
])

// Path separators, control characters, and the marks that change the reading direction, which can display
// "exe.fdp" as "pdf.exe".
const badInName = /[/\\\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
// All characters below the space except tab, line feed, form feed and carriage return.
const controlBytes = Array.from({ length: 0x20 }, (_, byte) => byte).filter(
  byte => !'\t\n\f\r'.includes(String.fromCharCode(byte)),
)
// The beginnings of formats that may contain no control bytes. Shorter signatures, such as BM of a bitmap,
// are left out because ordinary words begin with them.
const textualFormat =
  /^(?:\xef\xbb\xbf)?\s*(?:%PDF-|%!PS-|\{\\rtf|GIF8[79]a|<\?xml\s|<!doctype\s|<(?:html|svg)[\s>])/i
// Enough for every signature. With container formats, the sender could otherwise make the search very long.
const signatureBytes = 256 * 1024
// Matched separately, because the directory that identifies a TIFF may be at the end of the file.
const tiffSignatures = ['II*\0', 'MM\0*']

/**
 * Checks an uploaded file: its name, declared type, base64 and size (at most 10 MiB), and that its type
 * matches its content. `field` is the path of the file in the request, such as "notes[0].attachments[1]", for
 * the messages. `only: 'image'` refuses all other types. Never throws. Content is recognised by its
 * signature. Text has no signature: it must be free of control bytes and must not begin like another format.
 */
export async function checkFile(
  upload: ReceivedFile,
  field: string,
  only?: 'image',
): Promise<{ file: CheckedFile } | FileFaults> {
  const bytes =
    upload.content.length > base64Length(maxFileBytes) ? 'too large' : decodeBase64(upload.content)
  const sizeFault = faultOfSize(bytes, field)
  const detected = Buffer.isBuffer(bytes) && sizeFault === null ? await detectContent(bytes) : null
  const contentType = mediaType(
    upload.contentType ?? (detected && detectType(detected, upload.fileName)) ?? '',
  )
  const fileName = upload.fileName ?? defaultFileName(contentType)
  const isTypeUnknown = (upload.contentType ?? null) === null && detected === null
  const typeFault = isTypeUnknown ? null : faultOfType(contentType, `${field}.contentType`, only)
  const contentFault =
    sizeFault ??
    (typeFault === null && detected !== null ? mismatchFault(contentType, detected, field) : null)
  const faults = [nameFault(fileName, `${field}.fileName`), typeFault, contentFault].filter(
    fault => fault !== null,
  )
  if (faults.length > 0 || !Buffer.isBuffer(bytes)) return { faults, invalidContent: contentFault !== null }
  return { file: { fileName, contentType, bytes } }
}

/** What was detected in a content: the type of its signature, or an empty string, and whether it is text. */
export interface DetectedContent {
  signature: string
  isText: boolean
}

/** Detects the type of a content. If the detection fails on malicious content, no signature is returned. */
export const detectContent = async (bytes: Buffer): Promise<DetectedContent> => ({
  signature: await signatureOf(bytes),
  isText: isText(bytes),
})

/**
 * Returns what is wrong with the name and type of a file, given what was detected in its content. If there
 * are no faults, the name and type can be stored.
 */
export function declarationFaults(
  fileName: string,
  contentType: string,
  detected: DetectedContent,
  field: string,
): Fault[] {
  const typeFault =
    faultOfType(contentType, `${field}.contentType`) ?? mismatchFault(contentType, detected, field)
  return [nameFault(fileName, `${field}.fileName`), typeFault].filter(fault => fault !== null)
}

/** Whether files of this type are accepted. */
export const isAllowedType = (contentType: string): boolean =>
  detectedTypes.has(contentType) || texts.includes(contentType)

/**
 * Returns the type of a content: that of the file name's extension if the content matches it, otherwise that
 * of the signature, otherwise plain text. Returns null if none of these is allowed.
 */
export function detectType(detected: DetectedContent, fileName: string | null | undefined): string | null {
  const typeByName = extensions.get(/\.([^.]*)$/.exec(fileName ?? '')?.[1]?.toLowerCase() ?? '')
  const candidates = [typeByName, detected.signature, 'text/plain']
  return candidates.find(type => type !== undefined && isAllowedType(type) && matches(type, detected)) ?? null
}

/** The name for a file that has none: `file` with the extension of its type. */
export function defaultFileName(contentType: string): string {
  const extension = [...extensions].find(([, type]) => type === contentType)?.[0]
  return extension === undefined ? 'file' : `file.${extension}`
}

/**
 * Decodes base64 strictly (RFC 4648, section 4): the standard alphabet with padding and nothing else, not
 * even line breaks. Returns null for anything else.
 */
export function decodeBase64(text: string): Buffer | null {
  const { length } = text
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  // Node also accepts the URL-safe alphabet, and reads only the lower byte of non-ASCII characters.
  if (length % 4 !== 0 || text.includes('-') || text.includes('_')) return null
  if (Buffer.byteLength(text) !== length) return null
  const bytes = Buffer.from(text, 'base64')
  // Node skips invalid characters, which leaves fewer bytes. It also ignores surplus bits in the last group;
  // encoding that group again reveals them.
  if (bytes.length !== (length / 4) * 3 - padding) return null
  const last = bytes.subarray(Math.floor((bytes.length - 1) / 3) * 3)
  return last.toString('base64') === text.slice(-4) ? bytes : null
}

/**
 * The header that makes a browser save a download under its name (RFC 6266): an ASCII name for old browsers
 * and the real name in UTF-8. Accepts any string.
 */
export function contentDisposition(fileName: string): string {
  return create(fileName.toWellFormed().replace(/\p{Cc}/gu, ''))
}

/** Returns what is wrong with the file name in `field`, or null. */
export function nameFault(name: string, field: string): Fault | null {
  if (name.trim() === '') return faultAt(field, 'must not be empty', 'length')
  if (name.length > 200) return faultAt(field, 'must not be longer than 200 characters', 'length')
  if (badInName.test(name) || !name.isWellFormed())
    return faultAt(field, 'must not contain path separators or control characters', 'pattern')
  return name === '.' || name === '..' ? faultAt(field, 'must be the name of a file', 'pattern') : null
}

function faultOfType(contentType: string, field: string, only?: 'image'): Fault | null {
  if (only === 'image')
    return contentType.startsWith('image/') && detectedTypes.has(contentType)
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
  if (bytes === 'too large' || bytes.length > maxFileBytes)
    return faultAt(`${field}.content`, 'must not be larger than 10 MiB', 'too_large')
  return bytes.length === 0 ? faultAt(`${field}.content`, 'must not be empty', 'length') : null
}

const matches = (contentType: string, { signature, isText }: DetectedContent): boolean =>
  texts.includes(contentType) ? isText : (detectedTypes.get(contentType)?.includes(signature) ?? false)

const mismatchFault = (contentType: string, detected: DetectedContent, field: string): Fault | null =>
  matches(contentType, detected)
    ? null
    : faultAt(`${field}.content`, `is not what ${field}.contentType says (${contentType})`, 'unprocessable')

async function signatureOf(bytes: Buffer): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const detected = await fileTypeFromBuffer(bytes.subarray(0, signatureBytes)).catch(() => undefined)
  return detected?.mime ?? (tiffSignatures.includes(bytes.toString('latin1', 0, 4)) ? 'image/tiff' : '')
}

// Any encoding that extends ASCII passes, because spreadsheets still write CSV in Windows code pages. UTF-16
// does not pass, because it is full of zero bytes.
function isText(bytes: Buffer): boolean {
  return (
    !controlBytes.some(byte => bytes.includes(byte)) && !textualFormat.test(bytes.toString('latin1', 0, 1024))
  )
}

/** Normalises a content type: lower case, without parameters, and without synonyms. */
export function mediaType(contentType: string): string {
  const essence = contentType.replace(/;.*/s, '').trim().toLowerCase()
  return synonyms.get(essence) ?? essence
}

function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4
}
