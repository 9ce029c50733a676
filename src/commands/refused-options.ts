// What the rules of records refuse, told by the options as they were typed.

import type { Fault } from '../platform/http/fault.ts'

/** The option that each field comes from. */
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

/** A fault of a field as one of the option that it came from. */
export function inOptions({ path, message }: Fault): string {
  const [field = '', index] = path?.split(/[[\]]/) ?? []
  const option = optionNames.get(field)
  if (path === null || option === undefined || !message.startsWith(path)) return message
  const name = index === undefined ? `--${option}` : `--${option} (number ${Number(index) + 1})`
  return `${name}${message.slice(path.length)}`
}
