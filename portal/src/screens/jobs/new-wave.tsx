// A new wave, `/jobs/new?ids=`: the consignments that were selected in their list, picked together.

import { useSuspenseQueries } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { JobPriority, WavePickStyle } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { read, send } from '../../api.ts'
import { type Faults, faultsOf } from '../../faults.ts'
import { Page } from '../../frame/Page.tsx'
import { readAgain } from '../../queries.ts'
import { Link, useChangeSearch, useGo, useSearch } from '../../router.tsx'
import { jobWords as words } from '../../words/jobs.ts'
import type { Consignment } from '../consignments/consignment.tsx'
import styles from '../consignments/new.module.css'

/** As many as a wave is made of at once; more can be added to it. */
const maxIds = 50

interface Given {
  style: string
  priority: string
  due: string
  reference: string
}

export function Screen() {
  const ids = [useSearch().ids ?? []].flat().join(',').split(',').filter(Boolean).slice(0, maxIds)
  const changeSearch = useChangeSearch()
  const consignments = useSuspenseQueries({
    queries: ids.map(consignmentId => read('/v1/consignments/{consignmentId}', { path: { consignmentId } })),
  }).map(({ data }) => data)
  const [given, setGiven] = useState<Given>({ style: '1', priority: '2', due: '', reference: '' })
  const [faults, setFaults] = useState(faultsOf(undefined))
  const go = useGo()
  // A wave whose consignments were refused is not made again.
  const made = useRef<string>(undefined)
  const isOfOne = new Set(consignments.map(one => `${one.clientId} ${one.warehouseId}`)).size < 2
  const first = consignments[0]
  async function create(): Promise<void> {
    if (first === undefined) return
    try {
      made.current ??= await createWave(first, given)
      const jobId = made.current
      await send('post', '/v1/jobs/{jobId}/wave-pick/consignments/add', {
        path: { jobId },
        body: { consignmentIds: ids },
      })
      notify({ text: words.created(ids.length) })
      await readAgain('/v1/jobs', '/v1/consignments')
      go(`/jobs/${jobId}`)
    } catch (error) {
      setFaults(faultsOf(error))
    }
  }
  return (
    <Page heading={words.newWave} above={<Link to="/jobs">{words.jobs}</Link>}>
      <form
        className={styles.form}
        onSubmit={event => {
          event.preventDefault()
          void create()
        }}
      >
        <Refusal reasons={isOfOne ? faults.all : [words.severalClients, ...faults.all]} />
        <Fields given={given} faults={faults} onChange={part => setGiven({ ...given, ...part })} />
        <Selected
          consignments={consignments}
          onRemove={id => changeSearch({ ids: ids.filter(other => other !== id).join(',') })}
        />
        <div className={styles.acts}>
          <Button kind="main" type="submit" isDisabled={first === undefined || !isOfOne}>
            {words.createWave}
          </Button>
        </div>
      </form>
    </Page>
  )
}

/** Makes an empty wave. Returns its id. */
async function createWave(
  { clientId, warehouseId }: Consignment,
  { style, priority, due, reference }: Given,
): Promise<string> {
  const { data } = await send('post', '/v1/jobs/wave-pick', {
    body: {
      ...{ clientId, warehouseId: warehouseId ?? '' },
      style: Number(style) as 1,
      priority: Number(priority) as 2,
      dueDateTime: due === '' ? null : `${due}:00`,
      reference: reference.trim() || null,
    },
  })
  return data.jobId
}

const styleOptions = Object.values(WavePickStyle).map(style => ({
  value: String(style),
  text: words.style(style),
}))
const priorityOptions = Object.values(JobPriority).map(priority => ({
  value: String(priority),
  text: words.priority(priority),
}))

function Fields({
  given,
  faults,
  onChange,
}: {
  given: Given
  faults: Faults
  onChange: (part: Partial<Given>) => void
}) {
  return (
    <div className={styles.fields}>
      <SelectField
        label={words.stylePick}
        value={given.style}
        onChange={style => onChange({ style })}
        options={styleOptions}
        fault={faults.at('style')}
      />
      <SelectField
        label={words.priorityHeading}
        value={given.priority}
        onChange={priority => onChange({ priority })}
        options={priorityOptions}
        fault={faults.at('priority')}
      />
      <TextField
        label={words.due}
        type="datetime-local"
        value={given.due}
        onChange={due => onChange({ due })}
        fault={faults.at('dueDateTime')}
      />
      <TextField
        label={words.reference}
        value={given.reference}
        onChange={reference => onChange({ reference })}
        maxLength={100}
        fault={faults.at('reference')}
      />
    </div>
  )
}

function Selected({
  consignments,
  onRemove,
}: {
  consignments: readonly Consignment[]
  onRemove: (id: string) => void
}) {
  return (
    <Region heading={words.consignments} summary={consignments.length || undefined}>
      {consignments.length === 0 ? (
        <Nothing text={words.nothingSelected} />
      ) : (
        <Rows>
          {consignments.map(({ id, consignmentNumber, clientName, referenceNumber }) => (
            <li key={id} data-id={id}>
              <Link to={`/consignments/${id}`}>{consignmentNumber}</Link>
              <span>{clientName}</span>
              <span>{referenceNumber}</span>
              <Button kind="quiet" label={words.removeOf(consignmentNumber)} onPress={() => onRemove(id)}>
                {words.remove}
              </Button>
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}
