// The orders that can go into a new wave: chosen and added, dragged, or all of them at once.

import { useCallback, useMemo, useRef, useState } from 'react'
import { ConsignmentStatus, ConsignmentType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { DataTable } from '../../../../ui/DataTable.tsx'
import { Nothing } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { usePages } from '../../every-page.ts'
import { ReadOn } from '../../frame/ReadOn.tsx'
import { waveCandidateColumns } from '../../lists/wave-candidates.tsx'
import { useMe } from '../../me.ts'
import { type Order, orderOfRow } from '../../new-wave.ts'
import { jobWords as words } from '../../words/jobs.ts'
import styles from './new-wave.module.css'

const { Pending, ReadyToPick } = ConsignmentStatus

/** The orders of the client and warehouse of the first one, or of all, soonest due first, as far as read. */
export function useCandidates(first: Order | undefined, ids: readonly string[]) {
  const { warehouses } = useMe()
  const warehouse = warehouses.find(({ name }) => name === first?.warehouseName)
  const { rows, total, readOn, isError } = usePages('/v1/consignments', {
    query: {
      ...{ Type: [ConsignmentType.Outwards], Status: [Pending, ReadyToPick], HasJob: false },
      ...(first === undefined ? {} : { ClientId: [first.clientId] }),
      ...(warehouse === undefined ? {} : { WarehouseId: [warehouse.id] }),
      ...{ Include: ['figures'], Sort: 'due' },
    },
  })
  const orders = useMemo(() => {
    const known = rows?.map(orderOfRow)
    return { known: known ?? [], free: known?.filter(({ id }) => !ids.includes(id)) }
  }, [rows, ids])
  return { ...orders, total, readOn, isError }
}

export function Candidates({
  candidates: { free: orders, known, total, readOn, isError },
  onAdd,
}: {
  /** `free` is undefined until they are known */
  candidates: ReturnType<typeof useCandidates>
  onAdd: (ids: readonly string[]) => void
}) {
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const chosen = (orders ?? []).flatMap(({ id }) => (selection.has(id) ? id : []))
  // Rows are not drawn again when others are selected, so the function of each reads what is selected now.
  const selected = useRef(chosen)
  selected.current = chosen
  const dragOf = useCallback(({ id }: Order) => {
    const ids = selected.current
    // Whoever drags a selected row takes all that are selected along.
    return (ids.includes(id) ? ids : [id]).join(',')
  }, [])
  const add = (ids: readonly string[]) => {
    setSelection(new Set())
    onAdd(ids)
  }
  return (
    <div className={styles.candidates}>
      <div className={styles.bar}>
        <Button isDisabled={chosen.length === 0} onPress={() => add(chosen)}>
          {words.addSelected}
        </Button>
        <Button isDisabled={orders === undefined || orders.length === 0} onPress={() => add(idsOf(orders))}>
          {words.fill}
        </Button>
        <span className={styles.quiet}>{words.fillHelp}</span>
      </div>
      {orders?.length === 0 || (orders === undefined && isError) ? (
        <Nothing text={isError ? uiWords.notRead : words.noneLeft} />
      ) : (
        <DataTable
          label={words.consignments}
          columns={waveCandidateColumns}
          rows={orders ?? []}
          idOf={({ id }) => id}
          nameOf={({ consignmentNumber }) => consignmentNumber}
          state={orders === undefined ? 'loading' : 'ready'}
          selection={selection}
          onSelect={setSelection}
          dragOf={dragOf}
          {...(readOn === undefined ? {} : { onNearEnd: readOn })}
        />
      )}
      <div className={styles.more}>
        <ReadOn pages={{ rows: known, total, readOn }} />
      </div>
    </div>
  )
}

const idsOf = (orders: readonly Order[] | undefined) => (orders ?? []).map(({ id }) => id)
