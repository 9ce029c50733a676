// Plans lines for a consignment that exists, by the rules of imports: the same codes, aliases and checks.
// What an import would wait for is a fault here. Spec 2.3, 3; decision 5.

import type { Actor } from '../access/actor.ts'
import type { LockedConsignment } from '../consignments/consignment.ts'
import type { ItemRow, LineRow } from '../consignments/line-rows.ts'
import type { ReasonKind, WaitingReason } from '../events/import-reason.ts'
import { type Db, sql } from '../platform/database/db.ts'
import { type ErrorCode, type Fault, faultAt } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { parseLocalTime } from '../platform/local-time.ts'
import { aliasReplacements } from './alias-replacements.ts'
import type { ImportLine, ImportRequest } from './import-request.ts'
import type { ImportToPlan } from './import-to-plan.ts'
import { planImportLines } from './plan-lines.ts'
import { withReplacements } from './replacements.ts'
import { requestFaults } from './request-faults.ts'
import { resolveCodes } from './resolve-codes.ts'

interface PlannedLines {
  lines: LineRow[]
  items: ItemRow[]
}

/** What keeps lines from being stored; a code that occurs in several places is a reason at each of them. */
interface Planned extends PlannedLines {
  reasons: WaitingReason[]
}

/**
 * Plans lines for a locked consignment. Their ordinals begin with 0. Throws 400 with everything that is wrong
 * with them. `ownLineId` is the line that the only one of them replaces.
 */
export async function planProducts(
  db: Db,
  actor: Actor,
  consignment: LockedConsignment,
  clientCode: string,
  products: ImportLine[],
  ownLineId?: string,
): Promise<PlannedLines> {
  const planned = await planWithAliases(db, consignment, toPlan(actor, consignment, clientCode, products))
  const faults = [
    ...planned.reasons.map(toFault),
    ...(await repeatedSerials(db, consignment, planned, ownLineId)),
  ]
  if (faults.length > 0) throw verificationFailed(...faults)
  return planned
}

/** The lines as the import of a consignment that is known, by a person who looks at them. */
const toPlan = (
  { userId }: Actor,
  { id, type, clientId }: LockedConsignment,
  clientCode: string,
  products: ImportLine[],
): ImportToPlan => ({
  ...{ id, clientId, userId, isManuallyReconciled: true, downloads: new Map() },
  request: { consignmentType: type, clientCode, products },
})

async function planLines(db: Db, consignment: LockedConsignment, pending: ImportToPlan): Promise<Planned> {
  const reasons: WaitingReason[] = []
  const codes = await resolveCodes(db, consignment.organisationId, [pending])
  const planned = planImportLines(pending, {
    ...{ codes, isClientKnown: true },
    toLocalTime: text => (text ? parseLocalTime(text, consignment.timezoneId) : null),
    addReason: (kind, code, path, message) => reasons.push({ kind, code, path, message }),
  })
  return { ...planned, reasons }
}

/** Codes that do not resolve are tried again as what the aliases of the client say that they mean. */
async function planWithAliases(
  db: Db,
  consignment: LockedConsignment,
  pending: ImportToPlan,
): Promise<Planned> {
  const { id, organisationId, clientId } = consignment
  const planned = await planLines(db, consignment, pending)
  if (planned.reasons.length === 0) return planned
  const unresolved = { id, clientId, reasons: planned.reasons }
  const aliases = await aliasReplacements(db, organisationId, [unresolved])
  const request: ImportRequest = withReplacements(pending.request, aliases.get(id) ?? [])
  if (request === pending.request || (await requestFaults(request)).length > 0) return planned
  return planLines(db, consignment, { ...pending, request })
}

/** The codes of the faults that reasons of imports become; a code that is not found is the usual one. */
const faultCodes: Partial<Record<ReasonKind, ErrorCode>> = {
  attribute: 'required',
  serial: 'serial_not_taken',
}

const toFault = ({ kind, path, message }: WaitingReason): Fault => ({
  path,
  message,
  code: path?.endsWith('.serial') ? 'duplicate' : (faultCodes[kind] ?? 'unknown_reference'),
})

/** The faults of serials that another line of the consignment has for the same product. */
async function repeatedSerials(
  db: Db,
  { organisationId, id }: LockedConsignment,
  { lines, items }: PlannedLines,
  ownLineId: string | undefined,
): Promise<Fault[]> {
  const lineOf = new Map(lines.map(line => [line.id, line]))
  const withSerial = items.flatMap(({ consignmentProductId, ordinal, serial }) => {
    const line = lineOf.get(consignmentProductId) as LineRow
    return serial
      ? [{ serial, code: line.productCode, path: `products[${line.ordinal}].items[${ordinal}].serial` }]
      : []
  })
  if (withSerial.length === 0) return []
  const repeated = await db.rows<{ path: string }>(sql`
    select g.path
    from json_to_recordset(${JSON.stringify(withSerial)}) as g (serial text, code text, path text)
    where exists (
      select from consignment_product r
      join consignment_product_item i
        on i.organisation_id = r.organisation_id and i.consignment_product_id = r.id
      where r.organisation_id = ${organisationId} and r.consignment_id = ${id}
        and r.id is distinct from ${ownLineId ?? null}::uuid
        and lower(r.product_code) = lower(g.code) and i.serial = g.serial)`)
  return repeated.map(({ path }) =>
    faultAt(path, 'must not repeat a serial of the same product', 'duplicate'),
  )
}
