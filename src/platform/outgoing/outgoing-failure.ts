// Describes why an outgoing request failed, in sentences that may be shown to a tenant: they contain no
// addresses and no results of name resolution. Spec 6.5.

/**
 * The kinds of failure: `refused`, the address may not be called; `unresolved`, the host name cannot be
 * resolved; `unreachable`, no connection; `tls`, no trusted connection; `timeout`, the deadline has passed;
 * `broken`, the response is incomplete or not HTTP; `too-large`, the response is too large; `failed`,
 * anything else, such as a malformed header or a closed client.
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

/** Thrown if an address turns out not to be public when it is dialled. */
export class RefusedAddress extends Error {}

const unresolved = 'The host name could not be resolved.'
const incomplete = 'The connection was closed before the answer was complete.'

const failureByCode: Record<string, [FailureKind, string]> = {
  ENOTFOUND: ['unresolved', unresolved],
  ENODATA: ['unresolved', unresolved],
  ESERVFAIL: ['unresolved', unresolved],
  EREFUSED: ['unresolved', unresolved],
  ETIMEOUT: ['unresolved', unresolved],
  EBADNAME: ['unresolved', unresolved],
  EBADRESP: ['unresolved', unresolved],
  EAI_AGAIN: ['unresolved', unresolved],
  EAI_FAIL: ['unresolved', unresolved],
  ECONNREFUSED: ['unreachable', 'The connection was refused.'],
  EHOSTUNREACH: ['unreachable', 'The host could not be reached.'],
  ENETUNREACH: ['unreachable', 'The host could not be reached.'],
  ETIMEDOUT: ['timeout', 'The connection could not be made in time.'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'The connection could not be made in time.'],
  ECONNRESET: ['broken', incomplete],
  EPIPE: ['broken', incomplete],
  UND_ERR_SOCKET: ['broken', incomplete],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['broken', incomplete],
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
 * Returns the kind of failure for an error of the HTTP client, and a full sentence. The message of the error
 * is never used, because it contains addresses.
 */
export function describeRequestFailure(error: Error & { code?: unknown }): [FailureKind, string] {
  if (error instanceof RefusedAddress) return ['refused', 'The address is not public.']
  const code = typeof error.code === 'string' ? error.code : ''
  const knownKind = failureByCode[code]
  if (knownKind) return knownKind
  if (error.name === 'HTTPParserError') return ['broken', 'The answer was not valid HTTP.']
  if (/^(?:ERR_SSL_|ERR_TLS_|CERT_|EPROTO)/.test(code))
    return ['tls', 'The secure connection could not be made.']
  return ['failed', 'The request could not be sent.']
}
