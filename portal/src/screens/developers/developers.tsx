// Apps, webhooks and events, `/developers`: what integrations sign in with, where events are sent, and the
// last of them.

import { Page } from '../../frame/Page.tsx'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { developerWords as words } from '../../words/developers.ts'
import { Apps } from './apps.tsx'
import { Events } from './events.tsx'
import { Webhooks } from './webhooks.tsx'

/** The scopes of which a reader of the feed needs one. */
const feedScopes = ['consignment.read', 'financial.read', 'job.read']

export function Screen() {
  const me = useMe()
  return (
    <Page heading={words.developers} acts={<a href="/docs">{words.apiReference}</a>}>
      {kindOf(me) === 'staff' && hasScope(me, 'organisation.read') && <Apps />}
      <Webhooks />
      {feedScopes.some(scope => hasScope(me, scope)) && <Events />}
    </Page>
  )
}
