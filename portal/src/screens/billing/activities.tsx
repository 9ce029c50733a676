// The tab Activities of Billing set-up: what work is called on bills, with its account and tax rate.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { entityTagOf, type Got, read, send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { setUpWords as words } from '../../words/set-up.ts'
import { mayChangeMoney } from '../schedules/schedule-paths.ts'
import { SetUpDialog, StatusField } from './set-up-dialog.tsx'
import { SetUpTable } from './set-up-table.tsx'

const path = '/v1/activity-types'
type Activity = Got<'/v1/activity-types/{id}'>

/** Accounts and tax rates, as options by id. */
function useChoices() {
  const accounts = useQuery(readAll('/v1/revenue-accounts')).data?.revenueAccounts ?? []
  const taxRates = useQuery(readAll('/v1/tax-rates')).data?.taxRates ?? []
  const none = { value: '', text: words.none }
  return {
    accounts: [none, ...accounts.map(({ id, code, name }) => ({ value: id, text: `${code} ${name}` }))],
    taxRates: [none, ...taxRates.map(({ id, name }) => ({ value: id, text: name }))],
  }
}

export function Activities() {
  const mayAct = mayChangeMoney(useMe())
  const choices = useChoices()
  const [isInactive, setInactive] = useState(false)
  const [open, setOpen] = useState<string>()
  const { data, isError } = useQuery(readAll(path, { query: { Status: isInactive ? 2 : 1 } }))
  const textIn = (options: readonly { value: string; text: string }[], id: string | null) =>
    options.find(({ value }) => value === id)?.text ?? words.nothing
  return (
    <>
      <SetUpTable
        heading={words.activities}
        newText={words.newActivity}
        heads={[words.code, words.name, words.revenueAccount, words.taxRate].map(text => ({ text }))}
        rows={(data?.activityTypes ?? []).map(({ id, code, name, revenueAccountId, taxRateId }) => ({
          id,
          name,
          cells: [
            <b key="code">{code}</b>,
            name,
            textIn(choices.accounts, revenueAccountId),
            textIn(choices.taxRates, taxRateId),
          ],
        }))}
        state={regionStateOf(isError, data?.activityTypes)}
        emptyText={words.noActivities}
        inactive={{ isShown: isInactive, onChange: setInactive }}
        onNew={() => setOpen('')}
        onEdit={setOpen}
        mayAct={mayAct}
      />
      {open === '' && <ActivityDialog choices={choices} onClose={() => setOpen(undefined)} />}
      {open !== undefined && open !== '' && (
        <OpenedActivity id={open} choices={choices} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}

interface ActivityDialogProps {
  activity?: Activity
  choices: ReturnType<typeof useChoices>
  onClose: () => void
}

/** The dialog of an activity, once it is read. */
function OpenedActivity({ id, ...props }: Omit<ActivityDialogProps, 'activity'> & { id: string }) {
  const { data } = useQuery(read('/v1/activity-types/{id}', { path: { id } }))
  return data === undefined ? null : <ActivityDialog activity={data} {...props} />
}

function ActivityDialog({ activity, choices, onClose }: ActivityDialogProps) {
  const [opened] = useState(activity)
  const [typed, setTyped] = useState({
    ...{ code: activity?.code ?? '', name: activity?.name ?? '', status: activity?.status ?? 1 },
    ...{ account: activity?.revenueAccountId ?? '', taxRate: activity?.taxRateId ?? '' },
  })
  const body = {
    ...{ code: typed.code.trim(), name: typed.name.trim(), status: typed.status },
    ...{ revenueAccountId: typed.account || null, taxRateId: typed.taxRate || null },
  }
  const field = (name: 'code' | 'name' | 'account' | 'taxRate') => ({
    value: typed[name],
    onChange: (value: string) => setTyped({ ...typed, [name]: value }),
  })
  return (
    <SetUpDialog
      act={opened === undefined ? words.newActivity : words.saveActivity}
      isComplete={body.code !== '' && body.name !== ''}
      changes={path}
      onClose={onClose}
      save={() =>
        opened === undefined
          ? send('post', path, { body })
          : send('put', '/v1/activity-types/{id}', {
              path: { id: opened.id },
              body,
              ifMatch: entityTagOf(opened),
            })
      }
    >
      {faults => (
        <>
          <TextField label={words.code} fault={faults.at('code')} isRequired autoFocus {...field('code')} />
          <TextField label={words.name} fault={faults.at('name')} isRequired {...field('name')} />
          <SelectField
            label={words.revenueAccount}
            options={choices.accounts}
            fault={faults.at('revenueAccountId')}
            {...field('account')}
          />
          <SelectField
            label={words.taxRate}
            options={choices.taxRates}
            fault={faults.at('taxRateId')}
            {...field('taxRate')}
          />
          {opened !== undefined && (
            <StatusField value={typed.status} onChange={status => setTyped({ ...typed, status })} />
          )}
        </>
      )}
    </SetUpDialog>
  )
}
