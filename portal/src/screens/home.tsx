// The start screen, `/`: what there is to do today, and what needs somebody.

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LocalTime } from '../../../ui/LocalTime.tsx'
import { amount, quantity } from '../../../ui/numbers.ts'
import { Nothing, Region, Rows } from '../../../ui/Region.tsx'
import { type Got, read } from '../api.ts'
import { pageAt } from '../frame/menu.ts'
import { Page } from '../frame/Page.tsx'
import { hasScope, kindOf, useMe } from '../me.ts'
import { regionStateOf } from '../queries.ts'
import { Link } from '../router.tsx'
import { homeWords as words } from '../words/home.ts'
import styles from './home.module.css'

export function Screen() {
  const me = useMe()
  const isStaff = kindOf(me) === 'staff'
  const { data, isError } = useQuery(read('/v1/dashboard'))
  if (isStaff && me.warehouses.length === 0) return <FirstSteps />
  return (
    <Page heading={words.home}>
      <Today figures={data?.figures} isError={isError} />
      <div className={styles.columns}>
        <NeedsYou />
        {isStaff && hasScope(me, 'job.read') && data !== undefined && <Waves waves={data.waves} />}
        {isStaff && hasScope(me, 'warehouse.read') && data !== undefined && <Space zones={data.zones} />}
      </div>
    </Page>
  )
}

type Dashboard = Got<'/v1/dashboard'>

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

function Today({ figures, isError }: { figures: Dashboard['figures'] | undefined; isError: boolean }) {
  return (
    <Region heading={words.today} state={regionStateOf(isError, figures)}>
      <div className={styles.figures}>
        {figures?.map(({ key, n, amountExclTax }) => (
          <MaybeLink
            key={key}
            to={places[key] ?? '/'}
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

/** A link to a screen, or only its text where there is no such screen. */
function MaybeLink({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  const [path = '', query] = to.split('?')
  if (pageAt(path) === undefined) return <span className={className}>{children}</span>
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

function NeedsYou() {
  const { data, isError } = useQuery(read('/v1/attention'))
  const state = regionStateOf(isError, data?.items)
  return (
    <Region heading={words.needsYou} state={state}>
      {state === 'empty' ? (
        <Nothing text={words.nothingNeedsYou} />
      ) : (
        <Rows>
          {data?.items.map(({ key, text, sample, path }) => (
            <li key={key} data-id={key}>
              <MaybeLink to={path}>{text}</MaybeLink>
              <span className={styles.quiet}>{sample}</span>
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}

function Waves({ waves }: { waves: Dashboard['waves'] }) {
  return (
    <Region heading={words.waves} summary={waves.length || undefined}>
      {waves.length === 0 ? (
        <Nothing text={words.noWaves} />
      ) : (
        <Rows>
          {waves.map(({ jobId, jobNumber, clientName, lineCount, pickedCount, dueDateTime }) => (
            <li key={jobId} data-id={jobId}>
              <MaybeLink to={`/jobs/${jobId}`}>{jobNumber}</MaybeLink>
              <span>{clientName}</span>
              <span className={styles.quiet}>{words.linesPicked(pickedCount, lineCount)}</span>
              <LocalTime value={dueDateTime} />
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}

function Space({ zones }: { zones: Dashboard['zones'] }) {
  return (
    <Region heading={words.space}>
      {zones.length === 0 ? (
        <Nothing text={words.noZones} />
      ) : (
        <Rows>
          {zones.map(({ name, locationCount, occupiedCount }) => (
            <li key={name}>
              <span>{name}</span>
              <span className={styles.quiet}>{words.placesUsed(occupiedCount, locationCount)}</span>
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}

/** What to set up in an organisation that has no warehouse yet. */
const FirstSteps = () => (
  <Page heading={words.home} state="empty">
    <p className={styles.quiet}>{words.firstStepsWhy}</p>
    <ol aria-label={words.firstSteps} className={styles.steps}>
      {words.steps.map(step => (
        <li key={step}>{step}</li>
      ))}
    </ol>
    <a href="/docs">{words.apiReference}</a>
  </Page>
)
