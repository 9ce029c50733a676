// The apps of the organisation, and how one makes its first call.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { GrantType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { type RowOf, send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { HistoryLink } from '../../frame/HistoryLink.tsx'
import { hasScope, useMe } from '../../me.ts'
import { readAgain, regionStateOf } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { developerWords as words } from '../../words/developers.ts'
import { ClientSecret } from './client-secret.tsx'
import styles from './developers.module.css'
import { NewApp } from './new-app.tsx'
import { RunAction } from './run-action.tsx'

type App = RowOf<'/v1/custom-apps'>

type Act = { name: 'create' } | { name: 'rotate' | 'disable' | 'run'; app: App }

export function Apps() {
  const mayAct = hasScope(useMe(), 'organisation')
  const { data, isError } = useQuery(readAll('/v1/custom-apps'))
  const [act, setAct] = useState<Act>()
  const [secret, setSecret] = useState<string>()
  const close = () => setAct(undefined)
  const apps = data?.customApps
  const own = apps?.find(app => app.builtIn === null && app.grantType === GrantType.ClientCredentials)
  return (
    <>
      <Region
        heading={words.apps}
        state={regionStateOf(isError, apps)}
        acts={mayAct && <Button onPress={() => setAct({ name: 'create' })}>{words.newApp}</Button>}
      >
        {apps === undefined || apps.length === 0 ? (
          <Nothing text={words.noApps} />
        ) : (
          <AppRows apps={apps} onAct={mayAct ? setAct : undefined} />
        )}
      </Region>
      <Region heading={words.firstCall}>
        <pre className={styles.code}>
          {words.firstCallCommands(location.origin, own?.clientId ?? 'CLIENT_ID')}
        </pre>
      </Region>
      {act?.name === 'create' && <NewApp onClose={close} onCreated={setSecret} />}
      {act?.name === 'rotate' && <RotateSecret app={act.app} onClose={close} onRotated={setSecret} />}
      {act?.name === 'disable' && <Disable app={act.app} onClose={close} />}
      {act?.name === 'run' && <RunAction app={act.app} onClose={close} />}
      {secret !== undefined && act === undefined && (
        <ClientSecret secret={secret} onDone={() => setSecret(undefined)} />
      )}
    </>
  )
}

/** Apps that are built in have no acts here: whoever switches the portal off would lock everybody out. */
const AppRows = ({ apps, onAct }: { apps: readonly App[]; onAct: ((act: Act) => void) | undefined }) => (
  <Rows>
    {apps.map(app => (
      <li key={app.id} data-id={app.id}>
        <span className={styles.app}>
          <b>{app.name}</b>{' '}
          <span className={styles.quiet}>
            {app.builtIn === null ? words.grant(app.grantType) : words.builtIn}, {words.scopesOf(app.scopes)}
          </span>{' '}
          {app.isDisabled && <Pill text={words.disabled} tone="alert" isRing />}
          <code className={styles.clientId}>{app.clientId}</code>
        </span>
        <span className={styles.acts}>
          <HistoryLink id={app.id} name={app.name} />
          {onAct !== undefined && app.builtIn === null && <AppActs app={app} onAct={onAct} />}
        </span>
      </li>
    ))}
  </Rows>
)

function AppActs({ app, onAct }: { app: App; onAct: (act: Act) => void }) {
  const button = (act: string, onPress: () => void, dots = '…') => (
    <Button kind="quiet" label={words.forApp(act, app.name)} onPress={onPress}>
      {act}
      {dots}
    </Button>
  )
  return (
    <>
      {!app.isDisabled && button(words.runAction, () => onAct({ name: 'run', app }))}
      {button(words.rotateSecret, () => onAct({ name: 'rotate', app }))}
      {app.isDisabled
        ? button(words.enable, () => void enable(app), '')
        : button(words.disable, () => onAct({ name: 'disable', app }))}
    </>
  )
}

const setDisabled = async ({ id }: App, isDisabled: boolean): Promise<void> => {
  await send('put', '/v1/custom-apps/{customAppId}', { path: { customAppId: id }, body: { isDisabled } })
  await readAgain('/v1/custom-apps', '/v1/webhook-subscriptions')
}

async function enable(app: App): Promise<void> {
  try {
    await setDisabled(app, false)
    notify({ text: words.enabledNow(app.name) })
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}

const Disable = ({ app, onClose }: { app: App; onClose: () => void }) => (
  <Confirm
    act={words.disable}
    isAlert
    reasonsOf={reasonsOf}
    onClose={onClose}
    onConfirm={async () => {
      await setDisabled(app, true)
      notify({ text: words.disabledNow(app.name) })
    }}
  >
    <p>{words.disableWhy(app.name)}</p>
  </Confirm>
)

interface RotateProps {
  app: App
  onClose: () => void
  onRotated: (secret: string) => void
}

function RotateSecret({ app, onClose, onRotated }: RotateProps) {
  const [hours, setHours] = useState('24')
  return (
    <Confirm
      act={words.rotateSecret}
      reasonsOf={reasonsOf}
      onClose={onClose}
      isDisabled={hours.trim() === ''}
      onConfirm={async () => {
        const { data } = await send('post', '/v1/custom-apps/{customAppId}/rotate-secret', {
          path: { customAppId: app.id },
          body: { overlapHours: Number(hours) },
        })
        onRotated(data.clientSecret)
      }}
    >
      <p>{words.rotateWhy(app.name)}</p>
      <TextField
        label={words.overlap}
        help={words.overlapHelp}
        type="number"
        value={hours}
        onChange={setHours}
      />
    </Confirm>
  )
}
