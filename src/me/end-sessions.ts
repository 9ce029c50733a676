// Signing out everywhere: of every browser, and of the built-in apps wherever they are open.

import { endpoint } from '../access/endpoint.ts'
import { endSessions } from '../oauth/end-sessions.ts'
import { done } from '../platform/http/endpoint.ts'

export const endMySessions = [
  endpoint({
    post: '/v1/me/end-sessions',
    name: 'endMySessions',
    partners: 'all',
    scope: 'any',
    extension: true,
    summary: 'Sign out everywhere',
    description:
      'Ends the sessions of the person in all browsers, and their access through the built-in apps, ' +
      'including the token of this request. Other apps that the person has allowed keep their access.',
    response: done,
    async handle({ tx, actor }) {
      await endSessions(tx, actor)
    },
  }),
]
