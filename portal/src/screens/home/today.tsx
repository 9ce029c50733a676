// The regions Today, Waves and Space of the start screen.

import type { ReactNode } from 'react'
import { LocalTime } from '../../../../ui/LocalTime.tsx'
import { amount, quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { Share } from '../../../../ui/Share.tsx'
import type { Got } from '../../api.ts'
import { canOpen } from '../../frame/menu.ts'
import { kindOf, useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { homeWords as words } from '../../words/home.ts'
import styles from './home.module.css'

export type Dashboard = Got<'/v1/dashboard'>

/** Where each figure leads. */
const places: Readonly<Record<string, string>> = {
  toReceive: '/consignments?view=to-receive',
  toPick: '/consignments?view=to-pick',
  toDispatch: '/consignments?view=to-dispatch',
  late: '/consignments?view=late',
  linesShort: '/shortages',
  notBilled: '/billing',
}

/** The figures of whose more is worse. */
const alerts: readonly string[] = ['late', 'linesShort']

/** What a carrier has to do with; the rest is the work of the warehouse. */
const ofCarriers: readonly string[] = ['toDispatch', 'late', 'notBilled']

export function Today({
  figures,
  isError,
  warehouseId,
}: {
  figures: Dashboard['figures'] | undefined
  isError: boolean
  /** the warehouse of the figures, if it is one */
  warehouseId: string | undefined
}) {
  const isCarrier = kindOf(useMe()) === 'carrier'
  const shown = figures?.filter(({ key }) => !isCarrier || ofCarriers.includes(key))
  return (
    <Region heading={words.today} state={regionStateOf(isError, figures)}>
      <div className={styles.figures}>
        {shown?.map(({ key, n, amountExclTax }) => (
          <MaybeLink
            key={key}
            to={placeOf(key, warehouseId)}
            className={`${styles.figure} ${alerts.includes(key) && n > 0 ? styles.alert : ''}`}
          >
            <span>{words.figures[key] ?? key}</span>{' '}
            <b>{amountExclTax === null ? quantity(n) : amount(amountExclTax)}</b>
          </MaybeLink>
        ))}
      </div>
    </Region>
  )
}

function placeOf(key: string, warehouseId: string | undefined): string {
  const place = places[key] ?? '/'
  if (warehouseId === undefined) return place
  return `${place}${place.includes('?') ? '&' : '?'}WarehouseId=${warehouseId}`
}

/** A link to a screen, or only its text where the person has no such screen. */
export function MaybeLink({
  to,
  className,
  children,
}: {
  to: string
  className?: string | undefined
  children: ReactNode
}) {
  const me = useMe()
  const [path = '', query] = to.split('?')
  if (!canOpen(me, path)) return <span className={className}>{children}</span>
  return (
    <Link
      to={path}
      search={Object.fromEntries(new URLSearchParams(query)) as never}
      {...(className === undefined ? {} : { className })}
    >
      {children}
    </Link>
  )
}

export function Waves({ waves }: { waves: Dashboard['waves'] }) {
  return (
    <Region heading={words.waves} summary={words.picked}>
      {waves.length === 0 ? (
        <Nothing text={words.noWaves} />
      ) : (
        <Rows>
          {waves.map(({ jobId, jobNumber, clientName, lineCount, pickedCount, dueDateTime }) => (
            <li key={jobId} data-id={jobId}>
              <MaybeLink to={`/jobs/${jobId}`}>{jobNumber}</MaybeLink>
              <span>{clientName}</span>
              <span className={styles.quiet}>
                {words.due} <LocalTime value={dueDateTime} />
              </span>
              <Share part={pickedCount} whole={lineCount} text={words.linesPicked(pickedCount, lineCount)} />
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}

export function Space({ zones, hasOne }: { zones: Dashboard['zones']; hasOne: boolean }) {
  return (
    <Region heading={words.space} summary={words.placesInUse}>
      {zones.length === 0 ? (
        <Nothing text={words.noZones} />
      ) : (
        <Rows>
          {zones.map(({ name, warehouseName, locationCount, occupiedCount }) => (
            <li key={`${warehouseName} ${name}`}>
              <span className={styles.rowText}>
                {name} {!hasOne && <span className={styles.quiet}>{warehouseName}</span>}
              </span>
              <Share
                part={occupiedCount}
                whole={locationCount}
                text={words.of(occupiedCount, locationCount)}
              />
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}
