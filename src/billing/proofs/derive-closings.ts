// Charges derived again in sets, from what was frozen when their consignments were Closed.

import type { Db } from '../../platform/database/db.ts'
import { readSetUp } from '../charges/billing-set-up.ts'
import { type Closing, type FrozenSubject, readClosings } from '../charges/frozen-inputs.ts'
import {
  type BillingSetUp,
  type RatedConsignment,
  rateConsignment,
  versionIdsOf,
} from '../charges/rate-consignment.ts'
import { evaluatorVersion } from '../rate-cards/evaluate.ts'
import { type LoadedVersion, loadProvenVersions } from '../rate-cards/version-cache.ts'

/** A closing derived again. */
export interface DerivedClosing {
  frozen: FrozenSubject
  /** null where it was charged by rules that this version of the service does not have */
  rated: RatedConsignment | null
}

/** So many closings are read and derived at a time, which is what the memory of a proof depends on. */
export const closingsAtOnce = 500

/** Names a closing among those of an organisation. */
export const closingKey = ({ consignmentId, closingNumber }: Closing): string =>
  `${consignmentId} ${closingNumber}`

/** Everything that closings of one organisation are derived from. */
export interface DerivableClosings {
  frozen: FrozenSubject[]
  versions: ReadonlyMap<string, LoadedVersion>
  setUp: BillingSetUp
}

/** Reads what closings of an organisation are derived from; `closingsAtOnce` of them at most. */
export async function readDerivable(
  db: Db,
  organisationId: string,
  closings: readonly Closing[],
): Promise<DerivableClosings> {
  const [frozen, setUp] = await Promise.all([
    readClosings(db, organisationId, closings),
    readSetUp(db, organisationId),
  ])
  const ids = [...new Set(frozen.flatMap(versionIdsOf))]
  const versions = ids.length === 0 ? new Map() : await loadProvenVersions(db, organisationId, ids)
  return { frozen, versions, setUp }
}

/** Derives closings again, by `closingKey`. Pure. */
export const derive = ({ frozen, versions, setUp }: DerivableClosings): Map<string, DerivedClosing> =>
  new Map(
    frozen.map(one => {
      const key = closingKey({ consignmentId: one.id, closingNumber: one.closings + 1 })
      const isKnown = one.evaluatorVersion === evaluatorVersion
      return [key, { frozen: one, rated: isKnown ? rateConsignment(one, versions, setUp) : null }]
    }),
  )

/** Derives closings of an organisation again, by `closingKey`; `closingsAtOnce` of them at most. */
export const deriveClosings = async (
  db: Db,
  organisationId: string,
  closings: readonly Closing[],
): Promise<Map<string, DerivedClosing>> => derive(await readDerivable(db, organisationId, closings))
