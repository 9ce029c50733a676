// An organisation: the tenant to which everything else belongs. Decision 1.

import { v7 as uuidv7 } from 'uuid'
import { type Db, sql, type Tx } from '../platform/database/db.ts'
import { insertInto } from '../platform/database/write.ts'
import { faultAt } from '../platform/http/fault.ts'
import { validationFailed, verificationFailed } from '../platform/http/refusal.ts'
import { Name, TimeZone, Type } from '../platform/http/schema.ts'
import { createValidation } from '../platform/http/validation.ts'

/** 3 to 6 letters that begin an organisation's consignment numbers, stored in upper case. */
export const Prefix = Type.String({
  pattern: '^[A-Za-z]{3,6}$',
  fault: 'must be 3 to 6 letters',
  examples: ['NWL'],
})

/** The fields of an organisation that is to be created. */
export interface NewOrganisation {
  name: string
  /** 3 to 6 letters that begin its consignment numbers */
  prefix: string
  /** IANA time zone: the wall clock of consignments without a warehouse */
  timezone: string
}

const check = createValidation().body(Type.Object({ name: Name, prefix: Prefix, timezone: TimeZone }))

/** Creates an organisation and returns its id. Throws 400 with every fault. */
export async function createOrganisation(tx: Tx, organisation: NewOrganisation): Promise<string> {
  const faults = check(organisation)
  if (faults.length > 0) throw validationFailed(...faults)
  const { name, prefix, timezone } = organisation
  const id = uuidv7()
  await tx.run(
    insertInto('organisation', { id, name, consignmentPrefix: prefix.toUpperCase(), timezoneId: timezone }),
  )
  return id
}

/** The email of the operator of the service. */
export const operatorEmail = 'operator@waybill.invalid'

/**
 * The id of the user for whom apps created on the command line act: the operator of the service. This user is
 * not a person of the organisation and can never sign in (`.invalid` receives no mail, RFC 2606). It is
 * created when it is first needed.
 */
export async function operatorOf(tx: Tx, organisationId: string): Promise<string> {
  await tx.run(sql`
    insert into app_user (organisation_id, id, email, full_name)
    values (${organisationId}, ${uuidv7()}, ${operatorEmail}, 'Operator')
    on conflict (organisation_id, lower(email)) do nothing`)
  const operator = await tx.row<{ id: string }>(sql`
    select id from app_user where organisation_id = ${organisationId} and lower(email) = ${operatorEmail}`)
  return operator.id
}

/** Refuses (400) to give a person the email of the operator, which would allow signing in as the operator. */
export function refuseOperatorEmail(email: string | null | undefined): void {
  if (email?.toLowerCase() === operatorEmail)
    throw verificationFailed(faultAt('email', 'belongs to the operator of the service', 'conflict'))
}

/** Whether an organisation exists. */
export async function organisationExists(db: Db, organisationId: string): Promise<boolean> {
  return (await db.maybe(sql`select id from organisation where id = ${organisationId}`)) !== undefined
}
