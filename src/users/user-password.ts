// The endpoint that sets the password of a user. Decision 8.

import { endpoint } from '../access/endpoint.ts'
import { done } from '../platform/http/endpoint.ts'
import { named, Type } from '../platform/http/schema.ts'
import { setPassword } from './set-password.ts'

/** Text of this length. passwords.ts checks the other rules. */
const Password = Type.String({ minLength: 12, maxLength: 200, writeOnly: true })

export const userPassword = [
  endpoint({
    put: '/v1/users/:userId/password',
    name: 'setUserPassword',
    partners: 'none',
    scope: 'organisation',
    extension: true,
    summary: 'Set the password of a user',
    description:
      'At least 12 characters, without the email address. Ends the browser sessions of the user and every ' +
      'sign-in that has begun. Apps that the user has allowed keep their access.',
    body: named('UserPassword', Type.Object({ password: Password })),
    response: done,
    ownTransactions: true,
    async handle({ database, actor, params, body }) {
      await setPassword(
        database,
        { organisationId: actor.organisationId, userId: params.userId },
        body.password,
      )
    },
  }),
]
