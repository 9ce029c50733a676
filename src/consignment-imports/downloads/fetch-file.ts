// Fetches one file through the guarded HTTP client: its content, the name and type that the server gives, and
// the type that the content reveals. Spec 2.3, 6.5; decision 5.

import { detectContent, maxFileBytes, mediaType, nameFault } from '../../platform/http/files.ts'
import type { OutgoingHttp, OutgoingResponse } from '../../platform/outgoing/outgoing-http.ts'
import type { FetchFailure, FetchResult } from './stored-downloads.ts'

/**
 * Fetches one file and detects its type. Whether it is acceptable as the attachment of an import is checked
 * later, when the import is planned.
 */
export async function fetchFile(
  outgoing: OutgoingHttp,
  url: string,
  timeoutMs: number,
): Promise<FetchResult> {
  const answer = await outgoing.send({
    url,
    method: 'GET',
    headers: {},
    timeoutMs,
    maxResponseBytes: maxFileBytes,
    onTooLarge: 'fail',
  })
  const failure = failureOf(answer)
  if (failure !== null) return failure
  const { headers, body: content } = answer as Extract<OutgoingResponse, { ok: true }>
  if (content.length === 0) return { fault: 'The file is empty.', isTransient: false, isRefused: false }
  const contentType = mediaType(headers['content-type'] ?? '') || null
  const names = [nameInHeader(headers['content-disposition'] ?? ''), nameInUrl(url)].map(
    name => name.split(/[/\\]/).at(-1)?.trim() ?? '',
  )
  const fileName = names.find(name => nameFault(name, 'fileName') === null) ?? null
  return { fileName, contentType, ...(await detectContent(content)), content }
}

const transientKinds = new Set(['unresolved', 'unreachable', 'timeout', 'broken', 'failed'])

function failureOf(answer: OutgoingResponse): FetchFailure | null {
  if (!answer.ok) {
    const { error, kind } = answer
    return { fault: error, isTransient: transientKinds.has(kind), isRefused: kind === 'unreachable' }
  }
  if (answer.status >= 200 && answer.status <= 299) return null
  return {
    fault: `The server answered with status ${answer.status}.`,
    isTransient: answer.status >= 500 || answer.status === 429,
    isRefused: false,
  }
}

/** The file name in a Content-Disposition header (RFC 6266), or an empty string. */
function nameInHeader(header: string): string {
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1]
  if (encoded !== undefined) return decodeOrKeep(encoded)
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? []
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? ''
}

/** The last segment of the path of a URL. */
const nameInUrl = (url: string): string =>
  decodeOrKeep(
    URL.parse(url)
      ?.pathname.split('/')
      .findLast(part => part !== '') ?? '',
  )

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
