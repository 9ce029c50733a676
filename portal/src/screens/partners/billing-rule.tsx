// When a partner is billed: by a rule of its own, or by that of the organisation.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Nothing } from '../../../../ui/Region.tsx'
import { day } from '../../../../ui/time.ts'
import { read, send } from '../../api.ts'
import { EditableRegion } from '../../frame/EditableRegion.tsx'
import { RecordFacts } from '../../frame/RecordForm.tsx'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { partnerWords as words } from '../../words/partners.ts'
import styles from './partner.module.css'
import { billingFields } from './partner-fields.ts'

const path = '/v1/partners/{partnerId}/billing-rule'
const groups = [{ fields: billingFields }]
/** What a new rule begins with. */
const firstRule = { period: '4' }

export function BillingRule({ partnerId }: { partnerId: string }) {
  const mayEdit = hasScope(useMe(), 'financial')
  const [isAsking, setAsking] = useState(false)
  const { data: rule, isPending } = useQuery(read(path, { path: { partnerId } }))
  return (
    <>
      <EditableRegion
        heading={words.billingRule}
        state={isPending ? 'loading' : rule === undefined ? 'empty' : 'ready'}
        summary={rule && (rule.isOwn ? words.ruleOwn : words.ruleShared)}
        acts={
          rule?.isOwn && (
            <Button kind="quiet" label={words.asOrganisation} onPress={() => setAsking(true)}>
              {words.asOrganisation}…
            </Button>
          )
        }
        mayEdit={mayEdit}
        groups={groups}
        record={rule}
        initial={rule === undefined ? firstRule : {}}
        path={path}
        done={words.ruleSaved}
        save={(body, ifMatch) => send('put', path, { path: { partnerId }, body, ifMatch })}
      >
        {rule === undefined ? (
          <Nothing text={words.noRule} />
        ) : (
          <>
            <RecordFacts groups={groups} record={rule} />
            <p className={styles.note}>
              {words.nextRuns(
                rule.periods
                  .map(({ periodFrom, periodTo }) => `${day(periodFrom)} – ${day(periodTo)}`)
                  .join(', '),
              )}
            </p>
          </>
        )}
      </EditableRegion>
      {isAsking && <AsOrganisation partnerId={partnerId} onClose={() => setAsking(false)} />}
    </>
  )
}

const AsOrganisation = ({ partnerId, onClose }: { partnerId: string; onClose: () => void }) => (
  <Confirm
    act={words.asOrganisation}
    onClose={onClose}
    reasonsOf={reasonsOf}
    onConfirm={async () => {
      await send('delete', path, { path: { partnerId } })
      notify({ text: words.ruleSaved })
      await readAgain(path)
    }}
  >
    <p>{words.asOrganisationWhy}</p>
  </Confirm>
)
