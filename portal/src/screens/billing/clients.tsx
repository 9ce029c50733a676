// The grid Clients of Billing: what waits, what is to be closed, and when the next bill is due.

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Relationship } from '../../../../client/src/waybill.ts'
import { DataTable } from '../../../../ui/DataTable.tsx'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import { readAll } from '../../every-page.ts'
import { billedClientColumns } from '../../lists/billed-clients.tsx'
import { regionStateOf } from '../../queries.ts'
import { billingWords as words } from '../../words/billing.ts'
import styles from '../schedules/money.module.css'
import { billingReadMs } from './billing.tsx'
import type { UnbilledRow } from './not-billed.tsx'

interface BilledClientsProps {
  /** shows only this one */
  partnerId: string | undefined
  /** work that nothing charges; undefined while it is not known */
  unbilled: readonly UnbilledRow[] | undefined
}

export function BilledClients({ partnerId, unbilled }: BilledClientsProps) {
  const { data, isError } = useQuery({
    ...readAll('/v1/billed-partners', { query: { Relationship: Relationship.Client } }),
    refetchInterval: billingReadMs,
  })
  const rows = data?.billedPartners.filter(
    ({ partner }) => partnerId === undefined || partner.id === partnerId,
  )
  const columns = useMemo(() => billedClientColumns(countsOf(unbilled)), [unbilled])
  const state = regionStateOf(isError, rows)
  return (
    <Region heading={words.clients} state={state}>
      {state === 'empty' ? (
        <Nothing text={words.noClients} />
      ) : (
        <div className={styles.fewLines}>
          <DataTable
            label={words.clients}
            columns={columns}
            rows={rows ?? []}
            idOf={({ partner }) => partner.id}
            nameOf={({ partner }) => partner.name}
            state={state}
          />
        </div>
      )}
    </Region>
  )
}

/** How many rows of unbilled work each client has, by its id; null while that is not known. */
function countsOf(unbilled: readonly UnbilledRow[] | undefined): ReadonlyMap<string, number> | null {
  if (unbilled === undefined) return null
  return new Map(
    [...Map.groupBy(unbilled, ({ clientId }) => clientId)].map(([id, rows]) => [id, rows.length]),
  )
}
