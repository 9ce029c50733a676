// The endpoint by which people change their own password. Decision 8.

import { endpoint } from '../access/endpoint.ts'
import { matchesPassword, maxTypedLength } from '../oauth/passwords.ts'
import { forgetFailures, takeAttempt, userCounter } from '../oauth/sign-in-throttle.ts'
import { sql } from '../platform/database/db.ts'
import { done } from '../platform/http/endpoint.ts'
import { faultAt } from '../platform/http/fault.ts'
import { rateLimitExceeded, verificationFailed } from '../platform/http/refusal.ts'
import { named, Type } from '../platform/http/schema.ts'
import { setPassword } from '../users/set-password.ts'

export const myPassword = [
  endpoint({
    put: '/v1/me/password',
    name: 'setMyPassword',
    partners: 'all',
    scope: 'any',
    extension: true,
    summary: 'Change the own password',
    description:
      'A wrong current password counts as a failed sign-in. The new one has at least 12 characters, ' +
      'without the email address. Ends the sessions of the person in all browsers, and their access ' +
      'through the built-in apps, including the token of this request; other apps keep their access.',
    body: named(
      'OwnPassword',
      Type.Object({
        currentPassword: Type.String({ minLength: 1, maxLength: maxTypedLength, writeOnly: true }),
        newPassword: Type.String({ minLength: 12, maxLength: 200, writeOnly: true }),
      }),
    ),
    response: done,
    ownTransactions: true,
    async handle({ database, actor: { organisationId, userId }, body }) {
      const counter = userCounter(userId)
      const waitSeconds = await takeAttempt(database, [counter])
      if (waitSeconds > 0) throw rateLimitExceeded(waitSeconds)
      const { passwordHash } = await database.db.row<{ passwordHash: string | null }>(sql`
        select password_hash from app_user where organisation_id = ${organisationId} and id = ${userId}`)
      if (!(await matchesPassword(body.currentPassword, passwordHash, organisationId)))
        throw verificationFailed(faultAt('currentPassword', 'is not your password', 'invalid'))
      await forgetFailures(database, counter)
      await setPassword(database, { organisationId, userId }, body.newPassword, 'newPassword')
    },
  }),
]
