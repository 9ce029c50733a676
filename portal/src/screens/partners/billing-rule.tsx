// When a partner is billed: by a rule of its own, or by that of the organisation.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import { day } from '../../../../ui/time.ts'
import { words as uiWords } from '../../../../ui/words.ts'
import { read, send } from '../../api.ts'
import { FactGrid } from '../../frame/EditableRegion.tsx'
import { RegionForm } from '../../frame/RegionForm.tsx'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { partnerWords as words } from '../../words/partners.ts'
import styles from './partner.module.css'
import { billingFields } from './partner-fields.ts'

const path = '/v1/partners/{partnerId}/billing-rule'
/** What a new rule begins with. */
const nothing = { period: 4 }

export function BillingRule({ partnerId }: { partnerId: string }) {
  const mayEdit = hasScope(useMe(), 'financial')
  const [shown, setShown] = useState<'edit' | 'shared'>()
  const { data: rule, isPending } = useQuery(read(path, { path: { partnerId } }))
  const close = () => setShown(undefined)
  return (
    <Region
      heading={words.billingRule}
      state={isPending ? 'loading' : rule === undefined ? 'empty' : 'ready'}
      summary={rule && (rule.isOwn ? words.ruleOwn : words.ruleShared)}
      acts={
        mayEdit &&
        shown !== 'edit' && (
          <>
            {rule?.isOwn && (
              <Button kind="quiet" label={words.asOrganisation} onPress={() => setShown('shared')}>
                {words.asOrganisation}…
              </Button>
            )}
            <Button kind="quiet" onPress={() => setShown('edit')}>
              {uiWords.edit}
            </Button>
          </>
        )
      }
    >
      {shown === 'edit' ? (
        <RegionForm
          record={rule ?? nothing}
          path={path}
          fields={billingFields}
          done={words.ruleSaved}
          onClose={close}
          save={async (body, ifMatch) => {
            const answer = await send('put', path, { path: { partnerId }, body, ifMatch })
            await readAgain(path)
            return answer
          }}
        />
      ) : rule === undefined ? (
        <Nothing text={words.noRule} />
      ) : (
        <>
          <FactGrid record={rule} fields={billingFields} />
          <p className={styles.note}>
            {words.nextRuns(
              rule.periods
                .map(({ periodFrom, periodTo }) => `${day(periodFrom)} – ${day(periodTo)}`)
                .join(', '),
            )}
          </p>
        </>
      )}
      {shown === 'shared' && <AsOrganisation partnerId={partnerId} onClose={close} />}
    </Region>
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
