// A line, opened: what it has of the stock, why it has just that, and the acts that change it.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConsignmentStatus, ConsignmentType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { DownIcon } from '../../../../ui/icons.tsx'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Pill } from '../../../../ui/Pill.tsx'
import { SmallTable } from '../../../../ui/Region.tsx'
import { read } from '../../api.ts'
import { hasScope, kindOf, type Me, useMe } from '../../me.ts'
import { consignmentWords } from '../../words/consignments.ts'
import { pickWords as words } from '../../words/pick.ts'
import { AllocateByHand, ReleaseStock } from './allocation-dialogs.tsx'
import type { Consignment } from './consignment.tsx'
import styles from './pick.module.css'
import { type AllocatedStock, allocationIdOf, allocationNameOf } from './pick-amounts.tsx'
import { WhyThisStock } from './why-this-stock.tsx'

export type Line = Consignment['products'][number]

/** Which lines are open: how each is called, or opened, and what stands below it. */
export function useOpenedLines(consignment: Consignment) {
  const hasOpeners = hasStock(useMe(), consignment)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => {
    const next = new Set(opened)
    if (!next.delete(id)) next.add(id)
    setOpened(next)
  }
  return {
    openerOf: (line: Line, i: number) =>
      hasOpeners ? (
        <LineOpener
          line={line}
          number={i + 1}
          isOpen={opened.has(line.id)}
          onToggle={() => toggle(line.id)}
        />
      ) : (
        <b>{line.productCode}</b>
      ),
    belowOf: (line: Line) =>
      hasOpeners && opened.has(line.id) ? (
        <LineAllocations consignment={consignment} line={line} />
      ) : undefined,
  }
}

/** Whether the lines of a consignment have stock that this person may see. */
const hasStock = (me: Me, { type, status }: Consignment): boolean =>
  kindOf(me) !== 'carrier' &&
  type === ConsignmentType.Outwards &&
  (status === ConsignmentStatus.ReadyToPick || status === ConsignmentStatus.ReadyToDispatch)

/** The code of a line's product, as the button that opens the line. */
const LineOpener = ({
  line,
  number,
  isOpen,
  onToggle,
}: {
  line: Line
  /** the place of the line, from 1 */
  number: number
  isOpen: boolean
  onToggle: () => void
}) => (
  <button
    type="button"
    className={styles.opener}
    aria-expanded={isOpen}
    aria-label={words.openLine(line.productCode, number)}
    onClick={onToggle}
  >
    <DownIcon />
    {line.productCode}
  </button>
)

interface LineProps {
  consignment: Consignment
  line: Line
}

/** What stands below a line that is open. */
function LineAllocations({ consignment, line }: LineProps) {
  const me = useMe()
  const [isExplained, setExplained] = useState(false)
  const [act, setAct] = useState<'byHand' | 'release' | AllocatedStock>()
  const { data } = useQuery(
    read('/v1/consignments/{consignmentId}/allocations', { path: { consignmentId: consignment.id } }),
  )
  const own = data?.allocations.filter(({ consignmentProductId }) => consignmentProductId === line.id)
  const isPicking = consignment.status === ConsignmentStatus.ReadyToPick
  const isStaff = kindOf(me) === 'staff'
  const mayAct = isStaff && hasScope(me, 'consignment')
  return (
    <div className={styles.opened}>
      {own !== undefined && <Table own={own} line={line} onRelease={mayAct ? setAct : undefined} />}
      <div className={styles.openedActs}>
        {mayAct && (
          <Button
            onPress={() => setAct('byHand')}
            disabledReason={isPicking ? undefined : consignmentWords.allocatedAtPick}
          >
            {words.allocateByHand}…
          </Button>
        )}
        {mayAct && own?.some(({ isPicked }) => !isPicked) && (
          <Button onPress={() => setAct('release')}>{words.releaseAct}…</Button>
        )}
        {isStaff && hasScope(me, 'inventory.read') && isPicking && (
          <Button kind="quiet" isExpanded={isExplained} onPress={() => setExplained(!isExplained)}>
            {words.whyThisStock}
          </Button>
        )}
      </div>
      {isExplained && isPicking && <WhyThisStock consignmentId={consignment.id} line={line} />}
      {act !== undefined && <ActOn {...{ act, consignment, line }} onClose={() => setAct(undefined)} />}
    </div>
  )
}

function ActOn({
  act,
  consignment,
  line,
  onClose,
}: LineProps & { act: 'byHand' | 'release' | AllocatedStock; onClose: () => void }) {
  if (act === 'byHand') return <AllocateByHand {...{ consignment, line, onClose }} />
  const row = act === 'release' ? undefined : act
  return <ReleaseStock consignmentId={consignment.id} {...{ line, row, onClose }} />
}

function Table({
  own,
  line,
  onRelease,
}: {
  own: readonly AllocatedStock[]
  line: Line
  /** absent for people who may not */
  onRelease: ((row: AllocatedStock) => void) | undefined
}) {
  if (own.length === 0) return <p className={styles.quiet}>{words.noAllocations}</p>
  return (
    <div className={styles.inner}>
      <SmallTable
        label={words.allocationsOf(line.productCode)}
        heads={[
          ...[words.place, words.unit, words.batch, words.expiry, words.state].map(text => ({ text })),
          { text: words.quantity, isAtEnd: true },
          ...(onRelease === undefined ? [] : [{ text: words.releaseAct, isAtEnd: true }]),
        ]}
        rows={own.map(row => ({
          id: allocationIdOf(row),
          cells: [
            placeOf(row, line),
            row.logisticUnitNumber ?? words.nothing,
            row.batch ?? words.nothing,
            <LocalDay key="expiry" value={row.expiryDate} />,
            <State key="state" row={row} />,
            quantity(row.quantity),
            ...(onRelease === undefined ? [] : [<Release key="release" {...{ row, onRelease }} />]),
          ],
        }))}
      />
    </div>
  )
}

/** Where it is; with the product, if that stands in for the line's. */
const placeOf = ({ partnerProductCode, warehouseLocationName }: AllocatedStock, { productCode }: Line) =>
  partnerProductCode === productCode
    ? warehouseLocationName
    : words.rowName(partnerProductCode, warehouseLocationName, null)

const Release = ({ row, onRelease }: { row: AllocatedStock; onRelease: (row: AllocatedStock) => void }) =>
  row.isPicked ? (
    words.nothing
  ) : (
    <span className={styles.inRow}>
      <Button kind="quiet" label={words.releaseOf(allocationNameOf(row))} onPress={() => onRelease(row)}>
        {words.releaseAct}…
      </Button>
    </span>
  )

const State = ({ row: { isPicked, isOverride } }: { row: AllocatedStock }) => (
  <span className={styles.line}>
    <Pill text={isPicked ? words.picked : words.toPick} tone={isPicked ? 'done' : 'warehouse'} />
    {isOverride && <span className={styles.quiet}>{words.byHand}</span>}
  </span>
)
