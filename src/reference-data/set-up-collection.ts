// The endpoints of the small collections that every organisation sets up for itself, such as task types. Each
// collection has a file of its own. Spec 2.16, 4.15; decision 8.

import type { TProperties } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../access/actor.ts'
import { type Endpoint, endpoint, type PartnerAccess } from '../access/endpoint.ts'
import type { RequiredScope } from '../access/scopes.ts'
import type { ImportCodeKind } from '../events/import-reason.ts'
import { empty, join, raw, sql, type Tx } from '../platform/database/db.ts'
import { refuseViolations } from '../platform/database/errors.ts'
import { givenFields, insertInto, snakeCase, updateFields } from '../platform/database/write.ts'
import { changed, created, json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { duplicate, notFound } from '../platform/http/refusal.ts'
import {
  allClearable,
  allNullable,
  allOmittable,
  allOptional,
  Code,
  IntegerEnum,
  Name,
  named,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { refuseCodeOfInactive } from '../platform/unique-code.ts'
import { SetUpStatus } from '../vocabulary/reference-data.ts'
import { retryWaitingImports } from '../waiting-imports/retry-waiting.ts'

const Status = IntegerEnum(SetUpStatus)

/** The definition of one collection. */
export interface Collection {
  path: `/v1/${string}`
  /** a record in words; the names of the table, the array and the id are derived from it */
  noun: string
  /** the fields other than id and status; the first is unique in the organisation, ignoring case */
  fields: TProperties
  /** further fields, which may be null */
  optionalFields?: TProperties
  /** who may read and write it; by default all users read it, and the `organisation` scope writes it */
  reach?: { read: RequiredScope; write: RequiredScope; partners: PartnerAccess }
  /** converts the fields of a body to column values, if they differ */
  toColumnValues?(body: Record<string, unknown>): Record<string, unknown>
  /** the errors for violations of further constraints, by constraint */
  refusals?: Record<string, () => Error>
  /** the kind of code in imports, if imports refer to these records */
  importKind?: ImportCodeKind
  /** whether the list endpoint is in the specification */
  isSpecified?: true
}

/** The fields of a collection whose records have a code. */
export const codeAndName = { code: Code, name: Name }

/** The endpoints that list, read, create and change the records of a collection. */
export function setUpCollection(collection: Collection): Endpoint[] {
  const { path, noun, fields, importKind, isSpecified, optionalFields = {}, refusals = {} } = collection
  const { toColumnValues = (body: Record<string, unknown>) => body } = collection
  const reach = collection.reach ?? { read: 'any', write: 'organisation', partners: 'all' }
  const camel = noun.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())
  const title = `${camel[0]?.toUpperCase()}${camel.slice(1)}`
  const idName = `${camel}Id`
  const pluralOf = (word: string) => `${word.replace(/y$/, 'ie')}s`
  const recordPath = `${path}/:id` as const
  const table = noun.replaceAll(' ', '_')
  const key = Object.keys(fields)[0] as string

  const row: TProperties = { id: Uuid, ...fields, ...allNullable(optionalFields) }
  const columns = raw(Object.keys(row).map(snakeCase).join(', '))
  const searchedColumns = raw(['code', 'name'].filter(field => field in fields).join(` || E'\\n' || `))
  const writable: TProperties = { ...fields, status: Status }
  const fieldNames = [...Object.keys(writable), ...Object.keys(optionalFields)]
  const duplicateMessage = (body: Record<string, unknown>) =>
    `A ${noun} with the ${key} ${body[key]} already exists`
  const constraintErrors = (body: Record<string, unknown>) => ({
    [`${table}_${key}_key`]: () => duplicate(key, `${duplicateMessage(body)}.`),
    ...refusals,
  })
  const refuseTakenKey = (tx: Tx, actor: Actor, body: Record<string, unknown>, ownId?: string) =>
    refuseCodeOfInactive(tx, {
      table,
      column: key,
      value: body[key] as string | undefined,
      scope: sql`organisation_id = ${actor.organisationId}`,
      ...(ownId === undefined ? {} : { ownId }),
      inactiveStatus: SetUpStatus.Inactive,
      activeStatus: SetUpStatus.Active,
      takenMessage: duplicateMessage(body),
      path,
    })

  return [
    endpoint({
      get: path,
      name: `list${pluralOf(title)}`,
      partners: reach.partners,
      scope: reach.read,
      extension: isSpecified !== true,
      summary: `List ${pluralOf(noun)}`,
      description: `Lists the active ${pluralOf(noun)}; with Status=2, the inactive ones.`,
      query: pageQuery({
        SearchText: searchIn(key === 'code' ? 'code and name' : 'name'),
        Status: Type.Optional({ ...Status, default: SetUpStatus.Active }),
      }),
      response: json(pageOf(pluralOf(camel), named(title, Type.Object(row)))),
      handle: ({ db, actor, query }) =>
        readPage(db, pluralOf(camel), query, {
          columns,
          from: sql`${raw(table)} where organisation_id = ${actor.organisationId} and status = ${query.Status}
            ${
              query.SearchText
                ? sql`and lower(${searchedColumns}) like containing(${query.SearchText})`
                : empty
            }`,
          order: sql`name, id`,
        }),
    }),
    endpoint({
      get: recordPath,
      name: `get${title}`,
      partners: reach.partners,
      scope: reach.read,
      extension: true,
      summary: `Read a ${noun}`,
      response: json(named(`${title}Detail`, Type.Object({ ...row, status: Status }))),
      async handle({ db, actor, params }) {
        const found = await db.maybe<Record<string, unknown>>(sql`
          select ${join([columns, raw('status')])} from ${raw(table)}
          where organisation_id = ${actor.organisationId} and id = ${params.id}`)
        if (found === undefined) throw notFound(`${noun[0]?.toUpperCase()}${noun.slice(1)}`)
        return found
      },
    }),
    endpoint({
      post: path,
      name: `create${title}`,
      partners: 'none',
      scope: reach.write,
      extension: true,
      summary: `Create a ${noun}`,
      body: named(
        `New${title}`,
        Type.Object({ ...allOptional({ ...writable, ...optionalFields }), ...fields }),
      ),
      response: created(idName, Type.Object({ [idName]: Uuid })),
      refuses: [409],
      async handle({ tx, actor, requestId, body }) {
        await refuseTakenKey(tx, actor, body)
        const id = uuidv7()
        const values = {
          organisationId: actor.organisationId,
          id,
          ...toColumnValues(givenFields(body, fieldNames)),
        }
        await refuseViolations(tx.run(insertInto(table, values)), constraintErrors(body))
        if (importKind !== undefined && body.status !== SetUpStatus.Inactive) {
          await retryWaitingImports(tx, { ...actor, requestId }, importKind, body.code as string)
        }
        return { [idName]: id }
      },
    }),
    endpoint({
      put: recordPath,
      name: `update${title}`,
      partners: 'none',
      scope: reach.write,
      extension: true,
      summary: `Change a ${noun}`,
      body: named(
        `${title}Change`,
        Type.Object({ ...allOmittable(writable), ...allClearable(optionalFields) }),
      ),
      response: changed,
      refuses: [409],
      async handle({ tx, actor, requestId, params, body }) {
        const where = sql`organisation_id = ${actor.organisationId} and id = ${params.id}`
        await refuseTakenKey(tx, actor, body, params.id)
        const isChanged =
          (await refuseViolations(
            tx.run(updateFields(table, fieldNames, toColumnValues(body), where)),
            constraintErrors(body),
          )) > 0
        const current = await tx.maybe<{ key: string; status: number }>(sql`
          select ${raw(key)} as key, status from ${raw(table)} where ${where}`)
        if (current === undefined) throw notFound(`${noun[0]?.toUpperCase()}${noun.slice(1)}`)
        if (isChanged && importKind !== undefined && current.status === SetUpStatus.Active) {
          await retryWaitingImports(tx, { ...actor, requestId }, importKind, current.key)
        }
        return isChanged
      },
    }),
  ]
}
