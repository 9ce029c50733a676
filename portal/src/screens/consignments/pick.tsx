// Picking at the desk, `/consignments/{id}/pick`: the walk through the warehouse, and what is picked already.

import { useSuspenseQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { ConsignmentStatus, ConsignmentType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { type Column, DataTable } from '../../../../ui/DataTable.tsx'
import { Identifier } from '../../../../ui/Identifier.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Pill } from '../../../../ui/Pill.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { read } from '../../api.ts'
import listing from '../../frame/listing.module.css'
import { Page } from '../../frame/Page.tsx'
import { StockLink } from '../../lists/inventory.tsx'
import { Link, useGo, useIds } from '../../router.tsx'
import { consignmentWords } from '../../words/consignments.ts'
import { pickWords as words } from '../../words/pick.ts'
import type { Consignment } from './consignment.tsx'
import styles from './pick.module.css'
import { type AllocatedStock, type Allocations, allocationIdOf, allocationNameOf } from './pick-amounts.tsx'
import { ConfirmPicks, ShortPick } from './pick-dialogs.tsx'
import { PickElsewhere } from './pick-elsewhere.tsx'
import { Stage, Unpick } from './picked-dialogs.tsx'

type Act = 'confirm' | 'short' | 'elsewhere' | 'unpick' | 'stage'

const { ReadyToPick, ReadyToDispatch } = ConsignmentStatus

export function Screen() {
  const { id: consignmentId = '' } = useIds()
  const path = { consignmentId }
  const [{ data: consignment }, { data: stock }] = useSuspenseQueries({
    queries: [
      read('/v1/consignments/{consignmentId}', { path }),
      read('/v1/consignments/{consignmentId}/allocations', { path }),
    ],
  })
  return <Picking consignment={consignment} stock={stock} />
}

interface PickingProps {
  consignment: Consignment
  stock: Allocations
}

function Picking({ consignment, stock }: PickingProps) {
  const { id, type, status, consignmentNumber } = consignment
  const rows = stock.allocations
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const [act, setAct] = useState<Act>()
  const selected = rows.filter(row => selection.has(allocationIdOf(row)))
  const isPicking = type === ConsignmentType.Outwards && status === ReadyToPick
  const isOut = isPicking || (type === ConsignmentType.Outwards && status === ReadyToDispatch)
  return (
    <Page
      heading={words.pickOf(consignmentNumber)}
      shownHeading={
        <>
          {words.pick} <Identifier value={consignmentNumber} />
        </>
      }
      id={id}
      status={consignmentWords.statusName(status)}
      isFilled
      state={rows.length === 0 ? 'empty' : 'ready'}
      above={<Link to={`/consignments/${id}`}>{words.consignment}</Link>}
      beside={<Progress consignment={consignment} stock={stock} />}
      acts={isOut && <Acts rows={rows} isPicking={isPicking} onAct={setAct} />}
    >
      {isOut && selected.length > 0 && (
        <Selected {...{ selected, isPicking }} onAct={setAct} onClear={() => setSelection(new Set())} />
      )}
      {isOut && rows.length > 0 ? (
        <DataTable
          label={words.picks}
          columns={columns}
          rows={rows}
          idOf={allocationIdOf}
          nameOf={allocationNameOf}
          statusOf={stateOf}
          state="ready"
          selection={selection}
          onSelect={setSelection}
        />
      ) : (
        <p className={styles.empty}>{whyNothing(consignment)}</p>
      )}
      {act !== undefined && (
        <ActOn
          {...{ act, consignment, stock, selected }}
          onClose={() => setAct(undefined)}
          onDone={() => setSelection(new Set())}
        />
      )}
    </Page>
  )
}

const stateOf = ({ isPicked }: AllocatedStock) => (isPicked ? 'Picked' : 'ToPick')

function whyNothing({ type, status }: Consignment): string {
  if (type !== ConsignmentType.Outwards) return words.onlyOutwards
  if (status !== ReadyToPick && status !== ReadyToDispatch)
    return words.onlyWhenReady(consignmentWords.status(status))
  return words.nothingAllocated
}

/** How much there is to do, what is short, and the wave that picks it. */
function Progress({
  consignment: { products, status },
  stock: { allocations, jobId, jobNumber },
}: PickingProps) {
  const isReady = status === ReadyToPick || status === ReadyToDispatch
  const open = allocations.filter(({ isPicked }) => !isPicked).length
  const short = products.filter(({ shortQuantity }) => shortQuantity > 0).length
  return (
    <>
      {allocations.length > 0 && (
        <span className={styles.quiet}>{words.toDo(open, allocations.length - open)}</span>
      )}
      {isReady && short > 0 && <Pill text={words.linesShort(short)} tone="alert" />}
      {jobId !== null && jobNumber !== null && <Link to={`/jobs/${jobId}`}>{words.inWave(jobNumber)}</Link>}
    </>
  )
}

/** The acts on what is selected or, without a selection, on all. */
function Acts({
  rows,
  isPicking,
  onAct,
}: {
  rows: readonly AllocatedStock[]
  isPicking: boolean
  onAct: (act: Act) => void
}) {
  const mayConfirm = isPicking && rows.some(({ isPicked }) => !isPicked)
  useKeys(mayConfirm ? { m: () => onAct('confirm') } : {})
  return (
    <>
      {rows.some(({ isPicked }) => isPicked) && (
        <Button onPress={() => onAct('stage')}>{words.stage}…</Button>
      )}
      {mayConfirm && (
        <Button kind="main" hint="M" onPress={() => onAct('confirm')}>
          {words.confirm}…
        </Button>
      )}
    </>
  )
}

/** The toolbar of the selected picks. */
function Selected({
  selected,
  isPicking,
  onAct,
  onClear,
}: {
  selected: readonly AllocatedStock[]
  isPicking: boolean
  onAct: (act: Act) => void
  onClear: () => void
}) {
  const open = selected.filter(({ isPicked }) => !isPicked).length
  const button = (act: Act, text: string, disabledReason: string | undefined) => (
    <Button disabledReason={disabledReason} onPress={() => onAct(act)}>
      {text}…
    </Button>
  )
  return (
    <div role="toolbar" aria-label={uiWords.selected} className={listing.toolbar}>
      {isPicking && button('short', words.shortPick, open > 0 ? undefined : words.selectOpen)}
      {isPicking && button('elsewhere', words.anotherPlace, open === 1 ? undefined : words.selectOne)}
      {button('unpick', words.unpick, open < selected.length ? undefined : words.selectPicked)}
      <Button kind="quiet" onPress={onClear}>
        {uiWords.clearSelection}
      </Button>
    </div>
  )
}

/** The dialog of an act, on those rows for which it makes sense. */
function ActOn({
  act,
  consignment,
  stock: { allocations, dispatchLocationName },
  selected,
  onClose,
  onDone,
}: PickingProps & {
  act: Act
  selected: readonly AllocatedStock[]
  onClose: () => void
  onDone: () => void
}) {
  const go = useGo()
  const chosen = (isPicked: boolean) => {
    const among = selected.filter(row => row.isPicked === isPicked)
    return among.length > 0 ? among : allocations.filter(row => row.isPicked === isPicked)
  }
  const props = { consignment, onClose, onDone }
  const [open, picked] = [chosen(false), chosen(true)]
  const [first] = open
  // Once nothing is left to be picked, the record has the next act.
  const onAllPicked = () => go(`/consignments/${consignment.id}`)
  if (act === 'confirm')
    return <ConfirmPicks {...props} rows={open} dock={dispatchLocationName} onAllPicked={onAllPicked} />
  if (act === 'short') return <ShortPick {...props} rows={open} />
  if (act === 'elsewhere') return first && <PickElsewhere {...props} row={first} />
  return act === 'unpick' ? <Unpick {...props} rows={picked} /> : <Stage {...props} rows={picked} />
}

const text = (id: string, head: string, width: number, of: (row: AllocatedStock) => string | null) => ({
  ...{ id, head, width },
  cell: (row: AllocatedStock) => of(row) ?? words.nothing,
})

const columns: readonly Column<AllocatedStock>[] = [
  {
    id: 'place',
    head: words.place,
    width: 120,
    isOnPhone: true,
    cell: ({ isPicked, warehouseLocationName: place }) => (isPicked ? place : <b>{place}</b>),
  },
  {
    id: 'product',
    head: words.product,
    isRowHeader: true,
    isOnPhone: true,
    cell: (row, tabIndex) => <StockLink row={row} tabIndex={tabIndex} />,
  },
  text('unit', words.unit, 120, row => row.logisticUnitNumber),
  text('batch', words.batch, 110, row => row.batch),
  {
    id: 'expiry',
    head: words.expiry,
    width: 110,
    cell: ({ expiryDate }) => <LocalDay value={expiryDate} />,
  },
  text('serials', words.serials, 136, row => row.serials.join(', ') || null),
  text('line', words.line, 64, row => String(row.lineNumber)),
  {
    id: 'quantity',
    head: words.quantity,
    width: 90,
    isAtEnd: true,
    isOnPhone: true,
    cell: row => quantity(row.quantity),
  },
  {
    id: 'state',
    head: words.state,
    width: 128,
    cell: ({ isPicked }) => (
      <Pill text={isPicked ? words.picked : words.toPick} tone={isPicked ? 'done' : 'warehouse'} />
    ),
  },
]
