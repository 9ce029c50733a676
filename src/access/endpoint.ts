// The endpoints of the service: what they declare about their callers, besides what the server needs.
// Decision 3.

import type { TSchema } from 'typebox'
import {
  type EndpointSpec,
  makeEndpoint,
  type OwnTransactionsReadSpec,
  type OwnTransactionsSpec,
  type ParamNames,
  type ReadSpec,
  type Endpoint as ServedEndpoint,
  type WriteSpec,
  type WritingReadSpec,
} from '../platform/http/endpoint.ts'
import type { Actor } from './actor.ts'
import type { LimitName } from './limits.ts'
import type { RequiredScope } from './scopes.ts'

/** Which partners' users may call an endpoint. Decision 3. */
export type PartnerAccess = 'all' | 'clients' | 'carriers' | 'none'

/** Who may call an endpoint. */
export interface Access {
  /** which partners' tokens may call it; the handler restricts what they see */
  readonly partners: PartnerAccess
  /** the id in the path that is replaced by the token's own partner, if it has one. Spec 4.12 */
  readonly partnerParam: string | undefined
  /** the scope that the caller's token needs; see scopes.ts */
  readonly scope: RequiredScope
  /** the database keeps a history of its changes, as it does for every change of scope `organisation` */
  readonly isAdministration: boolean
}

/** An endpoint of the service. */
export type Endpoint = ServedEndpoint<Access>

/** What an endpoint declares about its callers. */
interface AccessSpec<Path extends string> extends Pick<Access, 'partners' | 'scope'> {
  partnerParam?: ParamNames<Path>
  /** the rate limit that it counts towards; default `standard` */
  limit?: Exclude<LimitName, 'tokens' | 'people'>
  isAdministration?: true
}

type AnySpec = Omit<EndpointSpec<Access>, 'access' | 'limit' | 'refuses'> &
  Omit<AccessSpec<string>, 'partnerParam'> & { partnerParam?: string; refuses?: readonly number[] }

/** Describes an endpoint: `endpoint({ get: '/v1/…', scope, summary, response: json(Schema), handle })`. */
export function endpoint<const Path extends string, Query extends TSchema, Value>(
  spec: WritingReadSpec<Actor, Path, Query, Value> & AccessSpec<Path>,
): Endpoint
export function endpoint<const Path extends string, Query extends TSchema, Value>(
  spec: OwnTransactionsReadSpec<Actor, Path, Query, Value> & AccessSpec<Path>,
): Endpoint
export function endpoint<const Path extends string, Query extends TSchema, Value>(
  spec: ReadSpec<Actor, Path, Query, Value> & AccessSpec<Path>,
): Endpoint
export function endpoint<const Path extends string, Query extends TSchema, Body extends TSchema, Value>(
  spec: OwnTransactionsSpec<Actor, Path, Query, Body, Value> & AccessSpec<Path>,
): Endpoint
export function endpoint<const Path extends string, Query extends TSchema, Body extends TSchema, Value>(
  spec: WriteSpec<Actor, Path, Query, Body, Value> & AccessSpec<Path>,
): Endpoint
export function endpoint(spec: AnySpec): Endpoint {
  const { partners, partnerParam, scope, limit = 'standard', refuses = [], isAdministration } = spec
  const isForAll = scope === 'any' && partners === 'all' && spec.get !== undefined
  return makeEndpoint({
    ...spec,
    access: {
      ...{ partners, partnerParam, scope },
      isAdministration: isAdministration ?? (spec.get === undefined && scope === 'organisation'),
    },
    limit,
    refuses: isForAll ? refuses : [403, ...refuses],
  })
}
