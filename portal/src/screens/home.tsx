// The start screen, `/`: what there is to do today, and what needs somebody.

import { useQuery } from '@tanstack/react-query'
import { ConsignmentStatus, ImportStatus, JobStatus, StockCountStatus } from '../../../client/src/waybill.ts'
import { LocalTime } from '../../../ui/LocalTime.tsx'
import { quantity } from '../../../ui/numbers.ts'
import { Nothing, Region, Rows } from '../../../ui/Region.tsx'
import { read } from '../api.ts'
import { Page } from '../frame/Page.tsx'
import { hasScope, kindOf, useMe } from '../me.ts'
import { Link } from '../router.tsx'
import { pages } from '../routes.ts'
import { homeWords as words } from '../words/home.ts'
import styles from './home.module.css'

export function Screen() {
  const me = useMe()
  const isStaff = kindOf(me) === 'staff'
  if (isStaff && me.warehouses.length === 0) return <FirstSteps />
  return (
    <Page heading={words.home}>
      {hasScope(me, 'consignment.read') && <Today />}
      <div className={styles.columns}>
        {isStaff && <NeedsYou />}
        {isStaff && hasScope(me, 'job.read') && <Waves />}
      </div>
    </Page>
  )
}

/** The total of a list; undefined while it is being read. */
function useTotalOf(status: number): number | undefined {
  return useQuery(read('/v1/consignments', { query: { Status: status as 3, PageSize: 1 } })).data?.total
}

function Today() {
  const me = useMe()
  const seesStock = hasScope(me, 'inventory.read') && kindOf(me) !== 'carrier'
  const shortages = useQuery({
    ...read('/v1/inventory/shortages', { query: { PageSize: 1 } }),
    enabled: seesStock,
  })
  const figures = [
    { text: words.toReceive, view: 'to-receive', n: useTotalOf(ConsignmentStatus.ReadyToReceive) },
    { text: words.toPick, view: 'to-pick', n: useTotalOf(ConsignmentStatus.ReadyToPick) },
    { text: words.toDispatch, view: 'to-dispatch', n: useTotalOf(ConsignmentStatus.ReadyToDispatch) },
    { text: words.inTransit, view: 'in-transit', n: useTotalOf(ConsignmentStatus.InTransit) },
  ]
  const short = shortages.data?.total
  const isReady = figures.every(({ n }) => n !== undefined)
  return (
    <Region heading={words.today} state={isReady ? 'ready' : 'loading'}>
      <div className={styles.figures}>
        {figures.map(({ text, view, n }) => (
          <Link key={view} to="/consignments" search={{ view } as never} className={styles.figure}>
            <span>{text}</span> <b>{n === undefined ? words.nothing : quantity(n)}</b>
          </Link>
        ))}
        {seesStock && (
          <Link to="/shortages" className={`${styles.figure} ${short ? styles.alert : ''}`}>
            <span>{words.linesShort}</span> <b>{short === undefined ? words.nothing : quantity(short)}</b>
          </Link>
        )}
      </div>
    </Region>
  )
}

function NeedsYou() {
  const me = useMe()
  const imports = useQuery({
    ...read('/v1/consignment-imports', {
      query: { Status: ImportStatus.PendingReconciliation, PageSize: 1 },
    }),
    enabled: hasScope(me, 'consignment.read'),
  }).data
  const counts = useQuery({
    ...read('/v1/stock-counts', { query: { Status: StockCountStatus.Counted, PageSize: 1 } }),
    enabled: hasScope(me, 'inventory.read'),
  }).data
  const needs = [
    {
      to: '/imports',
      search: {},
      n: imports?.total ?? 0,
      text: words.importsWait(imports?.total ?? 0),
      sample: imports?.consignmentImports[0]?.reasons[0]?.message,
    },
    {
      to: '/counts',
      search: { view: 'Counted' },
      n: counts?.total ?? 0,
      text: words.countsWait(counts?.total ?? 0),
      sample: counts?.stockCounts[0]?.stockCountNumber,
    },
  ].filter(({ n }) => n > 0)
  return (
    <Region heading={words.needsYou} state={needs.length === 0 ? 'empty' : 'ready'}>
      {needs.length === 0 ? (
        <Nothing text={words.nothingNeedsYou} />
      ) : (
        <Rows>
          {needs.map(({ to, search, text, sample }) => (
            <li key={to}>
              <Link to={to} search={search as never}>
                {text}
              </Link>
              <span className={styles.quiet}>{sample}</span>
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}

const hasJobs = pages.some(({ path }) => path === '/jobs/$id')

function Waves() {
  const { data } = useQuery(
    read('/v1/jobs', { query: { Type: 1, Status: JobStatus.InProgress, PageSize: 6 } }),
  )
  const state = data === undefined ? 'loading' : data.total === 0 ? 'empty' : 'ready'
  return (
    <Region heading={words.waves} state={state} summary={data?.total || undefined}>
      {state === 'empty' ? (
        <Nothing text={words.noWaves} />
      ) : (
        <Rows>
          {data?.jobs.map(({ jobId, jobNumber, clientName, consignmentCount, dueDateTime }) => (
            <li key={jobId} data-id={jobId}>
              {hasJobs ? <Link to={`/jobs/${jobId}`}>{jobNumber}</Link> : <b>{jobNumber}</b>}
              <span>{clientName}</span>
              <span className={styles.quiet}>{words.orders(consignmentCount)}</span>
              <LocalTime value={dueDateTime} />
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
