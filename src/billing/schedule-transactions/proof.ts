// The proof of a schedule transaction: derives it again from its inputs. Decision 7.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { type Db, empty, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
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
import { deriveAdjustments } from '../back-tests/derive-adjustments.ts'
import { ChargeProof, type ProofSubject, proveDerivedCharge, proveEnteredCharge } from '../charges/proof.ts'
import { deriveCredits } from '../proofs/derive-credits.ts'
import { derivePeriodicCharges } from '../proofs/derive-periodic-charges.ts'
import { proveTransaction, readTransaction, type StoredTransaction } from '../proofs/prove-schedule.ts'
import { StorageProof, storageProof } from '../storage/storage-proof.ts'
import { explainPeriodicCharge } from './explain-periodic-charge.ts'

const Difference = Type.Object(
  {
    rateCardBackTestId: Uuid,
    before: Type.Number(),
    after: Type.Number(),
    rates: Type.Array(Type.Object({ name: Type.String(), before: Type.Number(), after: Type.Number() }), {
      description: 'The rates in which the consignment differs. Not shown to partners.',
    }),
  },
  { description: 'For an adjustment to a back-test: its amount is after minus before.' },
)

/** The derivation of a transaction's amount: that of a charge, with fields for other origins. */
const TransactionProof = named(
  'ScheduleTransactionProof',
  Type.Object({
    ...ChargeProof.properties,
    ...allNullable({ periodFrom: PlainDate, periodTo: PlainDate }),
    series: { ...nullable(StorageProof.properties.series), description: 'For storage: every day.' },
    adjusting: StorageProof.properties.adjusting,
    difference: nullable(Difference),
  }),
)
type TransactionProof = Static<typeof TransactionProof>

/** The empty fields of a proof that is not of another origin. */
const emptyFields = { periodFrom: null, periodTo: null, series: null, adjusting: null, difference: null }

/** Reads a transaction. Undefined if there is none that the actor may see. */
const readVisible = (
  db: Db,
  { organisationId, partnerId }: Actor,
  id: string,
): Promise<StoredTransaction | undefined> =>
  readTransaction(
    db,
    sql`t.organisation_id = ${organisationId} and t.id = ${id}
      ${partnerId === null ? empty : sql`and t.partner_id = ${partnerId}`}`,
  )

/** Proves a transaction that was raised from a charge of a consignment, or entered by hand. */
async function proveCharged(db: Db, actor: Actor, transaction: StoredTransaction): Promise<TransactionProof> {
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
    ...{ ...proof, ...emptyFields, isVerified },
    derivedExclTax: derivedExclTax === null ? null : Number(derivedExclTax),
  }
}

/** Proves a transaction that adjusts a consignment to a back-test. */
async function proveAdjustment(db: Db, actor: Actor, id: string): Promise<TransactionProof | undefined> {
  const where = sql`t.organisation_id = ${actor.organisationId} and t.id = ${id}`
  const [adjustment] = await deriveAdjustments(db, where)
  if (adjustment === undefined) return undefined
  const { rateCardBackTestId, amountExclTax, before, after, derivedExclTax, isVerified, rates } = adjustment
  const source = { kind: 'record' as const, id: rateCardBackTestId, type: null, atUtc: null, by: null }
  const isDerived = before !== null && after !== null
  return {
    subject: { kind: 'scheduleTransaction', id, amountExclTax: Number(amountExclTax) },
    isFrozen: true,
    isVerified,
    evaluatorVersion: null,
    derivedExclTax: derivedExclTax === null ? null : Number(derivedExclTax),
    rule: null,
    inputs: isDerived
      ? [
          { name: 'beforeExclTax', value: before, unit: null, source },
          { name: 'afterExclTax', value: after, unit: null, source },
        ]
      : [],
    passedOver: [],
    resolution: null,
    steps: isDerived
      ? [{ name: 'amount', from: after, operation: `− ${before}`, to: derivedExclTax as string }]
      : [],
    ...emptyFields,
    difference: isDerived
      ? {
          ...{ rateCardBackTestId, before: Number(before), after: Number(after) },
          rates: actor.partnerId === null ? rates : [],
        }
      : null,
  }
}

/** Proves a transaction that credits another one: by whom it was entered, and what it follows from. */
async function proveCredit(db: Db, actor: Actor, id: string): Promise<TransactionProof | undefined> {
  const where = sql`t.organisation_id = ${actor.organisationId} and t.id = ${id}`
  const [credit] = await deriveCredits(db, where)
  if (credit === undefined) return undefined
  const { creditedQuantity, originalExclTax, originalQuantity, creditOf, derivedExclTax } = credit
  const subject: ProofSubject = {
    ...{ kind: 'scheduleTransaction', id },
    amountExclTax: Number(credit.amountExclTax),
  }
  const entered = await proveEnteredCharge(db, actor, subject, {
    ...{ chargeId: null, metricValue: creditedQuantity ?? '1', chargeRate: credit.amountExclTax },
  })
  const source = { kind: 'record' as const, id: creditOf, type: null, atUtc: null, by: null }
  const input = (name: string, value: string) => ({ name, value, unit: null, source })
  const byWhom = entered.inputs.map(({ source: person }) => person)[0] ?? null
  return {
    ...{ ...entered, ...emptyFields, isVerified: credit.isVerified, derivedExclTax: Number(derivedExclTax) },
    inputs: [
      input('creditedTransactionExclTax', originalExclTax),
      input('creditedTransactionQuantity', originalQuantity),
      input('creditableExclTax', credit.creditableExclTax),
      creditedQuantity === null
        ? { ...input('amountExclTax', credit.amountExclTax), source: byWhom }
        : { ...input('creditedQuantity', creditedQuantity), source: byWhom },
    ],
    steps:
      creditedQuantity === null
        ? []
        : [
            {
              ...{ name: 'amount', from: originalExclTax, to: derivedExclTax },
              operation: `× ${creditedQuantity} ÷ ${originalQuantity}, at most ${credit.creditableExclTax}`,
            },
          ],
  }
}

/** Proves a periodic fee or minimum-spend top-up. */
async function provePeriodic(db: Db, actor: Actor, id: string): Promise<TransactionProof | undefined> {
  const where = sql`t.organisation_id = ${actor.organisationId} and t.id = ${id}`
  const [found] = await derivePeriodicCharges(db, where)
  return found && { ...emptyFields, ...explainPeriodicCharge(found) }
}

/** Proves a transaction. Undefined if there is none that the actor may see. */
async function proveVisible(db: Db, actor: Actor, id: string): Promise<TransactionProof | undefined> {
  const transaction = await readVisible(db, actor, id)
  if (transaction === undefined) return undefined
  const { organisationId } = actor
  if (transaction.storageRunId !== null) {
    const proof = await storageProof(db, { organisationId, id })
    return proof && { ...emptyFields, ...proof }
  }
  if (transaction.billingRunId !== null) return provePeriodic(db, actor, id)
  if (transaction.rateCardBackTestId !== null) return proveAdjustment(db, actor, id)
  if (transaction.creditOf !== null) return proveCredit(db, actor, id)
  return proveCharged(db, actor, transaction)
}

export const scheduleTransactionProof = [
  endpoint({
    get: '/v1/schedule-transactions/:scheduleTransactionId/proof',
    name: 'getScheduleTransactionProof',
    partners: 'all',
    scope: 'financial.read',
    extension: true,
    summary: 'Prove a transaction: derive it again from its inputs',
    description:
      'Uses the data that was frozen by the closing that raised it, even if the consignment was ' +
      'reopened since. Storage is derived from the ledger as its run knew it, with every day; a ' +
      'correction shows the result before, the result now and the late ledger rows. A fee follows from ' +
      'its rule, a minimum-spend transaction from the spend of the period, an adjustment from the ' +
      'difference that its back-test found, a credit from what it credits. The proof shows only the ' +
      'rule that applied, never the whole card. For an amount entered by hand, it says by whom.',
    response: json(TransactionProof),
    async handle({ db, actor, params }) {
      const proof = await proveVisible(db, actor, params.scheduleTransactionId)
      if (proof === undefined) throw notFound('Schedule transaction')
      return proof
    },
  }),
]
