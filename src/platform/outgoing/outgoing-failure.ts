// Why an outgoing request failed, in words that may be shown to a tenant: no addresses, no resolver results.
// Spec 6.5.

/**
 * Kinds of failure: `refused` the address may not be called, `unresolved` the host name, `unreachable` no
 * connection, `tls` no trusted connection, `timeout` the deadline, `broken` an answer that is cut off or no
 * HTTP, `too-large`, `failed` anything else (a malformed header, a closed client).
 */
export type FailureKind =
  | 'refused'
  | 'unresolved'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'broken'
  | 'too-large'
  | 'failed'

/** Thrown where an address turns out not to be public only when it is dialled. */
export class RefusedAddress extends Error {}

const UNRESOLVED = 'The host name could not be resolved.'
const CUT_OFF = 'The connection was closed before the answer was complete.'

const BY_CODE: Record<string, [FailureKind, string]> = {
  ENOTFOUND: ['unresolved', UNRESOLVED],
  ENODATA: ['unresolved', UNRESOLVED],
  ESERVFAIL: ['unresolved', UNRESOLVED],
  EREFUSED: ['unresolved', UNRESOLVED],
  ETIMEOUT: ['unresolved', UNRESOLVED],
  EBADNAME: ['unresolved', UNRESOLVED],
  EBADRESP: ['unresolved', UNRESOLVED],
  EAI_AGAIN: ['unresolved', UNRESOLVED],
  EAI_FAIL: ['unresolved', UNRESOLVED],
  ECONNREFUSED: ['unreachable', 'The connection was refused.'],
  EHOSTUNREACH: ['unreachable', 'The host could not be reached.'],
  ENETUNREACH: ['unreachable', 'The host could not be reached.'],
  ETIMEDOUT: ['timeout', 'The connection could not be made in time.'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'The connection could not be made in time.'],
  ECONNRESET: ['broken', CUT_OFF],
  EPIPE: ['broken', CUT_OFF],
  UND_ERR_SOCKET: ['broken', CUT_OFF],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['broken', CUT_OFF],
  UND_ERR_HEADERS_OVERFLOW: ['broken', "The answer's headers are too large."],
  CERT_HAS_EXPIRED: ['tls', 'The certificate has expired.'],
  CERT_NOT_YET_VALID: ['tls', 'The certificate is not valid yet.'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls', 'The certificate is for another host name.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['tls', 'The certificate is self-signed.'],
  SELF_SIGNED_CERT_IN_CHAIN: ['tls', 'The certificate is not from a trusted authority.'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['tls', 'The certificate is not from a trusted authority.'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['tls', 'The certificate chain is not complete.'],
}

/**
 * The kind of an error of the HTTP client and a full sentence for it. Messages of errors are never passed on:
 * they name addresses.
 */
export function describeFailure(error: Error & { code?: unknown }): [FailureKind, string] {
  if (error instanceof RefusedAddress) return ['refused', 'The address is not public.']
  const code = typeof error.code === 'string' ? error.code : ''
  const known = BY_CODE[code]
  if (known) return known
  if (error.name === 'HTTPParserError') return ['broken', 'The answer was not valid HTTP.']
  if (/^(?:ERR_SSL_|ERR_TLS_|CERT_|EPROTO)/.test(code))
    return ['tls', 'The secure connection could not be made.']
  return ['failed', 'The request could not be sent.']
}
