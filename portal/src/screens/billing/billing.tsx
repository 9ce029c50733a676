// Billing, `/billing`: what waits to be billed by client, work that nothing charges, and the runs that bill.
// The address names a client to see only its own.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Menu } from '../../../../ui/Menu.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { Page } from '../../frame/Page.tsx'
import { hasScope, useMe } from '../../me.ts'
import { useChangeSearch, useGo, useSearch } from '../../router.tsx'
import { useClientOptions } from '../../suggestions.ts'
import { billingWords as words } from '../../words/billing.ts'
import { mayChangeMoney } from '../schedules/schedule-paths.ts'
import { BillingRuleDialog } from './billing-rule.tsx'
import { BilledClients } from './clients.tsx'
import { CloseDialog } from './close-dialog.tsx'
import { NotBilled, readUnbilled } from './not-billed.tsx'
import { RunNowDialog } from './run-now.tsx'
import { Runs } from './runs.tsx'

type Act = 'rule' | 'run' | 'close'

/** Read again while the screen is shown: there are no events of charges and runs. */
export const billingReadMs = 15_000

/** Work that is not billed, of one client or of all; undefined without the scope. */
function useUnbilled(partnerId: string | undefined) {
  const isAllowed = hasScope(useMe(), 'report')
  const query = useQuery({
    ...readUnbilled(partnerId),
    enabled: isAllowed,
  })
  return isAllowed ? query : undefined
}

export function Screen() {
  const me = useMe()
  const { PartnerId } = useSearch()
  const partnerId = typeof PartnerId === 'string' ? PartnerId : undefined
  const unbilled = useUnbilled(partnerId)
  return (
    <Page heading={words.billing} acts={<Acts partnerId={partnerId} mayAct={mayChangeMoney(me)} />}>
      <Narrowed partnerId={partnerId} />
      <BilledClients partnerId={partnerId} unbilled={unbilled?.data} />
      {/* Before the longest region: whoever starts a run sees what becomes of it. */}
      <Runs partnerId={partnerId} />
      {unbilled !== undefined && <NotBilled rows={unbilled.data} isError={unbilled.isError} />}
    </Page>
  )
}

/** The client that the screen is narrowed to. */
function Narrowed({ partnerId }: { partnerId: string | undefined }) {
  const change = useChangeSearch()
  const clients = useClientOptions(useMe())
  if (partnerId === undefined) return null
  const name = clients.find(({ value }) => value === partnerId)?.text ?? ''
  return (
    <p>
      {words.ofClient} <b>{name}</b>{' '}
      <Button kind="quiet" onPress={() => change({ PartnerId: undefined })}>
        {words.allClients}
      </Button>
    </p>
  )
}

function Acts({ partnerId, mayAct }: { partnerId: string | undefined; mayAct: boolean }) {
  const go = useGo()
  const [act, setAct] = useState<Act>()
  useKeys(mayAct ? { m: () => setAct('run') } : {})
  const props = { partnerId, onClose: () => setAct(undefined) }
  return (
    <>
      <Menu
        label={uiWords.more}
        groups={[
          {
            acts: [
              { id: 'rule', text: words.billingRule, onAct: () => setAct('rule') },
              { id: 'setUp', text: words.setUp, onAct: () => go('/billing/set-up') },
            ],
          },
        ]}
      >
        <Button>{uiWords.more}</Button>
      </Menu>
      {mayAct && <Button onPress={() => setAct('close')}>{words.closeConsignments}</Button>}
      {mayAct && (
        <Button kind="main" hint="M" onPress={() => setAct('run')}>
          {words.runNow}
        </Button>
      )}
      {act === 'rule' && <BillingRuleDialog {...props} mayAct={mayAct} />}
      {act === 'run' && <RunNowDialog {...props} />}
      {act === 'close' && <CloseDialog {...props} />}
    </>
  )
}
