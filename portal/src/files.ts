// Files that people choose, as the bodies of requests have them.

import type { Schemas } from '../../client/src/waybill.ts'
import type { Faults } from './faults.ts'

/** The bytes of a file in base64. */
export async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
}

/** A chosen file for a request. A browser that does not know its type leaves it to the service to refuse. */
export const uploadOf = async (file: File): Promise<Schemas['UploadedFile']> => ({
  fileName: file.name,
  contentType: file.type || 'application/octet-stream',
  content: await base64Of(file),
})

/** The fault of a file in a request, by its path. */
export const faultOfFile = ({ at }: Faults, path: string): string | undefined =>
  ['', '.content', '.contentType', '.fileName'].map(part => at(`${path}${part}`)).find(Boolean)
