// The settings of the organisation, `/settings`.

import { useSuspenseQuery } from '@tanstack/react-query'
import type { Schemas } from '../../../../client/src/waybill.ts'
import { now } from '../../../../ui/time.ts'
import { type Got, read, send } from '../../api.ts'
import { EditableRegion } from '../../frame/EditableRegion.tsx'
import { Page } from '../../frame/Page.tsx'
import type { FieldGroup } from '../../frame/RecordForm.tsx'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { settingsWords as words } from '../../words/settings.ts'
import { lastChangeOf } from './history.tsx'
import { IsAllWell } from './is-all-well.tsx'
import { Logo } from './logo.tsx'
import { settingGroups } from './organisation-fields.ts'
import { OwnApps } from './own-apps.tsx'
import styles from './settings.module.css'

type Organisation = Got<'/v1/organisation'>

export function Screen() {
  const mayAct = hasScope(useMe(), 'organisation')
  const { data: organisation } = useSuspenseQuery(read('/v1/organisation'))
  return (
    <Page
      heading={words.settings}
      id={organisation.id}
      acts={
        <span className={styles.links}>
          <Link to="/settings/people">{words.people}</Link>
          <Link to="/settings/history">{words.history}</Link>
        </span>
      }
    >
      <IsAllWell />
      {settingGroups().map(group => (
        <Settings key={group.heading} group={group} organisation={organisation} mayAct={mayAct} />
      ))}
      <Logo organisation={organisation} mayAct={mayAct} />
      <OwnApps mayAct={mayAct} />
    </Page>
  )
}

interface SettingsProps {
  group: FieldGroup & { heading: string }
  organisation: Organisation
  mayAct: boolean
}

const Settings = ({ group: { heading, fields }, organisation, mayAct }: SettingsProps) => (
  <EditableRegion
    heading={heading}
    mayEdit={mayAct}
    editLabel={words.editPart(heading)}
    groups={[{ fields }]}
    record={organisation}
    path="/v1/organisation"
    done={words.saved}
    save={change}
    whoChanged={() => lastChangeOf(organisation.id)}
    also={heading === words.organisation ? [[words.written, words.writtenLike(now())]] : []}
  />
)

async function change(body: object, ifMatch: string | undefined) {
  const answer = await send('put', '/v1/organisation', {
    body: body as Schemas['OrganisationChange'],
    ifMatch,
  })
  // How dates and numbers are written belongs to who is signed in.
  await readAgain('/v1/me')
  return answer
}
