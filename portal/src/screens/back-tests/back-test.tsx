// A back-test, `/back-tests/{id}`: how far it is, whether its control holds, and what the tested card
// changes.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BackTestStatus, type Schemas } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { notify } from '../../../../ui/Notices.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import type { RefusedOfMany } from '../../../../ui/Refused.tsx'
import { Region } from '../../../../ui/Region.tsx'
import { instant } from '../../../../ui/time.ts'
import { type Got, read, send } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { Page } from '../../frame/Page.tsx'
import { BackTestPill } from '../../lists/back-tests.tsx'
import { useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { Link, useIds } from '../../router.tsx'
import { backTestWords as words } from '../../words/back-tests.ts'
import { mayChangeMoney } from '../rate-cards/rate-cards.tsx'
import styles from './back-test.module.css'
import { BeforeAndAfter } from './before-and-after.tsx'
import { Control, Figures, Unrated } from './figures.tsx'
import { LargestDifferences } from './largest-differences.tsx'

export type BackTest = Got<'/v1/rate-card-back-tests/{rateCardBackTestId}'>

const pollMs = 1_500

export function Screen() {
  const { id: rateCardBackTestId = '' } = useIds()
  const { data: test } = useSuspenseQuery({
    ...read('/v1/rate-card-back-tests/{rateCardBackTestId}', { path: { rateCardBackTestId } }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data) ? pollMs : false),
  })
  const { rateCard, rateCardVersionId } = test
  return (
    <Page
      heading={words.nameOf(test)}
      id={test.id}
      status={words.statusName(test.status)}
      above={<Link to="/back-tests">{words.heading}</Link>}
      beside={
        <>
          <BackTestPill status={test.status} />
          {rateCard !== null && (
            <Link to={`/rate-cards/${rateCard.id}/versions/${rateCardVersionId}`}>{words.cardOf(test)}</Link>
          )}
        </>
      }
      acts={<Acts test={test} />}
    >
      {isUnderWay(test) && <UnderWay test={test} />}
      <Refusal heading={words.failed} reasons={test.failure === null ? [] : [test.failure]} />
      {test.status === BackTestStatus.Cancelled && <p>{words.cancelled}</p>}
      {test.adjustedUtc !== null && (
        <p role="note" className={styles.note}>
          {words.adjustedOn(instant(test.adjustedUtc))} <Link to="/charges">{words.waiting}</Link>
        </p>
      )}
      {test.status === BackTestStatus.Done && (
        <>
          <Figures test={test} />
          <Control test={test} />
          <BeforeAndAfter test={test} />
          <LargestDifferences id={test.id} />
          <Unrated test={test} />
        </>
      )}
    </Page>
  )
}

const isUnderWay = ({ status }: Pick<BackTest, 'status'>) =>
  status === BackTestStatus.Pending || status === BackTestStatus.Running

const UnderWay = ({ test: { progress, status } }: { test: BackTest }) => (
  <Region heading={words.progress}>
    <div className={styles.progress}>
      <progress aria-label={words.progress} max={100} value={progress} />
      <span>{words.done(progress)}</span>
      <p className={styles.quiet}>{status === BackTestStatus.Pending ? words.waitsForWorker : words.runs}</p>
    </div>
  </Region>
)

type Adjusted = Schemas['RateCardAdjustment']

/** What the act would skip, and why. */
const skippedOf = (result: unknown): RefusedOfMany => ({
  rows: (result as Adjusted).skipped.map(({ consignmentId, consignmentNumber, reason }) => ({
    id: consignmentId,
    name: consignmentNumber,
    why: words.skipped(reason),
  })),
})

function Acts({ test: { id: rateCardBackTestId, status } }: { test: BackTest }) {
  const mayChange = mayChangeMoney(useMe())
  const [act, setAct] = useState<'cancel' | 'adjust'>()
  const isOver = status === BackTestStatus.Done
  const main = isOver ? 'adjust' : 'cancel'
  const hasAct = mayChange && (isOver || isUnderWay({ status }))
  useKeys(hasAct && isOver ? { m: () => setAct('adjust') } : {})
  if (!hasAct) return null
  const close = () => setAct(undefined)
  return (
    <>
      {isOver ? (
        <Button kind="main" hint="M" onPress={() => setAct(main)}>
          {words.adjust}
        </Button>
      ) : (
        <Button onPress={() => setAct(main)}>{words.cancel}</Button>
      )}
      {act === 'adjust' && (
        <ActDialog
          act={words.adjust}
          method="post"
          path="/v1/rate-card-back-tests/{rateCardBackTestId}/adjust"
          request={{ path: { rateCardBackTestId } }}
          refusedOf={skippedOf}
          done={words.adjustDone}
          changes={['/v1/rate-card-back-tests', '/v1/schedule-transactions', '/v1/consignments']}
          onClose={close}
        >
          {() => <p>{words.adjustHelp}</p>}
        </ActDialog>
      )}
      {act === 'cancel' && (
        <Confirm
          act={words.cancel}
          isAlert
          reasonsOf={reasonsOf}
          onClose={close}
          onConfirm={async () => {
            await send('delete', '/v1/rate-card-back-tests/{rateCardBackTestId}', {
              path: { rateCardBackTestId },
            })
            notify({ text: words.isCancelled })
            await readAgain('/v1/rate-card-back-tests')
          }}
        >
          <p>{words.cancelHelp}</p>
        </Confirm>
      )}
    </>
  )
}
