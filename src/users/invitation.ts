// The endpoint that makes a link by which a person sets a password of their own. Decision 8.

import { randomBytes } from 'node:crypto'
import { endpoint } from '../access/endpoint.ts'
import { hashOfLink, passwordPath } from '../oauth/password-link.ts'
import { operatorEmail } from '../organisations/organisation.ts'
import { sql } from '../platform/database/db.ts'
import { created } from '../platform/http/endpoint.ts'
import { notFound, verificationFailed } from '../platform/http/refusal.ts'
import { Type, UtcTime } from '../platform/http/schema.ts'

const validHours = 72

export const userInvitation = ({ authUrl = 'http://localhost:8080' }: { authUrl?: string | undefined }) => [
  endpoint({
    post: '/v1/users/:userId/invitation',
    name: 'createUserInvitation',
    partners: 'none',
    scope: 'organisation',
    extension: true,
    summary: 'Make a link by which a user sets a password',
    description:
      'For somebody new, and for whoever has forgotten their password. The link works once, for ' +
      `${validHours} hours; a new one ends the last. Pass it on yourself: the service sends no mail, and ` +
      'shows the link only here. A disabled user gets none.',
    response: created(
      'userInvitation',
      Type.Object({
        url: Type.String({ description: 'Whoever opens it sets the password: treat it as one.' }),
        expiresUtc: UtcTime,
      }),
    ),
    async handle({ tx, actor: { organisationId }, params: { userId } }) {
      const user = await tx.maybe<{ email: string; isDisabled: boolean }>(sql`
        select email, disabled_utc is not null as is_disabled from app_user
        where organisation_id = ${organisationId} and id = ${userId} for no key update`)
      if (user === undefined) throw notFound('User')
      if (user.email === operatorEmail)
        throw verificationFailed('The operator of the service is not a person and cannot sign in.')
      if (user.isDisabled) throw verificationFailed('The user is disabled. Enable the user first.')
      const token = randomBytes(32).toString('base64url')
      const { expiresUtc } = await tx.row<{ expiresUtc: string }>(sql`
        insert into user_invitation (organisation_id, user_id, token_hash, expires_utc)
        values (${organisationId}, ${userId}, ${hashOfLink(token)},
          now() + ${validHours}::int * interval '1 hour')
        on conflict (organisation_id, user_id) do update set token_hash = excluded.token_hash,
          expires_utc = excluded.expires_utc
        returning expires_utc`)
      await tx.run(sql`update app_user set invited_utc = now()
        where organisation_id = ${organisationId} and id = ${userId}`)
      return { url: `${authUrl}${passwordPath}?token=${token}`, expiresUtc }
    },
  }),
]
