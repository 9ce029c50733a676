// The webhook subscriptions that the person may see, and the dialog that makes one.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EventType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { DataTable } from '../../../../ui/DataTable.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import { read, send } from '../../api.ts'
import { type Faults, faultsOf } from '../../faults.ts'
import { webhookColumns } from '../../lists/webhooks.tsx'
import { useMe } from '../../me.ts'
import { readAgain, regionStateOf } from '../../queries.ts'
import { useClientOptions } from '../../suggestions.ts'
import { developerWords as words } from '../../words/developers.ts'
import styles from './developers.module.css'

export function Webhooks() {
  const mayAct = useMe().role !== 'reader'
  const [isSubscribing, setSubscribing] = useState(false)
  const { data, isError } = useQuery(read('/v1/webhook-subscriptions', { query: { PageSize: 100 } }))
  const rows = data?.webhookSubscriptions ?? []
  const state = regionStateOf(isError, data && rows)
  return (
    <Region
      heading={words.webhooks}
      state={state}
      acts={mayAct && <Button onPress={() => setSubscribing(true)}>{words.newSubscription}</Button>}
    >
      {rows.length === 0 ? (
        <Nothing text={words.noWebhooks} />
      ) : (
        <div className={styles.grid}>
          <DataTable
            label={words.webhooks}
            columns={webhookColumns}
            rows={rows}
            idOf={({ id }) => id}
            nameOf={({ webhookUrl }) => webhookUrl}
            state={state}
          />
        </div>
      )}
      {isSubscribing && <NewSubscription onClose={() => setSubscribing(false)} />}
    </Region>
  )
}

const eventOptions = Object.values(EventType).map(type => ({ value: String(type), text: words.event(type) }))

/** What the person has typed. */
type Given = Readonly<Record<'url' | 'event' | 'key' | 'client', string>>

const subscribe = ({ url, event, key, client }: Given) =>
  send('post', '/v1/webhook-subscriptions/create', {
    body: {
      ...{ webhookUrl: url.trim(), signingKey1: key, clientPartnerId: client || null },
      eventType: Number(event) as EventType,
    },
  })

/** The portal has no secret that could sign deliveries, so the person gives a key. */
function NewSubscription({ onClose }: { onClose: () => void }) {
  const [given, setGiven] = useState<Given>({
    ...{ url: '', key: '', client: '' },
    event: String(EventType.ConsignmentStatusUpdated),
  })
  const [faults, setFaults] = useState(faultsOf(undefined))
  return (
    <Confirm
      act={words.newSubscription}
      onClose={onClose}
      isDisabled={given.url.trim() === '' || given.key === ''}
      onConfirm={async () => {
        await subscribe(given)
        notify({ text: words.subscribed })
        await readAgain('/v1/webhook-subscriptions')
      }}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.all
      }}
    >
      <Fields given={given} onChange={setGiven} faults={faults} />
    </Confirm>
  )
}

function Fields({
  given,
  onChange,
  faults,
}: {
  given: Given
  onChange: (given: Given) => void
  faults: Faults
}) {
  const clients = useClientOptions(useMe())
  const field = (name: keyof Given, path: string) => ({
    ...{ value: given[name], fault: faults.at(path) },
    onChange: (value: string) => onChange({ ...given, [name]: value }),
  })
  return (
    <>
      <TextField label={words.url} help={words.urlHelp} type="url" {...field('url', 'webhookUrl')} />
      <SelectField label={words.eventField} options={eventOptions} {...field('event', 'eventType')} />
      <TextField
        label={words.signingKey}
        help={words.signingKeyHelp}
        type="password"
        autoComplete="new-password"
        maxLength={200}
        {...field('key', 'signingKey1')}
      />
      {clients.length > 0 && (
        <SelectField
          label={words.client}
          options={[{ value: '', text: words.allClients }, ...clients]}
          {...field('client', 'clientPartnerId')}
        />
      )}
    </>
  )
}
