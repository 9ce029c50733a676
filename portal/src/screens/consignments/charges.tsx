// Region Charges: what the client and the carrier are charged for, and the freight margin. Absent for people
// without the scope.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConsignmentStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { amount, quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { type Got, read } from '../../api.ts'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { chargeWords } from '../../words/charges.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import { ChargeProofDialog } from '../schedules/proof.tsx'
import { Billed } from './billed.tsx'
import { AddCharge, Explanation, InclusionDialog } from './charge-dialogs.tsx'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'

type Charges = Got<'/v1/consignments/{consignmentId}/charges'>
type Charge = (Charges['clientActivityCharges'] | Charges['clientFreightCharges'])[number] & { kind: string }
type Open = 'add' | 'explain' | Charge | { proofOf: string }

/** The charges of three kinds in one list. */
const listOf = (charges: Charges): readonly Charge[] => [
  ...charges.clientActivityCharges.map(one => ({ ...one, kind: words.work })),
  ...charges.clientFreightCharges.map(one => ({ ...one, kind: words.freight })),
  ...charges.carrierFreightCharges.map(one => ({ ...one, kind: words.carrierFreight })),
]

const nameOf = ({ particulars, activityName, kind }: Charge) => particulars ?? activityName ?? kind

export function Charges({ consignment }: { consignment: Consignment }) {
  const { id: consignmentId, status, carrierId } = consignment
  const me = useMe()
  const mayRead = hasScope(me, 'financial.read')
  const isStaff = kindOf(me) === 'staff'
  const mayChange = isStaff && hasScope(me, 'financial') && status !== ConsignmentStatus.Closed
  const [open, setOpen] = useState<Open>()
  const { data, isError } = useQuery({
    ...read('/v1/consignments/{consignmentId}/charges', { path: { consignmentId } }),
    enabled: mayRead,
  })
  if (!mayRead) return null
  // What is not billed matters only to whoever may change that.
  const charges = data && listOf(data).filter(({ isEffective }) => isEffective || isStaff)
  const state = regionStateOf(isError, charges)
  const dialog = { consignmentId, onClose: () => setOpen(undefined) }
  return (
    <Region
      heading={words.charges}
      state={state}
      summary={data?.isByExpected && charges?.length ? words.byExpected : undefined}
      acts={isStaff && <RegionActs mayAdd={mayChange} onOpen={setOpen} />}
    >
      {state === 'empty' ? (
        <Nothing text={words.noCharges} />
      ) : (
        <ChargeTable charges={charges ?? []} mayChange={mayChange} onOpen={setOpen} />
      )}
      {status === ConsignmentStatus.Closed && <Billed consignmentId={consignmentId} />}
      <Margin margin={data?.freightMargin} />
      {open === 'add' && <AddCharge {...dialog} hasCarrier={carrierId !== null} />}
      {open === 'explain' && <Explanation {...dialog} />}
      {typeof open === 'object' && 'proofOf' in open && (
        <ChargeProofDialog {...dialog} consignmentChargeId={open.proofOf} />
      )}
      {typeof open === 'object' && 'kind' in open && (
        <InclusionDialog {...dialog} charge={{ ...open, name: nameOf(open) }} />
      )}
    </Region>
  )
}

const RegionActs = ({ mayAdd, onOpen }: { mayAdd: boolean; onOpen: (open: Open) => void }) => (
  <>
    <Button kind="quiet" onPress={() => onOpen('explain')}>
      {chargeWords.explain}
    </Button>
    {mayAdd && <Button onPress={() => onOpen('add')}>{chargeWords.add}</Button>}
  </>
)

/** The freight margin. The service tells it only to the organisation's own people. */
function Margin({ margin }: { margin: Charges['freightMargin'] | undefined }) {
  if (margin?.marginExclTax == null) return null
  return (
    <p className={`${styles.foot} ${margin.isBelowThreshold ? styles.alert : ''}`}>
      {words.margin(amount(margin.marginExclTax))}
    </p>
  )
}

function ChargeTable({
  charges,
  mayChange,
  onOpen,
}: {
  charges: readonly Charge[]
  /** whether the person may say what is billed */
  mayChange: boolean
  onOpen: (open: Open) => void
}) {
  return (
    <SmallTable
      label={words.charges}
      heads={[
        { text: words.chargedFor },
        { text: words.kind },
        { text: words.quantity, isAtEnd: true },
        { text: words.rate, isAtEnd: true },
        { text: words.amount, isAtEnd: true },
        { text: chargeWords.acts },
      ]}
      rows={charges.map(charge => ({
        id: charge.id,
        cells: [
          charge.isEffective ? (
            nameOf(charge)
          ) : (
            <span key="name" className={styles.quiet}>
              <s>{nameOf(charge)}</s> {chargeWords.isExcluded}
            </span>
          ),
          charge.kind,
          quantity(charge.metricValue),
          amount(charge.chargeRate),
          amount(charge.amountExclTax),
          <RowActs key="acts" {...{ charge, mayChange, onOpen }} />,
        ],
      }))}
    />
  )
}

interface RowActsProps {
  charge: Charge
  mayChange: boolean
  onOpen: (open: Open) => void
}

const RowActs = ({ charge, mayChange, onOpen }: RowActsProps) => (
  <span className={styles.rowActs}>
    <Button
      kind="quiet"
      label={chargeWords.proofOf(nameOf(charge))}
      onPress={() => onOpen({ proofOf: charge.id })}
    >
      {chargeWords.proof}
    </Button>
    {mayChange && (
      <Button
        kind="quiet"
        label={(charge.isEffective ? chargeWords.excludeOf : chargeWords.includeOf)(nameOf(charge))}
        onPress={() => onOpen(charge)}
      >
        {charge.isEffective ? chargeWords.exclude : chargeWords.include}
      </Button>
    )}
  </span>
)
