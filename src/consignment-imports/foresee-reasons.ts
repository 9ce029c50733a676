// Tells what imports would wait for if they were sent now, by planning them as the worker will. Spec 3;
// decision 5.

import type { EventOrigin } from '../events/emit.ts'
import type { WaitingReason } from '../events/import-reason.ts'
import type { Db } from '../platform/database/db.ts'
import { newId } from '../platform/new-id.ts'
import { aliasReplacements } from './alias-replacements.ts'
import type { ImportRequest } from './import-request.ts'
import { type Plan, planImport } from './plan-import.ts'
import { withReplacements } from './replacements.ts'
import { requestFaults } from './request-faults.ts'
import { resolveCodes } from './resolve-codes.ts'

/** The reasons of each request of one client, none where it would become a consignment. */
export async function foreseeReasons(
  db: Db,
  source: EventOrigin & { userId: string },
  clientId: string,
  requests: readonly ImportRequest[],
): Promise<WaitingReason[][]> {
  const { organisationId, userId } = source
  const pending = requests.map(request => ({
    ...{ id: newId(), request, clientId, userId, isManuallyReconciled: false, downloads: new Map() },
  }))
  const plan = async (imports: typeof pending): Promise<Map<string, Plan>> => {
    const codes = await resolveCodes(db, organisationId, imports)
    return new Map(imports.map(one => [one.id, planImport(one, codes, source, new Date())]))
  }
  const plans = await plan(pending)
  const reasonsOf = (id: string) => plans.get(id)?.reasons ?? []
  const waiting = pending.filter(({ id }) => reasonsOf(id).length > 0)
  if (waiting.length === 0) return pending.map(() => [])
  const unresolved = waiting.map(({ id }) => ({ id, clientId, reasons: reasonsOf(id) }))
  const aliases = await aliasReplacements(db, organisationId, unresolved)
  const replaced: typeof pending = []
  for (const one of waiting) {
    const request = withReplacements(one.request, aliases.get(one.id) ?? [])
    if (request !== one.request && (await requestFaults(request)).length === 0)
      replaced.push({ ...one, request })
  }
  const again = replaced.length === 0 ? new Map<string, Plan>() : await plan(replaced)
  return pending.map(({ id }) => (again.get(id)?.reasons.length === 0 ? [] : reasonsOf(id)))
}
