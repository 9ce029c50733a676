// Region My run: what a carrier's vehicles deliver or fetch from the dock now, stop by stop.

import { useQuery } from '@tanstack/react-query'
import { ConsignmentStatus } from '../../../../client/src/waybill.ts'
import { Identifier } from '../../../../ui/Identifier.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import type { RowOf } from '../../api.ts'
import { toneOf } from '../../consignment-status.ts'
import { readAll } from '../../every-page.ts'
import { consigneeOf } from '../../lists/consignments.tsx'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { runsOf } from '../../runs.ts'
import { consignmentWords } from '../../words/consignments.ts'
import { homeWords as words } from '../../words/home.ts'
import styles from './home.module.css'

type Row = RowOf<'/v1/consignments'>

const { ReadyToDispatch, InTransit, InProgress } = ConsignmentStatus
const query = {
  ...{ Status: [ReadyToDispatch, InTransit, InProgress], Include: 'figures', Sort: 'due' },
} as const

export function MyRun() {
  const { data, isError } = useQuery(readAll('/v1/consignments', { query: query as never }))
  const state = regionStateOf(isError, data?.consignments)
  const runs = runsOf(data?.consignments ?? [])
  return (
    <Region heading={words.myRun} state={state} summary={data && words.stops(data.total)}>
      {state === 'empty' ? (
        <Nothing text={words.noRun} />
      ) : (
        runs.map(({ number, stops }) => (
          <section key={number} aria-label={words.run(number)}>
            {runs.length + (number === null ? 0 : 1) > 1 && (
              <h3 className={styles.run}>{words.run(number)}</h3>
            )}
            <ol className={styles.stops}>
              {stops.map(row => (
                <StopRow key={row.id} row={row} isNumbered={stops.some(isNumbered)} />
              ))}
            </ol>
          </section>
        ))
      )}
    </Region>
  )
}

const isNumbered = ({ carrierRunOrdinal }: Row) => carrierRunOrdinal != null

/** Who gets the goods; if nobody was named, the city, and without that the number of the consignment. */
function StopName({ row }: { row: Row }) {
  const [name, city] = consigneeOf(row)
  const number = <Identifier value={row.consignmentNumber} />
  const place = name || city
  if (!place) return <b>{number}</b>
  return (
    <>
      <b>{place}</b>
      <span className={styles.quiet}>
        {name ? city : null} {number}
      </span>
    </>
  )
}

/** A stop: the whole row leads to its consignment, because it is pressed with a thumb. */
const StopRow = ({ row, isNumbered }: { row: Row; isNumbered: boolean }) => (
  <li data-id={row.id} data-status={consignmentWords.statusName(row.status)}>
    <Link to={`/consignments/${row.id}`} className={`${styles.stop} ${isNumbered ? '' : styles.unnumbered}`}>
      {isNumbered && (
        <span aria-hidden className={styles.ordinal}>
          {row.carrierRunOrdinal ?? ''}
        </span>
      )}
      <span className={styles.place}>
        <StopName row={row} />
      </span>
      <Pill text={consignmentWords.status(row.status)} tone={toneOf(row.status)} />
    </Link>
  </li>
)
