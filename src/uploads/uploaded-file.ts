// Files in request bodies: their schema, and how bad ones are refused. Spec 2.1, 4.4, 4.8; decision 1
// (sizes, files).

import { type Fault, faultAt } from '../platform/http/fault.ts'
import { type CheckedFile, checkFile, maxFileBytes } from '../platform/http/files.ts'
import { type Refusal, tooLarge, validationFailed } from '../platform/http/refusal.ts'
import { IntegerEnum, named, optional, type Static, Type } from '../platform/http/schema.ts'
import { PrintType } from '../vocabulary/paper.ts'

/** An uploaded file. */
export const UploadedFile = named(
  'UploadedFile',
  Type.Object({
    fileName: Type.String(),
    contentType: Type.String(),
    content: Type.String({ contentEncoding: 'base64', description: 'At most 10 MiB when decoded.' }),
    options: optional(Type.Object({ printType: optional(IntegerEnum(PrintType)) })),
  }),
)
export type UploadedFile = Static<typeof UploadedFile>

/** An uploaded file that passed every check. */
export interface AcceptedFile extends CheckedFile {
  printType: number | null
}

/**
 * Decodes and checks the files of a request; `field` is the path of each in the body ("attachments[0]").
 * Refuses (413) a file larger than 10 MiB. Refuses all other faults together: with 400, or with the refusal
 * that `badContent` returns if the content of a file is at fault. `only: 'image'` accepts images only.
 */
export async function acceptFiles(
  files: readonly (readonly [field: string, file: UploadedFile])[],
  {
    only,
    badContent = validationFailed,
  }: { only?: 'image'; badContent?: (...faults: Fault[]) => Refusal } = {},
): Promise<AcceptedFile[]> {
  const tooLargeFile = files.find(([, { content }]) => Buffer.byteLength(content, 'base64') > maxFileBytes)
  if (tooLargeFile !== undefined)
    throw tooLarge(faultAt(`${tooLargeFile[0]}.content`, 'must not be larger than 10 MiB', 'too_large'))
  const accepted: AcceptedFile[] = []
  const faults: Fault[] = []
  let isContentBad = false
  for (const [field, file] of files) {
    const checked = await checkFile(file, field, only)
    if ('file' in checked) accepted.push({ ...checked.file, printType: file.options?.printType ?? null })
    else {
      faults.push(...checked.faults)
      isContentBad ||= checked.invalidContent
    }
  }
  if (faults.length > 0) throw (isContentBad ? badContent : validationFailed)(...faults)
  return accepted
}
