// The proof of a transaction: what it follows from, derived again. Open-points 7.

import { type Db, empty, sql } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { endpoint, json } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import {
  allNullable,
  named,
  nullable,
  PlainDate,
  type Static,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import { ChargeProof, type ProofSubject, proveDerivedCharge, proveEnteredCharge } from '../charges/proof.ts'
import { derivePeriodicCharges } from '../proofs/derive-periodic-charges.ts'
import { proveTransaction, readTransaction, type StoredTransaction } from '../proofs/prove-schedule.ts'
import { deriveAdjustments } from '../rate-card-back-tests/derive-adjustments.ts'
import { StorageProof, storageProof } from '../storage-charges/storage-proof.ts'
import { explainPeriodicCharge } from './explain-periodic-charge.ts'

const Difference = Type.Object(
  {
    rateCardBackTestId: Uuid,
    before: Type.Number(),
    after: Type.Number(),
    rates: Type.Array(Type.Object({ name: Type.String(), before: Type.Number(), after: Type.Number() }), {
      description: 'The rates by which the consignment differs. Not shown to partners.',
    }),
  },
  { description: 'Of one that adjusts to a back-test: its amount is that after less that before.' },
)

/** How the amount of a transaction came to be: as of a charge, and what others have besides. */
const TransactionProof = named(
  'ScheduleTransactionProof',
  Type.Object({
    ...ChargeProof.properties,
    ...allNullable({ periodFrom: PlainDate, periodTo: PlainDate }),
    series: { ...nullable(StorageProof.properties.series), description: 'Of storage: every day.' },
    adjusting: StorageProof.properties.adjusting,
    difference: nullable(Difference),
  }),
)
type TransactionProof = Static<typeof TransactionProof>

/** What a proof has none of, unless it is said. */
const noMore = { periodFrom: null, periodTo: null, series: null, adjusting: null, difference: null }

/** Reads a transaction. Undefined where there is none that the actor may see. */
const readSeen = (
  db: Db,
  { organisationId, partnerId }: Actor,
  id: string,
): Promise<StoredTransaction | undefined> =>
  readTransaction(
    db,
    sql`t.organisation_id = ${organisationId} and t.id = ${id}
      ${partnerId === null ? empty : sql`and t.partner_id = ${partnerId}`}`,
  )

/** The proof of what was charged for a consignment, or entered. */
async function chargedProof(db: Db, actor: Actor, transaction: StoredTransaction): Promise<TransactionProof> {
  const { closing, isVerified, derivedExclTax } = await proveTransaction(
    db,
    actor.organisationId,
    transaction,
  )
  const { id, chargeId, quantity: metricValue, rate: chargeRate } = transaction
  const subject: ProofSubject = {
    ...{ kind: 'scheduleTransaction', id },
    amountExclTax: Number(transaction.amountExclTax),
  }
  const proof =
    closing === null
      ? await proveEnteredCharge(db, actor, subject, { chargeId, metricValue, chargeRate })
      : await proveDerivedCharge(db, actor, subject, closing, chargeId as string)
  return {
    ...{ ...proof, ...noMore, isVerified },
    derivedExclTax: derivedExclTax === null ? null : Number(derivedExclTax),
  }
}

/** The proof of what adjusts a consignment to a back-test. */
async function adjustmentProof(db: Db, actor: Actor, id: string): Promise<TransactionProof | undefined> {
  const where = sql`t.organisation_id = ${actor.organisationId} and t.id = ${id}`
  const [found] = await deriveAdjustments(db, where)
  if (found === undefined) return undefined
  const { rateCardBackTestId, amountExclTax, before, after, derivedExclTax, isVerified, rates } = found
  const source = { kind: 'record' as const, id: rateCardBackTestId, type: null, atUtc: null, by: null }
  const isFound = before !== null && after !== null
  return {
    subject: { kind: 'scheduleTransaction', id, amountExclTax: Number(amountExclTax) },
    isFrozen: true,
    isVerified,
    evaluatorVersion: null,
    derivedExclTax: derivedExclTax === null ? null : Number(derivedExclTax),
    rule: null,
    inputs: isFound
      ? [
          { name: 'beforeExclTax', value: before, unit: null, source },
          { name: 'afterExclTax', value: after, unit: null, source },
        ]
      : [],
    passedOver: [],
    resolution: null,
    steps: isFound
      ? [{ name: 'amount', from: after, operation: `− ${before}`, to: derivedExclTax as string }]
      : [],
    ...noMore,
    difference: isFound
      ? {
          ...{ rateCardBackTestId, before: Number(before), after: Number(after) },
          rates: actor.partnerId === null ? rates : [],
        }
      : null,
  }
}

async function periodicProof(db: Db, actor: Actor, id: string): Promise<TransactionProof | undefined> {
  const where = sql`t.organisation_id = ${actor.organisationId} and t.id = ${id}`
  const [found] = await derivePeriodicCharges(db, where)
  return found && { ...noMore, ...explainPeriodicCharge(found) }
}

/** The proof of a transaction. Undefined where there is none that the actor may see. */
async function proofOf(db: Db, actor: Actor, id: string): Promise<TransactionProof | undefined> {
  const transaction = await readSeen(db, actor, id)
  if (transaction === undefined) return undefined
  const { organisationId } = actor
  if (transaction.storageRunId !== null) {
    const proof = await storageProof(db, { organisationId, id })
    return proof && { ...noMore, ...proof }
  }
  if (transaction.billingRunId !== null) return periodicProof(db, actor, id)
  if (transaction.rateCardBackTestId !== null) return adjustmentProof(db, actor, id)
  return chargedProof(db, actor, transaction)
}

export const scheduleTransactionProof = [
  endpoint({
    get: '/v1/schedule-transactions/:scheduleTransactionId/proof',
    name: 'getScheduleTransactionProof',
    partners: 'all',
    scope: 'financial.read',
    extension: true,
    summary: 'Prove a transaction: derive it again from what it was made of',
    description:
      'By what was frozen with the closing that raised it, also where the consignment was reopened since. ' +
      'Storage is derived from the ledger as its run knew it, with every day; what corrects it shows what ' +
      'there was before, what there is now and what came late. A fee follows from its rule, a minimum ' +
      'spend from what the period came to before, an adjustment from the difference of its back-test. ' +
      'The proof shows the one rule that counted, never the card. What somebody entered says who.',
    answer: json(TransactionProof),
    async handle({ db, actor, params }) {
      const proof = await proofOf(db, actor, params.scheduleTransactionId.toLowerCase())
      if (proof === undefined) throw notFound('Schedule transaction')
      return proof
    },
  }),
]
