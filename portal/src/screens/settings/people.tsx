// The people of the organisation, `/settings/people`, from which somebody is invited.

import { Listing } from '../../frame/Listing.tsx'
import { peopleList } from '../../lists/people.tsx'
import { hasScope, useMe } from '../../me.ts'
import { Invite } from './invite.tsx'

export function Screen() {
  const mayAct = hasScope(useMe(), 'organisation')
  return <Listing list={peopleList} acts={mayAct && <Invite isMain />} />
}
