// Region Work: what is charged besides the movement of goods: tasks, consumables and services. Whoever may
// change the consignment adds to it and takes from it at once.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { send } from '../../api.ts'
import { useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { consignmentWords as words } from '../../words/consignments.ts'
import { AddWork, type WorkKind, workPaths } from './add-work.tsx'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'
import { mayEdit } from './edit-part.tsx'

interface WorkRow {
  kind: WorkKind
  typeId: string
  name: string
  value: number | undefined
}

const rowsOf = ({ tasks, consumables, serviceTypes }: Consignment): readonly WorkRow[] => [
  ...tasks.map(({ taskTypeId, taskTypeName, value }) => ({
    ...{ kind: 'task' as const, typeId: taskTypeId, name: taskTypeName, value },
  })),
  ...consumables.map(({ consumableTypeId, consumableTypeName, value }) => ({
    ...{ kind: 'consumable' as const, typeId: consumableTypeId, name: consumableTypeName, value },
  })),
  ...serviceTypes.map(({ id, name }) => ({
    ...{ kind: 'service' as const, typeId: id, name, value: undefined },
  })),
]

export function Work({ consignment }: { consignment: Consignment }) {
  const me = useMe()
  const [isAdding, setAdding] = useState(false)
  const mayAct = mayEdit(me, consignment)
  const rows = rowsOf(consignment)
  return (
    <Region
      heading={words.work}
      acts={
        mayAct &&
        !isAdding && (
          <Button kind="quiet" onPress={() => setAdding(true)}>
            {words.addWork}
          </Button>
        )
      }
    >
      {isAdding && <AddWork consignmentId={consignment.id} onClose={() => setAdding(false)} />}
      {rows.length === 0 && !isAdding ? (
        <Nothing text={words.noWork} />
      ) : (
        <Rows>
          {rows.map(row => (
            <li key={row.typeId} data-id={row.typeId}>
              <span className={styles.quiet}>{words[row.kind]}</span>
              <span>{row.name}</span>
              <span>{row.value === undefined ? '' : quantity(row.value)}</span>
              {mayAct && (
                <Button
                  kind="quiet"
                  label={words.removeOf(row.name)}
                  onPress={() => void remove(consignment.id, row)}
                >
                  {words.remove}
                </Button>
              )}
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}

async function remove(consignmentId: string, { kind, typeId, name }: WorkRow): Promise<void> {
  try {
    await send('delete', workPaths[kind].path, {
      path: { consignmentId, [workPaths[kind].id]: typeId },
    } as never)
    notify({ text: words.removed(name) })
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
  await readAgain('/v1/consignments')
}
