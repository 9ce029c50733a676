// A person, `/settings/people/{id}`: who they are and what they may do.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { Menu, type MenuAct } from '../../../../ui/Menu.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Facts } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { type Got, read } from '../../api.ts'
import { EditableRegion } from '../../frame/EditableRegion.tsx'
import { Page } from '../../frame/Page.tsx'
import { PersonPill } from '../../lists/people.tsx'
import { hasScope, useMe } from '../../me.ts'
import { reasonsOf } from '../../rehearse.ts'
import { Link, useIds } from '../../router.tsx'
import { peopleWords as words } from '../../words/people.ts'
import { lastChangeOf, RecordHistory } from './history.tsx'
import { type Invitation, InvitationLink } from './invitation-link.tsx'
import { ChangeRole, changePerson, Disable, NewLink, SetPassword } from './person-acts.tsx'
import { usePersonFields } from './person-fields.ts'

export type Person = Got<'/v1/users/{userId}'>

type Shown = 'link' | 'role' | 'password' | 'disable'

export function Screen() {
  const { id: userId = '' } = useIds()
  const me = useMe()
  const [shown, setShown] = useState<Shown>()
  const [invitation, setInvitation] = useState<Invitation>()
  const { data: person } = useSuspenseQuery(read('/v1/users/{userId}', { path: { userId } }))
  const mayAct = hasScope(me, 'organisation') && !person.isOperator
  const isOneself = person.id === me.userId
  const close = () => setShown(undefined)
  return (
    <Page
      heading={person.fullName}
      id={userId}
      above={<Link to="/settings/people">{words.people}</Link>}
      beside={<PersonPill person={person} />}
      acts={mayAct && <Acts person={person} isOneself={isOneself} onShow={setShown} />}
      details={
        <Facts
          facts={[
            [words.role, words.roleOf(person.role)],
            [words.worksFor, person.partnerName ?? words.own],
            [words.since, <UtcTime key="since" value={person.createdUtc} />],
          ]}
        />
      }
    >
      {person.isOperator && <p>{words.operatorWhy}</p>}
      <Details person={person} mayAct={mayAct} />
      <RecordHistory id={userId} />
      {shown === 'link' && <NewLink person={person} onClose={close} onMade={setInvitation} />}
      {shown === 'role' && <ChangeRole person={person} onClose={close} />}
      {shown === 'password' && <SetPassword person={person} onClose={close} />}
      {shown === 'disable' && <Disable person={person} onClose={close} />}
      {invitation !== undefined && shown === undefined && (
        <InvitationLink invitation={invitation} onDone={() => setInvitation(undefined)} />
      )}
    </Page>
  )
}

interface ActsProps {
  person: Person
  isOneself: boolean
  onShow: (shown: Shown) => void
}

function Acts({ person, isOneself, onShow }: ActsProps) {
  const ownReason = isOneself ? words.notYourself : undefined
  const switching: MenuAct = person.isDisabled
    ? { id: 'enable', text: words.enable, onAct: () => void enable(person) }
    : {
        ...{ id: 'disable', text: `${words.disable}…`, isAlert: true },
        onAct: () => onShow('disable'),
        disabledReason: ownReason,
      }
  return (
    <>
      <Menu
        label={uiWords.more}
        groups={[
          {
            acts: [
              { id: 'password', text: `${words.setPassword}…`, onAct: () => onShow('password') },
              switching,
            ],
          },
        ]}
      >
        <Button>{uiWords.more}</Button>
      </Menu>
      <Button onPress={() => onShow('role')} disabledReason={ownReason}>
        {words.changeRole}…
      </Button>
      <Button
        kind="main"
        onPress={() => onShow('link')}
        disabledReason={person.isDisabled ? words.isDisabled : undefined}
      >
        {words.newLink}…
      </Button>
    </>
  )
}

async function enable(person: Person): Promise<void> {
  try {
    await changePerson(person, { isDisabled: false })
    notify({ text: words.enabledNow(person.fullName) })
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}

const Details = ({ person, mayAct }: { person: Person; mayAct: boolean }) => (
  <EditableRegion
    heading={words.person}
    isMain
    mayEdit={mayAct}
    groups={[{ fields: usePersonFields().filter(({ path }) => path !== 'role') }]}
    record={person}
    path="/v1/users"
    done={words.changed(person.fullName)}
    save={(change, ifMatch) => changePerson(person, change, ifMatch)}
    whoChanged={() => lastChangeOf(person.id)}
  />
)
