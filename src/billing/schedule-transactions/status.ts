// Voids a transaction without a consignment, or makes it Pending again. Open-points 7.

import { sql } from '../../platform/database/db.ts'
import { changed, endpoint } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { notFound, validationFailed, verificationFailed } from '../../platform/http/refusal.ts'
import { IntegerEnum, named, optional, Text, Type } from '../../platform/http/schema.ts'
import { ScheduleTransactionStatus, SettableTransactionStatus } from '../../vocabulary/billing.ts'

export const scheduleTransactionStatus = [
  endpoint({
    put: '/v1/schedule-transactions/:scheduleTransactionId/status',
    name: 'setScheduleTransactionStatus',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Void a transaction without a consignment, or make it Pending again',
    description:
      'Voiding requires a reason. Voided storage is waived: it counts as billed, so no run raises it ' +
      'again. Refused for transactions of consignments, which reopening voids, and for those on a schedule.',
    body: named(
      'ScheduleTransactionStatusChange',
      Type.Object({ status: IntegerEnum(SettableTransactionStatus), reason: optional(Text) }),
    ),
    response: changed,
    async handle({ tx, actor, params, body: { status, reason } }) {
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.scheduleTransactionId}`
      const transaction = await tx.maybe<{ status: number; consignmentId: string | null }>(
        sql`select status, consignment_id from schedule_transaction where ${where} for update`,
      )
      if (transaction === undefined) throw notFound('Schedule transaction')
      if (transaction.consignmentId !== null)
        throw verificationFailed('The transaction is of a consignment: reopening that voids it.')
      if (transaction.status === ScheduleTransactionStatus.Scheduled)
        throw verificationFailed('The transaction is on a schedule; take it off first.')
      if (transaction.status === status) return false
      const isVoid = status === SettableTransactionStatus.Void
      if (isVoid && !reason?.trim())
        throw validationFailed(faultAt('reason', 'is required for voiding', 'required'))
      await tx.run(sql`
        update schedule_transaction
        set status = ${status}, void_reason = ${isVoid ? reason : null},
          waived_by = ${isVoid ? actor.userId : null}
        where ${where}`)
      return true
    },
  }),
]
