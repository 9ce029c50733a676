// The proof of a storage transaction: it is derived again from the ledger as its run knew it, the card
// versions and the frozen facts. A transaction that corrects another is proved by the charge before and the
// charge now.

import { type Db, sql } from '../../platform/database/db.ts'
import { nullable, PlainDate, type Static, Type, UtcTime } from '../../platform/http/schema.ts'
import { StorageCount, StorageMethod } from '../../vocabulary/billing.ts'
import { ChargeProof } from '../charges/proof.ts'
import { textOf, toNumber } from '../evaluator/exact.ts'
import { stepsOf } from '../evaluator/explain.ts'
import { describeRule } from '../rate-cards/describe-rule.ts'
import { type DerivedKey, type DerivedStorageTransaction, deriveStorage } from './derive-storage.ts'
import type { MeasuredStorage, StorageCharge } from './evaluate-storage.ts'
import { dateOf } from './local-days.ts'
import type { Position, StockHistory } from './stock-history.ts'
import {
  LedgerLineReference,
  maxListedLines,
  referenceOf,
  StorageDay,
  toStorageDays,
} from './storage-days.ts'

/** How a storage charge was derived from what was known at one time. */
const Derivation = Type.Object({
  knownAtUtc: UtcTime,
  quantity: Type.String(),
  amountExclTax: Type.Number(),
  steps: ChargeProof.properties.steps,
  series: Type.Array(StorageDay),
})

/** The proof of a storage transaction: the fields of a charge's proof, and the days. */
export const StorageProof = Type.Object({
  ...ChargeProof.properties,
  periodFrom: PlainDate,
  periodTo: PlainDate,
  series: Type.Array(StorageDay),
  adjusting: nullable(
    Type.Object(
      {
        before: Derivation,
        now: Derivation,
        lateRows: Type.Array(LedgerLineReference, { description: 'The first hundred late ledger lines.' }),
        lateRowCount: Type.Integer(),
      },
      { description: 'For a correction: its amount is the amount now less the amount before.' },
    ),
  ),
})
export type StorageProof = Static<typeof StorageProof>

const wordOf = (values: Record<string, number>, value: number): string =>
  Object.keys(values).find(name => values[name] === value) ?? String(value)

/** The steps from the counted days to the amount. */
function stepsFrom({ measured, row }: StorageCharge): StorageProof['steps'] {
  const { charge, metric, counted } = measured
  const { count, method } = charge.content.storage as NonNullable<typeof charge.content.storage>
  return [
    {
      name: 'metric',
      from: counted.length === 1 ? '1 day' : `${counted.length} days`,
      operation: `${wordOf(StorageMethod, method)} by ${wordOf(StorageCount, count)}`,
      to: textOf(6, metric),
    },
    ...stepsOf(charge, { key: '', metric, unrounded: metric, takes: [] }, row, 0),
  ]
}

const dailyBalances = ({ known, charge }: DerivedKey): StorageProof['series'] =>
  charge === undefined ? [] : toStorageDays(charge.measured, known.history, known.terms.calendar)

const derivationOf = (derived: DerivedKey) => ({
  knownAtUtc: new Date(derived.known.knownAt).toISOString(),
  quantity: textOf(6, derived.charge?.row.metric ?? 0),
  amountExclTax: toNumber(2, derived.charge?.row.amount ?? 0),
  steps: derived.charge === undefined ? [] : stepsFrom(derived.charge),
  series: dailyBalances(derived),
})

const idAt = ({ positions }: StockHistory, at: number): string => (positions[at] as Position).id

/** The ledger lines of a key's positions that were not known before. */
function lateLines(now: DerivedKey, before: DerivedKey) {
  const charged = now.charge === undefined ? before : now
  const { history } = now.known
  const positions = charged.charge?.measured.group.positions ?? []
  const ids = new Set(positions.map(at => idAt(charged.known.history, at)))
  const known = new Set(
    Array.from(
      before.known.history.lines,
      ({ position, version }) => `${idAt(before.known.history, position)} ${version}`,
    ),
  )
  return [...history.lines]
    .filter(({ position }) => ids.has(idAt(history, position)))
    .map(line => referenceOf(history, line))
    .filter(({ warehouseProductId, version }) => !known.has(`${warehouseProductId} ${version}`))
}

/** What a correction adjusts: the derivations before and now, and the late lines. */
function adjustingOf(now: DerivedKey, before: DerivedKey): StorageProof['adjusting'] {
  const late = lateLines(now, before)
  return {
    before: derivationOf(before),
    now: derivationOf(now),
    lateRows: late.slice(0, maxListedLines),
    lateRowCount: late.length,
  }
}

/** Builds the proof of a derived transaction. Pure. */
function toProof({
  transaction,
  derived,
  isVerified,
  evaluatorVersion,
  now,
  before,
}: DerivedStorageTransaction) {
  const source = { kind: 'record' as const, id: transaction.runId, type: null, atUtc: null, by: null }
  const input = (name: string, value: string) => ({ name, value, unit: null, source })
  const period = { periodFrom: dateOf(transaction.period.from), periodTo: dateOf(transaction.period.to) }
  const charge = now?.charge ?? before?.charge
  const knownAt = now === null ? [] : [input('knownAtUtc', new Date(now.known.knownAt).toISOString())]
  return {
    subject: {
      ...{ kind: 'scheduleTransaction', id: transaction.id },
      amountExclTax: toNumber(2, transaction.amount),
    },
    isFrozen: true,
    isVerified,
    evaluatorVersion,
    derivedExclTax: derived === null ? null : toNumber(2, derived),
    rule: charge === undefined ? null : ruleOf(charge.measured),
    inputs: [
      input('periodFrom', period.periodFrom),
      input('periodTo', period.periodTo),
      ...knownAt,
      input('groupKey', transaction.groupKey),
    ],
    passedOver: [],
    resolution: null,
    steps: now?.charge === undefined ? [] : stepsFrom(now.charge),
    ...period,
    series: now === null ? [] : dailyBalances(now),
    adjusting: now === null || before === null ? null : adjustingOf(now, before),
  }
}

const ruleOf = ({ versionDays: { version, because }, rate, charge }: MeasuredStorage) =>
  describeRule(version, because, rate, charge)

/** Proves a transaction that a storage run raised. Returns undefined for any other transaction. */
export async function storageProof(
  db: Db,
  { organisationId, id }: { organisationId: string; id: string },
): Promise<StorageProof | undefined> {
  const where = sql`t.organisation_id = ${organisationId} and t.id = ${id}`
  for await (const [derived] of deriveStorage(db, where)) return derived && toProof(derived)
  return undefined
}
