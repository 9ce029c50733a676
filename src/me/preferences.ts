// How a person likes to see the browser apps: own views of lists, and columns. The apps alone know what is in
// them, so that a new wish of a screen needs no change here.

import { endpoint } from '../access/endpoint.ts'
import { sql } from '../platform/database/db.ts'
import { changed, json } from '../platform/http/endpoint.ts'
import { tooLarge } from '../platform/http/refusal.ts'
import { named, Type } from '../platform/http/schema.ts'

const maxKiB = 32

const Preferences = named(
  'Preferences',
  Type.Object({
    value: {
      ...Type.Object({}, { additionalProperties: true }),
      description: `Whatever the app keeps for the person: an object of at most ${maxKiB} KiB as JSON.`,
      examples: [{ views: [] }],
    },
  }),
)

export const preferences = [
  endpoint({
    get: '/v1/me/preferences',
    name: 'getPreferences',
    partners: 'all',
    scope: 'any',
    extension: true,
    summary: 'Read how the person likes to see the browser apps',
    description: 'An empty object until something is stored.',
    response: json(Preferences),
    async handle({ db, actor: { organisationId, userId } }) {
      const stored = await db.maybe<{ value: object }>(sql`
        select value from app_user_preferences
        where organisation_id = ${organisationId} and user_id = ${userId}`)
      return stored ?? { value: {} }
    },
  }),
  endpoint({
    put: '/v1/me/preferences',
    name: 'setPreferences',
    partners: 'all',
    scope: 'any',
    extension: true,
    summary: 'Store how the person likes to see the browser apps',
    description:
      'Replaces everything that is stored. Send `If-Match`, so that another browser of the person does not ' +
      'lose what it has stored meanwhile.',
    body: Preferences,
    response: changed,
    async handle({ tx, actor: { organisationId, userId }, body }) {
      const value = JSON.stringify(body.value)
      if (Buffer.byteLength(value) > maxKiB * 1024)
        throw tooLarge(`value must have at most ${maxKiB} KiB as JSON.`)
      return (
        (await tx.run(sql`
          insert into app_user_preferences as p (organisation_id, user_id, value)
          values (${organisationId}, ${userId}, ${value})
          on conflict (organisation_id, user_id) do update set value = excluded.value
          where p.value <> excluded.value`)) > 0
      )
    },
  }),
]
