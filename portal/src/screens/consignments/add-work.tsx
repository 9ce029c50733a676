// The form that adds a task, a consumable or a service to a consignment.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { faultsOf } from '../../faults.ts'
import { FormActs } from '../../frame/RecordForm.tsx'
import { readAgain } from '../../queries.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'

export type WorkKind = 'task' | 'consumable' | 'service'

/** Where each kind is kept, and the name of its type in the path. */
export const workPaths = {
  task: { path: '/v1/consignments/{consignmentId}/tasks/{taskTypeId}', id: 'taskTypeId' },
  consumable: {
    path: '/v1/consignments/{consignmentId}/consumables/{consumableTypeId}',
    id: 'consumableTypeId',
  },
  service: {
    path: '/v1/consignments/{consignmentId}/service-types/{serviceTypeId}',
    id: 'serviceTypeId',
  },
} as const

/** The types of all kinds, as options. */
function useTypes() {
  const tasks = useQuery(readAll('/v1/task-types')).data?.taskTypes ?? []
  const consumables = useQuery(readAll('/v1/consumable-types')).data?.consumableTypes ?? []
  const services = useQuery(readAll('/v1/service-types')).data?.serviceTypes ?? []
  const optionsOf = (kind: WorkKind, types: readonly { id: string; name: string }[]) =>
    types.map(({ id, name }) => ({ value: `${kind} ${id}`, text: words.typeOfWork(words[kind], name) }))
  return [
    ...optionsOf('task', tasks),
    ...optionsOf('consumable', consumables),
    ...optionsOf('service', services),
  ]
}

export function AddWork({ consignmentId, onClose }: { consignmentId: string; onClose: () => void }) {
  const types = useTypes()
  const [chosen, setChosen] = useState('')
  const [value, setValue] = useState('')
  const [faults, setFaults] = useState(faultsOf(undefined))
  const [kind, typeId] = (chosen || types[0]?.value || '').split(' ') as [WorkKind, string | undefined]
  async function add(): Promise<void> {
    if (typeId === undefined) return
    const { path, id } = workPaths[kind]
    try {
      await send('post', path, {
        path: { consignmentId, [id]: typeId },
        ...(kind === 'service' ? {} : { body: { value: value === '' ? null : Number(value) } }),
      } as never)
    } catch (error) {
      return setFaults(faultsOf(error))
    }
    notify({ text: words.saved })
    onClose()
    await readAgain('/v1/consignments')
  }
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        void add()
      }}
    >
      <div className={styles.fields}>
        <SelectField
          label={words.whatWork}
          value={chosen || types[0]?.value || ''}
          onChange={setChosen}
          options={types}
          fault={faults.other}
        />
        {kind !== 'service' && (
          <TextField
            label={words.value}
            type="number"
            value={value}
            onChange={setValue}
            fault={faults.at('value')}
            isRequired
            autoFocus
          />
        )}
      </div>
      <FormActs act={words.addWork} onClose={onClose} />
    </form>
  )
}
