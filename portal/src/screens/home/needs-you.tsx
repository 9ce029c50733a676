// Region Needs you: what waits for a person, with a button where it can be done at once.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { type Got, read, send } from '../../api.ts'
import { canOpen } from '../../frame/menu.ts'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { readAgain, regionStateOf } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { homeWords as words } from '../../words/home.ts'
import { SettleButtons } from '../imports/reconcile.tsx'
import styles from './home.module.css'
import { MaybeLink } from './today.tsx'

type Item = Got<'/v1/attention'>['items'][number]

/** What went wrong; everything else only waits. */
const alerts: readonly string[] = [
  'subscriptionsFailed',
  'printsInDoubt',
  'printersOffline',
  'late',
  'billingRunsFailed',
  'schedulesDiffer',
]

export function NeedsYou() {
  const me = useMe()
  const { data, isError } = useQuery(read('/v1/attention'))
  // What is found on a screen that the person does not have is for others to do.
  const items = data?.items.filter(({ path }) => canOpen(me, path.split('?')[0] ?? ''))
  const state = regionStateOf(isError, items)
  return (
    <Region heading={words.needsYou} state={state}>
      {state === 'empty' ? (
        <Nothing text={words.nothingNeedsYou} />
      ) : (
        <Rows>
          {items?.map(item => (
            <li key={item.key} data-id={item.key}>
              <div className={styles.need}>
                <span aria-hidden className={alerts.includes(item.key) ? styles.alertDot : styles.dot} />
                <MaybeLink to={item.path}>{item.text}</MaybeLink>
                <span className={styles.quiet}>{item.sample}</span>
                <Act item={item} />
              </div>
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}

/** What can be done about it here. */
function Act({ item: { key } }: { item: Item }) {
  const me = useMe()
  if (key === 'importsWaiting' && hasScope(me, 'consignment')) return <ReplaceCode />
  if (key === 'printsInDoubt' && hasScope(me, 'print') && kindOf(me) === 'staff') return <RetryPrint />
  return null
}

/** Replaces the code for which imports have waited longest, if one that exists is near it. */
function ReplaceCode() {
  const { data } = useQuery(read('/v1/consignment-imports/causes', { query: { PageSize: 20 } }))
  const cause = data?.causes.find(({ nearest }) => nearest.length > 0)
  return cause === undefined ? null : <SettleButtons cause={cause} isRetried={false} />
}

/** Prints a job in doubt again, once somebody has looked at the printer. */
function RetryPrint() {
  const [isAsking, setAsking] = useState(false)
  const { data } = useQuery(read('/v1/print-jobs', { query: { IsInDoubt: true, PageSize: 100 } }))
  const job = data?.printJobs.find(({ isContentKept }) => isContentKept)
  if (job === undefined) return null
  return (
    <>
      <Button onPress={() => setAsking(true)}>{words.retry}…</Button>
      {isAsking && (
        <Confirm
          act={words.retry}
          onClose={() => setAsking(false)}
          reasonsOf={reasonsOf}
          onConfirm={async () => {
            await send('put', '/v1/print-jobs/{printJobId}/retry', {
              path: { printJobId: job.id },
              body: {},
            })
            notify({ text: words.printedAgain(job.name) })
            await readAgain('/v1/print-jobs', '/v1/attention')
          }}
        >
          <p>{words.retryWhy(job.name, job.printerName)}</p>
        </Confirm>
      )}
    </>
  )
}
