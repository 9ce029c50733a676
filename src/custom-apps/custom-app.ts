// The fields of a custom app and their rules, such as those of its redirect URIs. Spec 5.1, 5.5; decision
// 8.

import { type Scope, scopes } from '../access/scopes.ts'
import { type Fault, faultAt } from '../platform/http/fault.ts'
import { allOptional, IntegerEnum, Name, Text, Type } from '../platform/http/schema.ts'
import type { ValidationError } from '../platform/http/validation.ts'
import { GrantType } from '../vocabulary/organisations.ts'

const maxRedirectUris = 20
const localHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * What is wrong with a redirect URI, the address to which people return after signing in; undefined if
 * nothing is. Redirect URIs are compared exactly, so they are not normalised. Spec 5.3.
 */
export function redirectUriFault(text: unknown): string | undefined {
  const url = typeof text === 'string' && /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null
  if (url === null) return 'must be an absolute URL'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && localHosts.has(url.hostname))) {
    return 'must begin with https:// (http:// for localhost only)'
  }
  if (String(text).includes('#')) return 'must not have a fragment'
  return url.username === '' && url.password === '' ? undefined : 'must not have a user name or password'
}

const RedirectUris = Type.Array(Type.String({ maxLength: 2_000 }), {
  maxItems: maxRedirectUris,
  uniqueItems: true,
  rule: (value: unknown): ValidationError[] =>
    (Array.isArray(value) ? value : []).flatMap((text, i): ValidationError[] => {
      const problem = redirectUriFault(text)
      return problem === undefined ? [] : [{ path: `/${i}`, problem, code: 'format' }]
    }),
})

const ScopeName = Type.Unsafe<Scope>({ type: 'string', enum: [...scopes] })
/** The scopes of an app: at least one, without duplicates. */
export const Scopes = Type.Array(ScopeName, { minItems: 1, maxItems: scopes.length, uniqueItems: true })

/** The fields that can be changed. An app may lack only `optionalFields`. */
export const requiredFields = { name: Name, scopes: Scopes, redirectUris: RedirectUris }
export const optionalFields = { description: Text }
export const changeableFieldNames = [...Object.keys(requiredFields), ...Object.keys(optionalFields)]

/** The fields of a new app. */
export const appFields = {
  ...allOptional({ ...requiredFields, ...optionalFields }),
  name: Name,
  grantType: IntegerEnum(GrantType),
  scopes: Scopes,
}

/** Scopes in the order of the specification, so that the same set is the same value. */
export const sortScopes = (unsorted: readonly string[]): Scope[] =>
  scopes.filter(scope => unsorted.includes(scope))

/** What is wrong with the redirect URIs for this grant type; undefined if nothing is. */
export function redirectFault(grantType: number, redirectUris: readonly string[]): Fault | undefined {
  const isForPeople = grantType === GrantType.AuthorisationCode
  if (isForPeople && redirectUris.length === 0)
    return faultAt('redirectUris', 'is required for the authorisation code grant', 'required')
  return !isForPeople && redirectUris.length > 0
    ? faultAt('redirectUris', 'must not be given for the client credentials grant', 'invalid')
    : undefined
}
