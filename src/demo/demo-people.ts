// The people of the demo, one for each kind of work, whom its sign-in page offers.

import { randomBytes } from 'node:crypto'
import type { Role } from '../access/roles.ts'
import { demoSignIns } from '../oauth/demo-sign-in.ts'
import { sql } from '../platform/database/db.ts'
import type { Service } from '../process/service.ts'
import { createUser, hashNewPassword } from '../users/create-user.ts'
import { setPassword } from '../users/set-password.ts'

/** A person of the demo, with their password. */
export interface DemoUser {
  key: string
  fullName: string
  role: Role
  /** the code of the client or carrier whose person it is; null for the organisation's own people */
  partnerCode: string | null
  email: string
  password: string
}

/** The roles of those who are not members. */
const roles: Readonly<Record<string, Role>> = { ada: 'administrator', ivo: 'administrator', rae: 'reader' }
const partnerCodes: Readonly<Record<string, string>> = { kim: 'KAURI', tane: 'SWF' }

/** Creates the people, or returns those of an earlier run. */
export async function prepareDemoPeople(
  { database }: Service,
  organisationId: string,
  earlier: readonly DemoUser[] | undefined,
): Promise<readonly DemoUser[]> {
  if (earlier !== undefined) return earlier
  const people: DemoUser[] = []
  for (const { key, fullName, email } of demoSignIns) {
    const [role, partnerCode] = [roles[key] ?? 'member', partnerCodes[key] ?? null]
    const password = randomBytes(12).toString('base64url')
    const { userId, partnerId } = await database.db.row<{
      userId: string | null
      partnerId: string | null
    }>(sql`
      select (select id from app_user where organisation_id = ${organisationId} and lower(email) = ${email})
          as user_id,
        (select id from partner where organisation_id = ${organisationId} and code = ${partnerCode})
          as partner_id`)
    const user = { organisationId, email, fullName, role, partnerId }
    // A run that was ended before it had written the passwords.
    if (userId !== null) await setPassword(database, { organisationId, userId }, password)
    else {
      const passwordHash = await hashNewPassword(user, password)
      await database.atomically(tx => createUser(tx, { ...user, passwordHash }))
    }
    people.push({ key, fullName, role, partnerCode, email, password })
  }
  return people
}
