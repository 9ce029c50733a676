// The dialog of one delivery: the request that was sent, and what the receiver answered to each attempt.

import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Facts, Nothing, Region } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { type Got, read } from '../../api.ts'
import { developerWords as words } from '../../words/developers.ts'
import styles from './developers.module.css'
import { EventName } from './event-name.tsx'

const path = '/v1/webhook-subscriptions/{webhookSubscriptionId}/deliveries/{deliveryId}'

type Detail = Got<typeof path>

interface Props {
  webhookSubscriptionId: string
  deliveryId: string
  /** absent for people who may not act */
  onReplay: (() => Promise<void>) | undefined
  onClose: () => void
}

export function DeliveryDialog({ webhookSubscriptionId, deliveryId, onReplay, onClose }: Props) {
  const { data, isError } = useQuery(read(path, { path: { webhookSubscriptionId, deliveryId } }))
  const state = isError ? 'error' : data === undefined ? 'loading' : 'ready'
  return (
    <Dialog
      title={words.delivery}
      isWide
      onClose={onClose}
      state={state}
      acts={
        <>
          <Button kind="main" onPress={onClose}>
            {uiWords.close}
          </Button>
          {onReplay !== undefined && (
            <Button onPress={() => void onReplay().then(onClose)}>{words.replay}</Button>
          )}
        </>
      }
    >
      {state === 'error' && <Nothing text={words.deliveryGone} />}
      {data !== undefined && <Shown delivery={data} />}
    </Dialog>
  )
}

function Shown({ delivery: { type, status, createdUtc, request, attempts } }: { delivery: Detail }) {
  const copy = () =>
    navigator.clipboard.writeText(request.body).then(
      () => notify({ text: words.copied }),
      () => notify({ text: words.cannotCopyText, isAlert: true }),
    )
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <Facts
        facts={[
          [words.headEvent, <EventName key="type" type={type} />],
          [words.headStatus, words.deliveryStatus(status)],
          [words.headTime, <UtcTime key="time" value={createdUtc} />],
        ]}
      />
      <Region heading={words.request} acts={<Button onPress={() => void copy()}>{words.copyBody}</Button>}>
        <Sent head={words.headers} text={headers.join('\n')} />
        <Sent head={words.body} text={request.body} />
      </Region>
      <Region heading={words.answer}>
        {attempts.length === 0 ? (
          <Nothing text={words.notTried} />
        ) : (
          <ol className={styles.attempts}>
            {attempts.map(({ atUtc, statusCode, error, durationMs, answer }) => (
              <li key={atUtc}>
                <b>{words.attempt(statusCode, error, durationMs, 1)}</b>{' '}
                <span className={styles.quiet}>
                  <UtcTime value={atUtc} />
                </span>
                {statusCode !== null && error !== null && <p className={styles.quiet}>{error}</p>}
                {answer !== null && <pre className={styles.text}>{answer}</pre>}
              </li>
            ))}
          </ol>
        )}
      </Region>
    </>
  )
}

const Sent = ({ head, text }: { head: string; text: string }) => (
  <div className={styles.sent}>
    <h3>{head}</h3>
    <pre className={styles.text}>{text}</pre>
  </div>
)
