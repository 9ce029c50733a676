// The dialogs that make a webhook subscription and change one. The portal has no secret that could sign
// deliveries, so the person names an app of the organisation, or gives a key.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EventType } from '../../../../client/src/waybill.ts'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { type Got, send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { type Faults, faultsOf } from '../../faults.ts'
import { hasScope, kindOf, type Me, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { type Choice, useCarriers, useClientOptions } from '../../suggestions.ts'
import { developerWords as words } from '../../words/developers.ts'

type Subscription = Got<'/v1/webhook-subscriptions/{webhookSubscriptionId}'>

const eventOptions = Object.values(EventType).map(type => ({ value: String(type), text: words.event(type) }))

/** The apps that can sign: those whose secret somebody has. */
function useSigningApps(me: Me): readonly Choice[] {
  const maySign = kindOf(me) === 'staff' && hasScope(me, 'organisation')
  const { data } = useQuery({
    ...readAll('/v1/custom-apps'),
    enabled: maySign,
  })
  return (data?.customApps ?? [])
    .filter(({ builtIn, isDisabled }) => builtIn === null && !isDisabled)
    .map(({ id, name }) => ({ value: id, text: name }))
}

const nothingTyped = { url: '', app: '', key: '', client: '', carrier: '' }

/** What the person has typed. */
type Typed = Readonly<Record<keyof typeof nothingTyped | 'event', string>>

const subscribe = ({ url, event, app, key, client, carrier }: Typed) =>
  send('post', '/v1/webhook-subscriptions/create', {
    body: {
      ...{ webhookUrl: url.trim(), signingKey1: key || null, customAppId: app || null },
      ...{ clientPartnerId: client || null, carrierPartnerId: carrier || null },
      eventType: Number(event) as EventType,
    },
  })

export function NewSubscription({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState<Typed>({
    ...nothingTyped,
    event: String(EventType.ConsignmentStatusUpdated),
  })
  const [faults, setFaults] = useState(faultsOf(undefined))
  return (
    <Confirm
      act={words.newSubscription}
      onClose={onClose}
      isDisabled={typed.url.trim() === '' || (typed.app === '' && typed.key === '')}
      onConfirm={async () => {
        await subscribe(typed)
        notify({ text: words.subscribed })
        await readAgain('/v1/webhook-subscriptions')
      }}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.all
      }}
    >
      <SubscriptionFields typed={typed} onChange={setTyped} faults={faults} />
    </Confirm>
  )
}

interface FieldsProps {
  typed: Typed
  onChange: (typed: Typed) => void
  faults: Faults
}

function SubscriptionFields({ typed, onChange, faults }: FieldsProps) {
  const me = useMe()
  const [apps, clients] = [useSigningApps(me), useClientOptions(me)]
  const carriers = useCarriers(me).map(({ id, name }) => ({ value: id, text: name }))
  const field = (name: keyof Typed, path: string) => ({
    ...{ value: typed[name], fault: faults.at(path) },
    onChange: (value: string) => onChange({ ...typed, [name]: value }),
  })
  return (
    <>
      <TextField label={words.url} help={words.urlHelp} type="url" {...field('url', 'webhookUrl')} />
      <SelectField label={words.eventField} options={eventOptions} {...field('event', 'eventType')} />
      {apps.length > 0 && (
        <SelectField
          label={words.appThatSigns}
          help={words.appThatSignsHelp}
          options={[{ value: '', text: words.noApp }, ...apps]}
          {...field('app', 'customAppId')}
        />
      )}
      <KeyField
        label={words.signingKey}
        help={typed.app === '' ? words.signingKeyHelp : words.signingKeyToo}
        {...field('key', 'signingKey1')}
      />
      {clients.length > 0 && (
        <SelectField
          label={words.client}
          options={[{ value: '', text: words.allClients }, ...clients]}
          {...field('client', 'clientPartnerId')}
        />
      )}
      {carriers.length > 0 && (
        <SelectField
          label={words.carrier}
          options={[{ value: '', text: words.allCarriers }, ...carriers]}
          {...field('carrier', 'carrierPartnerId')}
        />
      )}
    </>
  )
}

interface KeyFieldProps {
  label: string
  help: string
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}

const KeyField = (props: KeyFieldProps) => (
  <TextField type="password" autoComplete="new-password" maxLength={200} {...props} />
)

/** What becomes of a key. */
interface KeyChange {
  text: string
  isTaken: boolean
}
const keyStays: KeyChange = { text: '', isTaken: false }

/** The key for the service: undefined leaves it as it is, null takes it away. */
const keyChange = ({ text, isTaken }: KeyChange) => (isTaken ? null : text === '' ? undefined : text)

/** Changes where a subscription is sent, and the keys that sign it. Keys are never shown. */
export function EditSubscription({
  subscription: { id, webhookUrl },
  onClose,
}: {
  subscription: Subscription
  onClose: () => void
}) {
  const [url, setUrl] = useState<string>(webhookUrl)
  const [first, setFirst] = useState(keyStays)
  const [second, setSecond] = useState(keyStays)
  const [faults, setFaults] = useState(faultsOf(undefined))
  async function change(): Promise<void> {
    const [signingKey1, signingKey2] = [keyChange(first), keyChange(second)]
    const { hasChanged } = await send('put', '/v1/webhook-subscriptions/{webhookSubscriptionId}', {
      path: { webhookSubscriptionId: id },
      body: {
        webhookUrl: url.trim(),
        ...(signingKey1 === undefined ? {} : { signingKey1 }),
        ...(signingKey2 === undefined ? {} : { signingKey2 }),
      },
    })
    notify({ text: hasChanged ? words.subscriptionChanged : words.nothingChanged })
    await readAgain('/v1/webhook-subscriptions')
  }
  return (
    <Confirm
      act={words.edit}
      onClose={onClose}
      isDisabled={url.trim() === ''}
      onConfirm={change}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.all
      }}
    >
      <TextField
        label={words.url}
        help={words.urlHelp}
        type="url"
        value={url}
        onChange={setUrl}
        fault={faults.at('webhookUrl')}
      />
      <KeyChangeFields
        label={words.signingKey}
        take={words.takeKey}
        change={first}
        onChange={setFirst}
        fault={faults.at('signingKey1')}
      />
      <KeyChangeFields
        label={words.secondKey}
        take={words.takeSecondKey}
        change={second}
        onChange={setSecond}
        fault={faults.at('signingKey2')}
      />
    </Confirm>
  )
}

interface KeyChangeFieldsProps {
  label: string
  take: string
  change: KeyChange
  onChange: (change: KeyChange) => void
  fault: string | undefined
}

const KeyChangeFields = ({ label, take, change, onChange, fault }: KeyChangeFieldsProps) => (
  <>
    <KeyField
      label={label}
      help={words.keyStays}
      value={change.text}
      fault={fault}
      onChange={text => onChange({ ...change, text })}
    />
    <SwitchField label={take} isOn={change.isTaken} onChange={isTaken => onChange({ ...change, isTaken })} />
  </>
)
