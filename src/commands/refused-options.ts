// What the rules of records refuse, told by the options as they were typed.

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
export const inOptions = (fault: string): string =>
  fault.replace(/^(\w+)(?:\[(\d+)\])?(?= (?:must|is|does) )/, (all, field: string, index?: string) => {
    const option = optionNames.get(field)
    if (option === undefined) return all
    return index === undefined ? `--${option}` : `--${option} (number ${Number(index) + 1})`
  })
