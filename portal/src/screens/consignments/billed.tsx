// What of a consignment was billed, in its region Charges: each charge with its bill and what was credited of
// it. Whoever bills credits it here, where a dispute is settled.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ScheduleTransactionStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { amount } from '../../../../ui/numbers.ts'
import { SmallTable } from '../../../../ui/Region.tsx'
import { read } from '../../api.ts'
import { canOpen } from '../../frame/menu.ts'
import { ChargePill, type ChargeRow, chargeNameOf } from '../../lists/charges.tsx'
import { useMe } from '../../me.ts'
import { Link } from '../../router.tsx'
import { billingWords as words } from '../../words/billing.ts'
import { chargeWords } from '../../words/charges.ts'
import { CreditDialog } from '../charges/charge-acts.tsx'
import { mayChangeMoney } from '../schedules/schedule-paths.ts'
import styles from './consignment.module.css'

/** More charges than a consignment has. */
const atMost = 500

export function Billed({ consignmentId }: { consignmentId: string }) {
  const mayCredit = mayChangeMoney(useMe())
  const [credited, setCredited] = useState<ChargeRow>()
  const { data } = useQuery(
    read('/v1/schedule-transactions', { query: { ConsignmentId: consignmentId, PageSize: atMost } }),
  )
  const rows = (data?.scheduleTransactions ?? [])
    .filter(({ status }) => status !== ScheduleTransactionStatus.Void)
    .toReversed()
  if (rows.length === 0) return null
  return (
    <>
      <SmallTable
        label={chargeWords.billed}
        heads={[
          { text: chargeWords.billed },
          { text: words.date },
          { text: words.amount, isAtEnd: true },
          { text: words.headStatus },
          { text: chargeWords.acts },
        ]}
        rows={rows.map(row => ({
          id: row.id,
          cells: [
            <Name key="name" row={row} />,
            <LocalDay key="date" value={row.date} />,
            amount(row.amountExclTax),
            <ChargePill key="status" status={row.status} />,
            <span key="acts" className={styles.rowActs}>
              {row.partnerScheduleId !== null && (
                <Link to={`/schedules/${row.partnerScheduleId}`}>{words.openBill}</Link>
              )}
              {mayCredit && row.creditableExclTax > 0 && (
                <Button
                  kind="quiet"
                  label={chargeWords.creditOf(chargeNameOf(row))}
                  onPress={() => setCredited(row)}
                >
                  {words.credit}
                </Button>
              )}
            </span>,
          ],
        }))}
      />
      {credited !== undefined && <CreditDialog charge={credited} onClose={() => setCredited(undefined)} />}
    </>
  )
}

/** A charge by its name, with whom it is billed to: a client and a carrier may share the work. */
function Name({ row }: { row: ChargeRow }) {
  const path = `/charges/${row.id}`
  return (
    <>
      {canOpen(useMe(), path) ? <Link to={path}>{chargeNameOf(row)}</Link> : chargeNameOf(row)}{' '}
      <span className={styles.quiet}>{row.partner.name}</span>
    </>
  )
}
