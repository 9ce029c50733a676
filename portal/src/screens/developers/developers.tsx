// Apps and webhooks, `/developers`: what integrations sign in with, and where events are sent.

import { Page } from '../../frame/Page.tsx'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { developerWords as words } from '../../words/developers.ts'
import { Apps } from './apps.tsx'
import { Webhooks } from './webhooks.tsx'

export function Screen() {
  const me = useMe()
  return (
    <Page heading={words.developers} acts={<a href="/docs">{words.apiReference}</a>}>
      {kindOf(me) === 'staff' && hasScope(me, 'organisation.read') && <Apps />}
      <Webhooks />
    </Page>
  )
}
