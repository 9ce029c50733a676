// The dialog Close consignments: freezes the charges of Complete consignments and raises them, many at once.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { paths } from '../../../../client/src/generated/api.ts'
import { CloseResult, ConsignmentStatus } from '../../../../client/src/waybill.ts'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import type { RefusedOfMany } from '../../../../ui/Refused.tsx'
import type { ResultOf } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { Choices } from '../../frame/Choices.tsx'
import { useMe } from '../../me.ts'
import { useClientOptions } from '../../suggestions.ts'
import { billingWords as words } from '../../words/billing.ts'
import styles from '../schedules/money.module.css'
import { moneyPaths } from '../schedules/schedule-paths.ts'

type Closed = ResultOf<paths['/v1/consignments/close']['post']>

/** What is not closed, by the number of its consignment. */
function refusedOf({ results }: Closed, numberOf: (id: string) => string): RefusedOfMany {
  const refused = results.filter(({ result }) => result === CloseResult.Refused)
  return {
    taken: results.filter(({ result }) => result === CloseResult.Closed).length,
    rows: refused.map(({ consignmentId, messages }) => ({
      id: consignmentId,
      name: numberOf(consignmentId),
      why: messages.join(' '),
    })),
  }
}

/** As many as the service closes at once. */
const atMost = 1_000

/** The Complete consignments, of one client or of all, those entered first first. */
function useComplete(client: string) {
  const { data } = useQuery(
    readAll(
      '/v1/consignments',
      {
        query: {
          ...{ Status: [ConsignmentStatus.Complete], Sort: '-entered' },
          ...(client === '' ? {} : { ClientId: [client] }),
        },
      },
      { atMost },
    ),
  )
  return { complete: data?.consignments, total: data?.total ?? 0 }
}

interface CloseProps {
  partnerId: string | undefined
  onClose: () => void
}

export function CloseDialog({ partnerId, onClose }: CloseProps) {
  const clients = useClientOptions(useMe())
  const [client, setClient] = useState(partnerId ?? '')
  const [date, setDate] = useState('')
  // those that stay open
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const { complete, total } = useComplete(client)
  const chosen = complete?.filter(({ id }) => !left.has(id)) ?? []
  const numberOf = (id: string) => complete?.find(one => one.id === id)?.consignmentNumber ?? id
  return (
    <ActDialog
      act={words.closeConsignments}
      method="post"
      path="/v1/consignments/close"
      request={{
        body: { consignmentIds: chosen.map(({ id }) => id), closedTransactionDate: date || null },
      }}
      isComplete={chosen.length > 0}
      done={words.closedNow(chosen.length)}
      refusedOf={result => refusedOf(result as Closed, numberOf)}
      changes={['/v1/consignments', '/v1/billed-partners', '/v1/reports/unbilled-work', ...moneyPaths]}
      onClose={onClose}
    >
      {faults => (
        <>
          <p>{words.closeHelp}</p>
          <SelectField
            label={words.client}
            value={client}
            onChange={setClient}
            options={[{ value: '', text: words.allClients }, ...clients]}
          />
          <TextField
            label={words.closeDate}
            help={words.closeDateHelp}
            type="date"
            value={date}
            onChange={setDate}
            fault={faults.at('closedTransactionDate')}
          />
          <Complete {...{ complete, total, left, onLeave: setLeft }} />
        </>
      )}
    </ActDialog>
  )
}

interface CompleteProps {
  complete: ReturnType<typeof useComplete>['complete']
  total: number
  left: ReadonlySet<string>
  onLeave: (left: ReadonlySet<string>) => void
}

/** All of them are closed but those that somebody leaves out. */
function Complete({ complete, total, left, onLeave }: CompleteProps) {
  const [text, setText] = useState('')
  const sought = text.trim().toLowerCase()
  const rows = complete?.filter(({ consignmentNumber, clientName }) =>
    `${consignmentNumber} ${clientName}`.toLowerCase().includes(sought),
  )
  const ids = complete?.map(({ id }) => id) ?? []
  return (
    <>
      {total > ids.length && complete !== undefined && <p>{words.closedInParts(ids.length, total)}</p>}
      <Choices
        legend={words.complete}
        found={{ rows, total: rows?.length ?? 0, readOn: undefined, isError: false, text, setText }}
        chosen={new Set(ids.filter(id => !left.has(id)))}
        onChange={chosen => onLeave(new Set(ids.filter(id => !chosen.has(id))))}
        none={words.noneToClose}
        cells={({ consignmentNumber, clientName }) => (
          <span>
            {consignmentNumber} <span className={styles.quiet}>{clientName}</span>
          </span>
        )}
      />
    </>
  )
}
