// What the server asks the application about the callers of its endpoints. It knows no more of them itself.

import type { Database } from '../database/db.ts'
import type { Caller } from './caller.ts'
import type { Endpoint } from './endpoint.ts'

/** A request as the author of changes. */
export interface Authorship {
  readonly actor: Caller | undefined
  /** the id of the request */
  readonly id: string
  /** the address that it came from */
  readonly ip: string
}

/** Decides about requests by who makes them. `Access` is what the application's endpoints declare of that. */
export interface AccessRules<Access, Actor extends Caller> {
  /** Throws 403 if the caller may not call the endpoint. */
  check(endpoint: Endpoint<Access>, actor: Actor): void
  /**
   * Returns the limit that counts a request by its user rather than by its organisation; undefined if none
   * does.
   */
  personalLimit(endpoint: Endpoint<Access>, actor: Actor): string | undefined
  /** Returns the ids of a path as the handler is to see them. */
  paramsFor(
    endpoint: Endpoint<Access>,
    actor: Actor | undefined,
    params: Record<string, string>,
  ): Record<string, string>
  /** Returns the database whose transactions know their author, if the endpoint needs that. */
  databaseFor(endpoint: Endpoint<Access>, database: Database, request: Authorship): Database
}

/** The same, to a server that does not look into what endpoints declare. */
export type AnyAccessRules = AccessRules<unknown, Caller>
