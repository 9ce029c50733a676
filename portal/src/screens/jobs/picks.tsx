// Region Picks: what is still to be picked, in the order of the walk. What is selected is confirmed, or
// reported short; without a selection, all is confirmed.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { regionStateOf } from '../../queries.ts'
import { jobWords as words } from '../../words/jobs.ts'
import { pickWords } from '../../words/pick.ts'
import styles from '../consignments/pick.module.css'
import { ShortWavePicks } from './confirm-picks.tsx'
import type { Job } from './job.tsx'
import { useWavePicks, type WavePick, waveNaming } from './wave-picks.ts'

export function Picks({
  job,
  selection,
  onSelect,
}: {
  job: Job
  selection: ReadonlySet<string>
  /** absent: nothing can be done with them */
  onSelect: ((selection: ReadonlySet<string>) => void) | undefined
}) {
  const [isShort, setShort] = useState(false)
  const { data, isError } = useWavePicks(job.jobId)
  const state = regionStateOf(isError, data?.picks)
  const selected = (data?.picks ?? []).filter(pick => selection.has(waveNaming.idOf(pick)))
  return (
    <Region
      heading={words.picks}
      state={state}
      summary={data?.total ? words.picksSummary(data.total, selected.length) : undefined}
      acts={
        selected.length > 0 && (
          <>
            <Button kind="quiet" onPress={() => onSelect?.(new Set())}>
              {uiWords.clearSelection}
            </Button>
            <Button onPress={() => setShort(true)}>{pickWords.shortPick}…</Button>
          </>
        )
      }
    >
      {state === 'empty' ? (
        <Nothing text={words.noPicks} />
      ) : (
        <PickTable picks={data?.picks ?? []} {...{ selection, onSelect }} />
      )}
      {isShort && (
        <ShortWavePicks
          job={job}
          rows={selected}
          onClose={() => setShort(false)}
          onDone={() => onSelect?.(new Set())}
        />
      )}
    </Region>
  )
}

function PickTable({
  picks,
  selection,
  onSelect,
}: {
  picks: readonly WavePick[]
  selection: ReadonlySet<string>
  onSelect: ((selection: ReadonlySet<string>) => void) | undefined
}) {
  const toggle = (id: string) => {
    const next = new Set(selection)
    if (!next.delete(id)) next.add(id)
    onSelect?.(next)
  }
  return (
    <SmallTable
      label={words.picks}
      heads={[
        ...(onSelect === undefined ? [] : [{ text: words.select }]),
        ...[words.place, words.product].map(text => ({ text })),
        { text: words.quantityHead, isAtEnd: true },
        ...[words.unit, words.batch, words.consignment].map(text => ({ text })),
      ]}
      rows={picks.map(pick => ({
        id: waveNaming.idOf(pick),
        cells: [
          ...(onSelect === undefined
            ? []
            : [
                <input
                  key="select"
                  type="checkbox"
                  className={styles.check}
                  aria-label={uiWords.selectRow(waveNaming.nameOf(pick))}
                  checked={selection.has(waveNaming.idOf(pick))}
                  onChange={() => toggle(waveNaming.idOf(pick))}
                />,
              ]),
          <b key="place">{pick.warehouseLocationName}</b>,
          `${pick.partnerProductCode} ${pick.partnerProductName}`,
          quantity(pick.quantity),
          pick.logisticUnitNumber ?? words.nothing,
          pick.batch ?? words.nothing,
          pick.consignmentNumber ??
            pick.consignments.map(({ consignmentNumber }) => consignmentNumber).join(', '),
        ],
      }))}
    />
  )
}
