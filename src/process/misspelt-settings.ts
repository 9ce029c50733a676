// Finds names that are not settings but were probably meant to be, so that no configured value is silently
// ignored.

import { editDistance } from '../platform/edit-distance.ts'
import { settingNames } from './config.ts'

/** What is wrong with the names in the environment and in .env. */
export interface MisspeltSettings {
  /** messages about names in .env that are almost those of settings; they prevent the start */
  faults: string[]
  /**
   * messages about other unknown names in .env, names in the environment that are almost those of settings,
   * and variables of libpq that have no effect
   */
  notices: string[]
}

/** Names in .env that other programs read: libpq, Docker Compose, Node.js. */
const foreignNames = /^(PG[A-Z]+|POSTGRES_\w+|COMPOSE_\w+|NODE_\w+|npm_\w+|TZ|LANG|LC_\w+)$/

/** Examines the names in the environment; `inFile` are those that .env contains. */
export function findMisspelt(
  environment: Readonly<Record<string, string | undefined>>,
  inFile: readonly string[],
): MisspeltSettings {
  const knownNames: readonly string[] = settingNames
  const faults: string[] = []
  const notices = libpqNotices(environment)
  for (const name of inFile) {
    if (knownNames.includes(name) || foreignNames.test(name)) continue
    const intended = knownNames.find(setting => isNear(name, setting))
    if (intended === undefined) notices.push(`${name} in .env is not a Waybill setting.`)
    else faults.push(`${name} in .env is not a Waybill setting. Did you mean ${intended}?`)
  }
  for (const name of Object.keys(environment)) {
    if (knownNames.includes(name) || inFile.includes(name)) continue
    // Short names like HOST and PORT are too common to compare.
    const intended = knownNames.find(setting => setting.length >= 8 && isNear(name, setting))
    if (intended !== undefined)
      notices.push(`${name} is set but is not a Waybill setting. Did you mean ${intended}?`)
  }
  return { faults, notices }
}

/** libpq would use a server on this machine, but Waybill uses the embedded database. */
function libpqNotices(environment: Readonly<Record<string, string | undefined>>): string[] {
  const isSet = (name: string) => Boolean(environment[name]?.trim())
  const name = ['PGDATABASE', 'PGUSER', 'PGPASSWORD', 'PGPORT', 'PGSERVICE'].find(isSet)
  if (name === undefined || isSet('DATABASE_URL') || isSet('PGHOST')) return []
  return [`${name} is set, but neither DATABASE_URL nor PGHOST is: the embedded database is used.`]
}

/** Whether a name differs from that of a setting by only one or two letters. */
function isNear(name: string, setting: string): boolean {
  const normalised = name.toUpperCase().replace(/^WAYBILL_/, '')
  return editDistance(normalised, setting) <= (setting.length >= 10 ? 2 : 1)
}
