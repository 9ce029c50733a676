// Names that are no settings and were perhaps meant to be: what is configured is never ignored in silence.

import { settingNames } from './config.ts'

/** What the names of the environment and of .env say. */
export interface MisspeltSettings {
  /** names in .env that are nearly those of settings: nothing starts */
  faults: string[]
  /** names in .env that are none, and names in the environment that are nearly those of settings */
  notices: string[]
}

/** Names in .env that others read: libpq, the compose file, Node.js. */
const othersNames = /^(PG[A-Z]+|POSTGRES_\w+|COMPOSE_\w+|NODE_\w+|npm_\w+|TZ|LANG|LC_\w+)$/

/** Looks at the names of the environment and, apart from them, at those that .env has. */
export function findMisspelt(
  environment: readonly string[],
  inFile: readonly string[],
  known: readonly string[] = settingNames,
): MisspeltSettings {
  const faults: string[] = []
  const notices: string[] = []
  for (const name of inFile) {
    if (known.includes(name) || othersNames.test(name)) continue
    const meant = known.find(setting => isNear(name, setting))
    if (meant === undefined) notices.push(`${name} in .env is no setting of Waybill.`)
    else faults.push(`${name} in .env is no setting; ${meant} is one.`)
  }
  for (const name of environment) {
    if (known.includes(name) || inFile.includes(name)) continue
    // Many programs have names like HOST and PORT.
    const meant = known.find(setting => setting.length >= 8 && isNear(name, setting))
    if (meant !== undefined) notices.push(`${name} is set and is no setting of Waybill; ${meant} is one.`)
  }
  return { faults, notices }
}

/** Whether a name is a setting's but for letters that are wrong, missing, too many or changed places. */
function isNear(name: string, setting: string): boolean {
  const plain = name.toUpperCase().replace(/^WAYBILL_/, '')
  return distance(plain, setting) <= (setting.length >= 10 ? 2 : 1)
}

/** How many letters have to be changed, added, removed or swapped with their neighbour. */
function distance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 2) return 3
  const rows = [Array.from({ length: to.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= to.length; j++) {
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1),
          isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(from.length, to.length)
}
