// The webhook subscriptions that the person may see.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { DataTable } from '../../../../ui/DataTable.tsx'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import { readAll } from '../../every-page.ts'
import { webhookColumns } from '../../lists/webhooks.tsx'
import { useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { developerWords as words } from '../../words/developers.ts'
import styles from './developers.module.css'
import { NewSubscription } from './subscription-fields.tsx'

export function Webhooks() {
  const mayAct = useMe().role !== 'reader'
  const [isSubscribing, setSubscribing] = useState(false)
  const { data, isError } = useQuery(readAll('/v1/webhook-subscriptions'))
  const rows = data?.webhookSubscriptions ?? []
  const state = regionStateOf(isError, data && rows)
  return (
    <Region
      heading={words.webhooks}
      state={state}
      acts={mayAct && <Button onPress={() => setSubscribing(true)}>{words.newSubscription}</Button>}
    >
      {rows.length === 0 ? (
        <Nothing text={words.noWebhooks} />
      ) : (
        <div className={styles.grid}>
          <DataTable
            label={words.webhooks}
            columns={webhookColumns}
            rows={rows}
            idOf={({ id }) => id}
            nameOf={({ webhookUrl }) => webhookUrl}
            state={state}
          />
        </div>
      )}
      {isSubscribing && <NewSubscription onClose={() => setSubscribing(false)} />}
    </Region>
  )
}
