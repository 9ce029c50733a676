// Region Work: what is charged besides the movement of goods: tasks, consumables and services.

import { quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'

export function Work({ consignment: { tasks, consumables, serviceTypes } }: { consignment: Consignment }) {
  const rows = [
    ...tasks.map(({ id, taskTypeName, value }) => ({ id, kind: words.task, name: taskTypeName, value })),
    ...consumables.map(({ id, consumableTypeName, value }) => ({
      ...{ id, value },
      kind: words.consumable,
      name: consumableTypeName,
    })),
    ...serviceTypes.map(({ id, name }) => ({ id, kind: words.service, name, value: undefined })),
  ]
  return (
    <Region heading={words.work}>
      {rows.length === 0 ? (
        <Nothing text={words.noWork} />
      ) : (
        <Rows>
          {rows.map(({ id, kind, name, value }) => (
            <li key={id} data-id={id}>
              <span className={styles.quiet}>{kind}</span>
              <span>{name}</span>
              <span>{value === undefined ? '' : quantity(value)}</span>
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}
