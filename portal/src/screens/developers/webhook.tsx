// A webhook subscription, `/developers/webhooks/{id}`: what was delivered to it, and what sends it again.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DeliveryStatus, SubscriptionStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { Menu } from '../../../../ui/Menu.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Facts, Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { type Got, type RowOf, read, send } from '../../api.ts'
import { usePages } from '../../every-page.ts'
import { Page } from '../../frame/Page.tsx'
import { ReadOn } from '../../frame/ReadOn.tsx'
import { useMe } from '../../me.ts'
import { readAgain, regionStateOf } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { Link, useChangeSearch, useIds, useSearch } from '../../router.tsx'
import { developerWords as words } from '../../words/developers.ts'
import { DeliveryDialog } from './delivery.tsx'
import { EventName } from './event-name.tsx'
import { EditSubscription } from './subscription-fields.tsx'
import { DeleteDialog, ReactivateDialog, ReplayDialog } from './webhook-dialogs.tsx'

type Subscription = Got<'/v1/webhook-subscriptions/{webhookSubscriptionId}'>
type Delivery = RowOf<'/v1/webhook-subscriptions/{webhookSubscriptionId}/deliveries'>

/** There are no events of deliveries, so they are read again while they are shown. */
const readMs = 15_000

export function Screen() {
  const { id: webhookSubscriptionId = '' } = useIds()
  const { data: subscription } = useSuspenseQuery(
    read('/v1/webhook-subscriptions/{webhookSubscriptionId}', { path: { webhookSubscriptionId } }),
  )
  const { webhookUrl, id, status, heldReason } = subscription
  const mayAct = useMe().role !== 'reader'
  return (
    <Page
      heading={webhookUrl}
      id={id}
      above={<Link to="/developers">{words.developers}</Link>}
      beside={
        <Pill
          text={words.subscriptionStatus(status, heldReason)}
          tone={subscription.isServed ? 'done' : 'alert'}
        />
      }
      acts={mayAct && <Acts subscription={subscription} />}
      details={<Details subscription={subscription} />}
    >
      <Deliveries id={id} mayAct={mayAct} />
    </Page>
  )
}

const Details = ({ subscription }: { subscription: Subscription }) => (
  <Facts
    facts={[
      [words.headEvent, words.event(subscription.eventType)],
      [words.signedBy, subscription.appName],
      [words.subscribedBy, subscription.userFullName],
      [words.since, <UtcTime key="since" value={subscription.createdUtc} />],
      [words.lastFailure, subscription.lastFailure],
      [
        words.failedAt,
        subscription.lastFailureUtc === null ? undefined : (
          <UtcTime key="failed" value={subscription.lastFailureUtc} />
        ),
      ],
    ]}
  />
)

/** Does something to the subscription at once, and says what came of it. */
async function act(done: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
    notify({ text: done })
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
  await readAgain('/v1/webhook-subscriptions')
}

function Acts({ subscription }: { subscription: Subscription }) {
  const { id, status } = subscription
  const [dialog, setDialog] = useState<'replay' | 'delete' | 'edit' | 'reactivate'>()
  const held = useHeldCount(id, status)
  const path = { webhookSubscriptionId: id }
  const test = () =>
    act(words.testSent, () => send('put', '/v1/webhook-subscriptions/{webhookSubscriptionId}/test', { path }))
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu
        label={uiWords.more}
        groups={[
          {
            acts: [
              { id: 'replay', text: `${words.replayWindow}…`, onAct: () => setDialog('replay') },
              { id: 'delete', text: `${words.delete}…`, isAlert: true, onAct: () => setDialog('delete') },
            ],
          },
        ]}
      >
        <Button>{uiWords.more}</Button>
      </Menu>
      <Button label={words.edit} onPress={() => setDialog('edit')}>
        {words.edit}…
      </Button>
      {status === SubscriptionStatus.Failed ? (
        <Button kind="main" label={words.reactivate(held)} onPress={() => setDialog('reactivate')}>
          {words.reactivate(held)}…
        </Button>
      ) : (
        <Button kind="main" onPress={() => void test()}>
          {words.sendTest}
        </Button>
      )}
      {dialog === 'replay' && <ReplayDialog id={id} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog id={id} onClose={close} />}
      {dialog === 'edit' && <EditSubscription subscription={subscription} onClose={close} />}
      {dialog === 'reactivate' && <ReactivateDialog id={id} held={held} onClose={close} />}
    </>
  )
}

/** How many deliveries a failed subscription holds, which are sent once it is active again. */
function useHeldCount(webhookSubscriptionId: string, status: number): number {
  const { data } = useQuery({
    ...read('/v1/webhook-subscriptions/{webhookSubscriptionId}/deliveries', {
      path: { webhookSubscriptionId },
      query: { Status: DeliveryStatus.Held, PageSize: 1 },
    }),
    enabled: status === SubscriptionStatus.Failed,
  })
  return data?.total ?? 0
}

function Deliveries({ id: webhookSubscriptionId, mayAct }: { id: string; mayAct: boolean }) {
  const path = '/v1/webhook-subscriptions/{webhookSubscriptionId}/deliveries'
  const pages = usePages(path, { path: { webhookSubscriptionId } }, { refetchInterval: readMs })
  const { rows, total, isError } = pages
  const state = regionStateOf(isError, rows)
  const { Delivery: opened } = useSearch()
  const changeSearch = useChangeSearch()
  const replay = (deliveryId: string) =>
    act(words.replayed, () =>
      send('post', '/v1/webhook-subscriptions/{webhookSubscriptionId}/deliveries/{deliveryId}/replay', {
        path: { webhookSubscriptionId, deliveryId },
      }),
    )
  return (
    <Region heading={words.deliveries} state={state} summary={total || undefined}>
      {state === 'empty' ? (
        <Nothing text={words.noDeliveries} />
      ) : (
        <SmallTable
          isGrid
          label={words.deliveries}
          heads={[
            { text: words.headTime },
            { text: words.headEvent },
            { text: words.headStatus },
            { text: words.headAnswer },
            { text: words.replay },
          ]}
          rows={(rows ?? []).map(delivery => ({
            id: delivery.id,
            cells: [
              <UtcTime key="time" value={delivery.createdUtc} />,
              <Link key="type" to="." search={{ Delivery: delivery.id } as never}>
                <EventName type={delivery.type} />
              </Link>,
              words.deliveryStatus(delivery.status),
              answerOf(delivery),
              mayAct && (
                <Button key="replay" kind="quiet" onPress={() => void replay(delivery.id)}>
                  {words.replay}
                </Button>
              ),
            ],
          }))}
        />
      )}
      <ReadOn pages={pages} />
      {typeof opened === 'string' && (
        <DeliveryDialog
          webhookSubscriptionId={webhookSubscriptionId}
          deliveryId={opened}
          onReplay={mayAct ? () => replay(opened) : undefined}
          onClose={() => changeSearch({ Delivery: undefined })}
        />
      )}
    </Region>
  )
}

/** What the latest attempt met: the answer of the receiver, or why there was none. */
function answerOf({ attempts }: Delivery): string {
  const last = attempts.at(-1)
  if (last === undefined) return words.notTried
  return words.attempt(last.statusCode, last.error, last.durationMs, attempts.length)
}
