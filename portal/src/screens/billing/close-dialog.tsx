// The dialog Close consignments: freezes the charges of Complete consignments and raises them, many at once.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { paths } from '../../../../client/src/generated/api.ts'
import { CloseResult, ConsignmentStatus } from '../../../../client/src/waybill.ts'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import type { RefusedOfMany } from '../../../../ui/Refused.tsx'
import { type ResultOf, read } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
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

/** The Complete consignments, of one client or of all. */
function useComplete(client: string) {
  const { data } = useQuery(
    read('/v1/consignments', {
      query: {
        ...{ Status: [ConsignmentStatus.Complete], PageSize: 100 },
        ...(client === '' ? {} : { ClientId: [client] }),
      },
    }),
  )
  return data?.consignments
}

interface CloseProps {
  partnerId: string | undefined
  onClose: () => void
}

export function CloseDialog({ partnerId, onClose }: CloseProps) {
  const clients = useClientOptions(useMe())
  const [client, setClient] = useState(partnerId ?? '')
  const [date, setDate] = useState('')
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const complete = useComplete(client)
  const chosen = complete?.filter(({ id }) => !left.has(id)) ?? []
  const numberOf = (id: string) => complete?.find(one => one.id === id)?.consignmentNumber ?? id
  const toggle = (id: string) => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    setLeft(next)
  }
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
          <Choices {...{ complete, left, onToggle: toggle }} />
        </>
      )}
    </ActDialog>
  )
}

interface ChoicesProps {
  complete: ReturnType<typeof useComplete>
  /** those that stay open */
  left: ReadonlySet<string>
  onToggle: (id: string) => void
}

const Choices = ({ complete, left, onToggle }: ChoicesProps) => (
  <fieldset className={styles.choices}>
    <legend>{words.complete}</legend>
    {complete?.length === 0 && <p>{words.noneToClose}</p>}
    {complete?.map(({ id, consignmentNumber, clientName }) => (
      <label key={id}>
        <input type="checkbox" checked={!left.has(id)} onChange={() => onToggle(id)} />
        <span>
          {consignmentNumber} <span className={styles.quiet}>{clientName}</span>
        </span>
      </label>
    ))}
  </fieldset>
)
