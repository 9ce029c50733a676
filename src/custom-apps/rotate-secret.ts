// The endpoint that rotates the client secret of a custom app. Spec 5.1.

import { type Endpoint, endpoint } from '../access/endpoint.ts'
import { sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { notFound, verificationFailed } from '../platform/http/refusal.ts'
import { allOptional, named, Type, UtcTime } from '../platform/http/schema.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { requireHeldScopes } from './held-scopes.ts'
import { defaultOverlapHours, maxOverlapHours, replaceSecret } from './replace-secret.ts'

const Rotation = named(
  'SecretRotation',
  Type.Object(
    allOptional({
      overlapHours: Type.Integer({
        minimum: 0,
        maximum: maxOverlapHours,
        default: defaultOverlapHours,
        description:
          'For how many hours the previous secret stays valid. With 0, the access tokens that the app has ' +
          'are refused too, within ten seconds; otherwise each is valid until its hour is over.',
      }),
    }),
  ),
)

const RotatedSecret = named(
  'RotatedSecret',
  Type.Object({
    clientSecret: Type.String(),
    previousSecretExpiresUtc: { ...UtcTime, description: 'When the previous secret becomes invalid.' },
  }),
)

/** The endpoint. `secretBox` encrypts the hash of the secret. */
export const rotateSecret = ({ secretBox }: { secretBox: SecretBox }): Endpoint[] => [
  endpoint({
    post: '/v1/custom-apps/:customAppId/rotate-secret',
    name: 'rotateCustomAppSecret',
    partners: 'none',
    scope: 'organisation',
    extension: true,
    summary: 'Give a custom app a new client secret',
    description:
      'The response contains the secret, which cannot be read later. It signs webhooks at once. Tokens can ' +
      'be requested with it and, until `previousSecretExpiresUtc`, with the previous secret. A second ' +
      'rotation ends the oldest secret. Tokens that were obtained with an older secret live on until their ' +
      'hour is over, unless `overlapHours` is 0: after a leak, that ends them. The caller needs a ' +
      'token with every scope of the app.',
    body: Rotation,
    response: json(RotatedSecret),
    async handle({ tx, actor, params, body }) {
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.customAppId}`
      const app = await tx.maybe<{ scopes: string[]; builtIn: string | null }>(
        sql`select scopes, built_in from custom_app where ${where} for no key update`,
      )
      if (app === undefined) throw notFound('Custom app')
      if (app.builtIn !== null)
        throw verificationFailed('An app that is built in has no secret that anybody could use.')
      requireHeldScopes(
        actor,
        app.scopes,
        'The secret of an app is not given to a token that lacks its scopes',
      )
      return replaceSecret(tx, secretBox, where, body.overlapHours ?? defaultOverlapHours)
    },
  }),
]
