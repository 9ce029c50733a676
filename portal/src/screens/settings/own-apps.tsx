// The apps that belong to Waybill, the portal and the floor: whether people can sign in to them.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Region, Rows } from '../../../../ui/Region.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { type RowOf, send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { healthWords as words } from '../../words/health.ts'
import styles from './settings.module.css'

type App = RowOf<'/v1/custom-apps'>

const nameOf = ({ builtIn, name }: App): string => words.appOf[builtIn ?? ''] ?? name

export function OwnApps({ mayAct }: { mayAct: boolean }) {
  const [leaving, setLeaving] = useState<App>()
  const { data } = useQuery(readAll('/v1/custom-apps'))
  const apps = data?.customApps.filter(({ builtIn }) => builtIn !== null) ?? []
  if (apps.length === 0) return null
  return (
    <Region heading={words.apps}>
      <Rows>
        {apps.map(app => (
          <li key={app.id} data-id={app.id}>
            <span className={styles.state}>
              <b>{nameOf(app)}</b>
              {app.isDisabled ? (
                <Pill text={words.off} tone="alert" isRing />
              ) : (
                <Pill text={words.on} tone="done" />
              )}
            </span>
            {mayAct && <Switch app={app} onLeave={() => setLeaving(app)} />}
          </li>
        ))}
      </Rows>
      {leaving !== undefined && <SwitchOff app={leaving} onClose={() => setLeaving(undefined)} />}
    </Region>
  )
}

const Switch = ({ app, onLeave }: { app: App; onLeave: () => void }) =>
  app.isDisabled ? (
    <Button kind="quiet" label={words.switchOnOf(nameOf(app))} onPress={() => void switchOn(app)}>
      {words.switchOn}
    </Button>
  ) : (
    <Button kind="quiet" label={words.switchOffOf(nameOf(app))} onPress={onLeave}>
      {words.switchOff}…
    </Button>
  )

async function setDisabled({ id }: App, isDisabled: boolean): Promise<void> {
  await send('put', '/v1/custom-apps/{customAppId}', { path: { customAppId: id }, body: { isDisabled } })
  await readAgain('/v1/custom-apps')
}

async function switchOn(app: App): Promise<void> {
  try {
    await setDisabled(app, false)
    notify({ text: words.switchedOn(nameOf(app)) })
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}

/** Whoever switches the portal off is locked out with everybody else, so they say first that they know. */
function SwitchOff({ app, onClose }: { app: App; onClose: () => void }) {
  const [isSure, setSure] = useState(false)
  const isPortal = app.builtIn === 'portal'
  return (
    <Confirm
      act={words.switchOff}
      isAlert
      isDisabled={isPortal && !isSure}
      onClose={onClose}
      reasonsOf={reasonsOf}
      onConfirm={async () => {
        await setDisabled(app, true)
        notify({ text: words.switchedOff(nameOf(app)) })
      }}
    >
      <p>{isPortal ? words.switchOffWhy : words.switchOffFloor}</p>
      {isPortal && <SwitchField label={words.sure} isOn={isSure} onChange={setSure} />}
    </Confirm>
  )
}
