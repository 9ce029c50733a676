// The last events of the feed, live: what webhooks send, and what an integration that follows the feed reads.

import { useQuery } from '@tanstack/react-query'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { type Got, get } from '../../api.ts'
import { canOpen } from '../../frame/menu.ts'
import { type Me, useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { developerWords as words } from '../../words/developers.ts'
import styles from './developers.module.css'
import { EventName } from './event-name.tsx'

const path = '/v1/events'
const shown = 100

type FeedPage = Got<typeof path>
type FeedEvent = FeedPage['events'][number]

/** Reads the last events. The feed forgets old ones, and refuses to begin before what it keeps. */
async function lastEvents(signal: AbortSignal): Promise<readonly FeedEvent[]> {
  const { next } = await get<FeedPage>(path, { query: { After: 'latest' } }, signal)
  const after = (sequence: number) => get<FeedPage>(path, { query: { After: sequence } }, signal)
  const { events } = await after(Math.max(0, next - shown)).catch(() => after(next))
  return events.slice(-shown).toReversed()
}

export function Events() {
  const me = useMe()
  const { data, isError } = useQuery({
    queryKey: [path, { shown }] as const,
    queryFn: ({ signal }) => lastEvents(signal),
  })
  const state = regionStateOf(isError, data)
  return (
    <Region heading={words.events} state={state} summary={words.eventsSummary}>
      {state === 'empty' ? (
        <Nothing text={words.noEvents} />
      ) : (
        <div className={styles.feed}>
          <SmallTable
            label={words.events}
            heads={[
              { text: words.headSequence },
              { text: words.headTime },
              { text: words.headEvent },
              { text: words.headAbout },
            ]}
            rows={(data ?? []).map(event => ({
              id: event.id,
              cells: [
                event.sequence,
                <UtcTime key="time" value={event.created} />,
                <EventName key="type" type={event.type} />,
                <About key="about" event={event} me={me} />,
              ],
            }))}
          />
        </div>
      )}
    </Region>
  )
}

/** What an event is about, with a link where there is a screen of it. */
function About({ event: { data }, me }: { event: FeedEvent; me: Me }) {
  const [text, to] = aboutOf(data)
  return to !== undefined && canOpen(me, to) ? <Link to={to}>{text}</Link> : text
}

function aboutOf(data: FeedEvent['data']): [text: string, to?: string] {
  if ('consignmentNumber' in data) return [data.consignmentNumber, `/consignments/${data.consignmentId}`]
  if ('jobNumber' in data) return [data.jobNumber, `/jobs/${data.jobId}`]
  if ('partnerScheduleId' in data) return [words.schedule, `/schedules/${data.partnerScheduleId}`]
  if ('clientCode' in data) return [data.clientCode, `/imports/${data.consignmentId}`]
  return ['']
}
