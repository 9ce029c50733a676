// Rewrites the faults of a refusal so that they name the options of the command line.

import type { Fault } from '../platform/http/fault.ts'

/** The option that each field of a request corresponds to. */
const optionNames = new Map(
  Object.entries({
    organisationId: 'organisation',
    name: 'name',
    prefix: 'prefix',
    timezone: 'timezone',
    email: 'email',
    fullName: 'full-name',
    partnerId: 'partner',
    scopes: 'scopes',
    redirectUris: 'redirect-uri',
    description: 'description',
  }),
)

/** Returns the message of a fault, with its field replaced by the option that it came from. */
export function describeFault({ path, message }: Fault): string {
  const [field = '', index] = path?.split(/[[\]]/) ?? []
  const option = optionNames.get(field)
  if (path === null || option === undefined || !message.startsWith(path)) return message
  const name = index === undefined ? `--${option}` : `--${option} (number ${Number(index) + 1})`
  return `${name}${message.slice(path.length)}`
}
