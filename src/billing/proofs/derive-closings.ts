// Derives the charges of closings again from their frozen inputs, in batches.

import type { Db } from '../../platform/database/db.ts'
import { readSetUp } from '../charges/billing-set-up.ts'
import {
  type BillingSetUp,
  type RatedConsignment,
  rateConsignment,
  versionIdsOf,
} from '../charges/rate-consignment.ts'
import { type Closing, type FrozenConsignment, readClosings } from '../charges/read-closings.ts'
import { isKnownEvaluator } from '../evaluator/evaluator-version.ts'
import { type LoadedVersion, loadIntactVersions } from '../rate-cards/version-cache.ts'

export interface DerivedClosing {
  frozen: FrozenConsignment
  /** null if it was charged by an evaluator version that this version of the service does not have */
  rated: RatedConsignment | null
}

/** How many closings are read and derived at a time. It bounds the memory that a proof needs. */
export const closingBatchSize = 500

/** Returns the key of a closing, unique within its organisation. */
export const closingKey = ({ consignmentId, closingNumber }: Closing): string =>
  `${consignmentId} ${closingNumber}`

/** Everything that the closings of one organisation are derived from. */
export interface DerivableClosings {
  frozen: FrozenConsignment[]
  versions: ReadonlyMap<string, LoadedVersion>
  setUp: BillingSetUp
}

/** Reads what closings of an organisation are derived from. At most `closingBatchSize` closings. */
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
  const versions = ids.length === 0 ? new Map() : await loadIntactVersions(db, organisationId, ids)
  return { frozen, versions, setUp }
}

/** Derives the charges of closings again. Returns them by `closingKey`. Pure. */
export const deriveCharges = ({ frozen, versions, setUp }: DerivableClosings): Map<string, DerivedClosing> =>
  new Map(
    frozen.map(consignment => {
      const key = closingKey({ consignmentId: consignment.id, closingNumber: consignment.closings + 1 })
      const isKnown = isKnownEvaluator(consignment.evaluatorVersion)
      return [
        key,
        { frozen: consignment, rated: isKnown ? rateConsignment(consignment, versions, setUp) : null },
      ]
    }),
  )

/**
 * Reads and derives closings of an organisation. Returns them by `closingKey`. At most `closingBatchSize`.
 */
export const deriveClosings = async (
  db: Db,
  organisationId: string,
  closings: readonly Closing[],
): Promise<Map<string, DerivedClosing>> => deriveCharges(await readDerivable(db, organisationId, closings))
