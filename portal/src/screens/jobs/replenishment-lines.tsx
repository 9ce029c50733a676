// Region Lines of a replenishment: what moves from where to which pick face. While it is in progress, lines
// are selected to be confirmed; without a selection, all are.

import { useQuery } from '@tanstack/react-query'
import { ReplenishmentLineStatus } from '../../../../client/src/waybill.ts'
import { quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import type { RowOf } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { regionStateOf } from '../../queries.ts'
import { jobWords as words } from '../../words/jobs.ts'
import { pickWords } from '../../words/pick.ts'
import styles from '../consignments/pick.module.css'
import type { Naming } from '../consignments/pick-amounts.tsx'

type Line = RowOf<'/v1/jobs/{jobId}/replenishment/lines'>
/** A line of which something is still to be moved, with how much that is. */
export type OpenLine = Line & { serials: string[] }

const useLines = (jobId: string) =>
  useQuery(readAll('/v1/jobs/{jobId}/replenishment/lines', { path: { jobId } }))

export const useOpenLines = (jobId: string): readonly OpenLine[] =>
  (useLines(jobId).data?.lines ?? [])
    .filter(({ status }) => status === ReplenishmentLineStatus.Open)
    .map(line => ({ ...line, quantity: line.openQuantity, serials: [] }))

export const lineNaming: Naming<Line> = {
  idOf: ({ replenishmentLineId }) => replenishmentLineId,
  nameOf: line =>
    pickWords.rowName(line.partnerProductCode, line.warehouseLocationName, line.logisticUnitNumber),
}

export function ReplenishmentLines({
  jobId,
  selection,
  onSelect,
}: {
  jobId: string
  selection: ReadonlySet<string>
  /** absent: nothing can be done with them */
  onSelect: ((selection: ReadonlySet<string>) => void) | undefined
}) {
  const { data, isError } = useLines(jobId)
  const state = regionStateOf(isError, data?.lines)
  const toggle = (id: string) => {
    const next = new Set(selection)
    if (!next.delete(id)) next.add(id)
    onSelect?.(next)
  }
  return (
    <Region heading={words.lines} state={state} summary={data?.total || undefined}>
      {state === 'empty' ? (
        <Nothing text={words.noLines} />
      ) : (
        <SmallTable
          label={words.lines}
          heads={[
            ...(onSelect === undefined ? [] : [{ text: words.select }]),
            ...[words.place, words.to, words.product].map(text => ({ text })),
            ...[words.quantityHead, words.moved].map(text => ({ text, isAtEnd: true })),
            { text: words.unit },
          ]}
          rows={(data?.lines ?? []).map(line => ({
            id: line.replenishmentLineId,
            cells: [
              ...(onSelect === undefined
                ? []
                : [
                    <Select
                      key="select"
                      line={line}
                      isOn={selection.has(line.replenishmentLineId)}
                      {...{ toggle }}
                    />,
                  ]),
              <b key="place">{line.warehouseLocationName}</b>,
              line.toWarehouseLocationName,
              `${line.partnerProductCode} ${line.partnerProductName}`,
              quantity(line.quantity),
              quantity(line.movedQuantity),
              line.logisticUnitNumber ?? words.nothing,
            ],
          }))}
        />
      )}
    </Region>
  )
}

const Select = ({ line, isOn, toggle }: { line: Line; isOn: boolean; toggle: (id: string) => void }) =>
  line.status === ReplenishmentLineStatus.Open ? (
    <input
      type="checkbox"
      className={styles.check}
      aria-label={uiWords.selectRow(lineNaming.nameOf(line))}
      checked={isOn}
      onChange={() => toggle(line.replenishmentLineId)}
    />
  ) : (
    words.lineStatus(line.status)
  )
