// Region Charges: what the client and the carrier are charged for, and the freight margin. Absent for people
// without the scope.

import { useQuery } from '@tanstack/react-query'
import { amount, quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { read } from '../../api.ts'
import { hasScope, useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'

export function Charges({ consignment: { id: consignmentId } }: { consignment: Consignment }) {
  const mayRead = hasScope(useMe(), 'financial.read')
  const { data, isError } = useQuery({
    ...read('/v1/consignments/{consignmentId}/charges', { path: { consignmentId } }),
    enabled: mayRead,
  })
  if (!mayRead) return null
  const charges = [
    ...(data?.clientActivityCharges ?? []).map(one => ({ ...one, kind: words.work })),
    ...(data?.clientFreightCharges ?? []).map(one => ({ ...one, kind: words.freight })),
    ...(data?.carrierFreightCharges ?? []).map(one => ({ ...one, kind: words.carrierFreight })),
  ].filter(({ isEffective }) => isEffective)
  const state = regionStateOf(isError, data && charges)
  const margin = data?.freightMargin
  return (
    <Region
      heading={words.charges}
      state={state}
      summary={data?.isByExpected && charges.length > 0 ? words.byExpected : undefined}
    >
      {state === 'empty' ? (
        <Nothing text={words.noCharges} />
      ) : (
        <SmallTable
          label={words.charges}
          heads={[
            { text: words.chargedFor },
            { text: words.kind },
            { text: words.quantity, isAtEnd: true },
            { text: words.rate, isAtEnd: true },
            { text: words.amount, isAtEnd: true },
          ]}
          rows={charges.map(charge => ({
            id: charge.id,
            cells: [
              charge.particulars ?? charge.activityName ?? words.nothing,
              charge.kind,
              quantity(charge.metricValue),
              amount(charge.chargeRate),
              amount(charge.amountExclTax),
            ],
          }))}
        />
      )}
      {margin?.marginExclTax != null && (
        <p className={`${styles.foot} ${margin.isBelowThreshold ? styles.alert : ''}`}>
          {words.margin(amount(margin.marginExclTax))}
        </p>
      )}
    </Region>
  )
}
