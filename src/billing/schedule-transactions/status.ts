// Voids a transaction without a consignment, or a credit, or makes it Pending again. Decision 7.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { decimalText, scale } from '../../platform/decimal.ts'
import { changed } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { notFound, validationFailed, verificationFailed } from '../../platform/http/refusal.ts'
import { IntegerEnum, named, optional, Text, Type } from '../../platform/http/schema.ts'
import { note, noteStatus } from '../../rehearsal/notes.ts'
import { ScheduleTransactionStatus, SettableTransactionStatus } from '../../vocabulary/billing.ts'
import { readLeft } from './credit.ts'

interface LockedTransaction {
  id: string
  status: number
  consignmentId: string | null
  creditOf: string | null
  quantity: string
  amountExclTax: string
}

/**
 * Locks a transaction and the one that it credits, if any, in the order of their ids. 404 if there is none.
 */
async function lockWithOriginal(
  tx: Tx,
  { organisationId }: Actor,
  id: string,
): Promise<LockedTransaction & { original: LockedTransaction | null }> {
  const locked = await tx.rows<LockedTransaction>(sql`
    select t.id, t.status, t.consignment_id, t.credit_of, t.quantity::text as quantity,
      t.amount_excl_tax::text as amount_excl_tax
    from schedule_transaction t
    where t.organisation_id = ${organisationId} and (t.id = ${id} or t.id = (
      select c.credit_of from schedule_transaction c
      where c.organisation_id = ${organisationId} and c.id = ${id}
    ))
    order by t.id for update`)
  const transaction = locked.find(one => one.id === id)
  if (transaction === undefined) throw notFound('Schedule transaction')
  return { ...transaction, original: locked.find(one => one.id === transaction.creditOf) ?? null }
}

/** Refuses (400) to void what is credited, and to restore a credit of more than what is left. */
async function requireCreditable(
  tx: Tx,
  organisationId: string,
  transaction: LockedTransaction & { original: LockedTransaction | null },
  isVoid: boolean,
): Promise<void> {
  const { original, amountExclTax } = transaction
  if (isVoid) {
    const { cents } = await readLeft(tx, organisationId, transaction)
    if (original === null && cents !== scale(2, amountExclTax))
      throw verificationFailed('The transaction is credited: void its credits first.')
    return
  }
  if (original === null) return
  if (original.status === ScheduleTransactionStatus.Void)
    throw verificationFailed('The transaction that it credits is void.')
  const { cents } = await readLeft(tx, organisationId, original)
  if (-scale(2, amountExclTax) > cents)
    throw verificationFailed(
      `Only ${decimalText(2, cents)} is left of the transaction that it credits: enter a credit of that.`,
    )
}

export const scheduleTransactionStatus = [
  endpoint({
    put: '/v1/schedule-transactions/:scheduleTransactionId/status',
    name: 'setScheduleTransactionStatus',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Void a transaction without a consignment, or a credit, or make it Pending again',
    description:
      'Voiding requires a reason. Voided storage is waived: it counts as billed, so no run raises it ' +
      'again. Refused for transactions of consignments, which reopening voids, for those on a schedule, ' +
      'and for those that others credit.',
    body: named(
      'ScheduleTransactionStatusChange',
      Type.Object({ status: IntegerEnum(SettableTransactionStatus), reason: optional(Text) }),
    ),
    response: changed,
    async handle({ tx, actor, params, body: { status, reason } }) {
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.scheduleTransactionId}`
      const transaction = await lockWithOriginal(tx, actor, params.scheduleTransactionId)
      if (transaction.consignmentId !== null && transaction.original === null)
        throw verificationFailed('The transaction is of a consignment: reopening that voids it.')
      if (transaction.status === ScheduleTransactionStatus.Scheduled)
        throw verificationFailed('The transaction is on a schedule; take it off first.')
      if (transaction.status === status) return false
      const isVoid = status === SettableTransactionStatus.Void
      if (isVoid && !reason?.trim())
        throw validationFailed(faultAt('reason', 'is required for voiding', 'required'))
      await requireCreditable(tx, actor.organisationId, transaction, isVoid)
      await tx.run(sql`
        update schedule_transaction
        set status = ${status}, void_reason = ${isVoid ? reason : null},
          waived_by = ${isVoid ? actor.userId : null}, was_voided = true
        where ${where}`)
      const { id } = transaction
      note(tx, { about: 'transactions', did: isVoid ? 'void' : 'raise', ids: [id] })
      if (!isVoid) noteStatus(tx, ScheduleTransactionStatus, { id, from: transaction.status, to: status })
      return true
    },
  }),
]
