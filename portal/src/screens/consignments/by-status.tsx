// How many consignments have each status, as buttons that narrow the list to one.

import { useQuery } from '@tanstack/react-query'
import { ConsignmentStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { read } from '../../api.ts'
import { toneOf } from '../../consignment-status.ts'
import { lateView, open } from '../../lists/consignments.tsx'
import { useChangeSearch, useSearch } from '../../router.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './by-status.module.css'

const { Draft, Pending, ReadyToReceive, ReadyToPick, ReadyToDispatch, InProgress, InTransit, Complete } =
  ConsignmentStatus

/** Those of open consignments, in the order of their work. */
const shown: readonly number[] = [
  Draft,
  Pending,
  ReadyToReceive,
  ReadyToPick,
  ReadyToDispatch,
  InProgress,
  InTransit,
  Complete,
]

/** The filters that the counts follow: all but the status itself. */
const followed = ['SearchText', 'Type', 'ClientId', 'CarrierId', 'WarehouseId', 'DateFrom', 'DateTo'] as const

/** Those that the service counts among open consignments only. */
const followedIfOpen = ['Priority', 'IsLate', 'IsShort', 'DueFrom', 'DueTo'] as const

const toneClass = (status: number) => styles[toneOf(status)]

export function ByStatus() {
  const search = useSearch()
  const change = useChangeSearch()
  const of = (names: readonly string[]) =>
    Object.fromEntries(
      names.map(name => [name, [search[name]].flat()[0]]).filter(([, value]) => value !== undefined),
    )
  const isOfLate = search.view === lateView.id
  const ofOpen = { ...(isOfLate ? lateView.query : {}), ...of(followedIfOpen) }
  const filters = { ...of(followed), ...ofOpen, ...(Object.keys(ofOpen).length > 0 ? open : {}) }
  const { data } = useQuery({
    ...read('/v1/consignments/counts', { query: { By: 'Status', ...filters } as never }),
    placeholderData: before => before,
  })
  const counts = shown.flatMap(status => data?.counts.filter(({ value }) => value === status) ?? [])
  if (counts.length === 0) return null
  return (
    <fieldset aria-label={words.byStatus} className={styles.group}>
      <span aria-hidden className={styles.strip}>
        {counts.map(({ value, n }) => (
          <span key={value} className={toneClass(Number(value))} style={{ flexGrow: n }} />
        ))}
      </span>
      {counts.map(({ value, n }) => {
        const isChosen = search.Status === String(value)
        return (
          <Button
            key={value}
            kind="quiet"
            isPressed={isChosen}
            onPress={() =>
              change({
                ...{ view: 'all', Status: isChosen ? undefined : String(value) },
                ...(isOfLate ? { IsLate: 'true' } : {}),
              })
            }
          >
            <span className={styles.count}>
              <span aria-hidden className={`${styles.dot} ${toneClass(Number(value))}`} />
              {words.status(Number(value))} <b>{quantity(n)}</b>
            </span>
          </Button>
        )
      })}
    </fieldset>
  )
}
