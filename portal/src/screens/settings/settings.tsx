// The settings of the organisation, `/settings`.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Region } from '../../../../ui/Region.tsx'
import { now } from '../../../../ui/time.ts'
import { words as uiWords } from '../../../../ui/words.ts'
import { type Got, read, send } from '../../api.ts'
import { Page } from '../../frame/Page.tsx'
import { EditRecord, type FieldGroup, RecordFacts } from '../../frame/RecordForm.tsx'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { settingsWords as words } from '../../words/settings.ts'
import { words as shared } from '../../words.ts'
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

function Settings({
  group: { heading, fields },
  organisation,
  mayAct,
}: {
  group: FieldGroup & { heading: string }
  organisation: Organisation
  mayAct: boolean
}) {
  const [isEditing, setEditing] = useState(false)
  return (
    <Region
      heading={heading}
      acts={
        mayAct &&
        !isEditing && (
          <Button kind="quiet" label={words.editPart(heading)} onPress={() => setEditing(true)}>
            {uiWords.edit}
          </Button>
        )
      }
    >
      {isEditing ? (
        <EditRecord
          groups={[{ fields }]}
          record={organisation}
          path="/v1/organisation"
          save={change}
          onClose={() => setEditing(false)}
        />
      ) : (
        <RecordFacts
          fields={fields}
          record={organisation}
          also={heading === words.organisation ? [[words.written, words.writtenLike(now())]] : []}
          switched={words.whether}
        />
      )}
    </Region>
  )
}

async function change(body: object, ifMatch: string | undefined): Promise<void> {
  const { hasChanged } = await send('put', '/v1/organisation', {
    body: body as Schemas['OrganisationChange'],
    ifMatch,
  })
  notify({ text: hasChanged ? words.saved : shared.unchanged })
  // How dates and numbers are written belongs to who is signed in.
  await readAgain('/v1/me')
}
