// A collection of set-up: its records in a table, those that are inactive on demand, and the acts on them.

import type { ReactNode } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Nothing, Region, type RegionState, SmallTable } from '../../../../ui/Region.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { setUpWords as words } from '../../words/set-up.ts'
import styles from '../schedules/money.module.css'

interface SetUpRow {
  id: string
  name: string
  cells: readonly ReactNode[]
}

export interface SetUpTableProps {
  heading: string
  newText: string
  heads: readonly { text: string; isAtEnd?: boolean }[]
  rows: readonly SetUpRow[]
  state: RegionState
  emptyText: string
  mayAct: boolean
  onNew: () => void
  onEdit: (id: string) => void
  /** beside the new act, such as a search */
  acts?: ReactNode
  /** whether inactive records are shown; absent: there are none apart */
  inactive?: { isShown: boolean; onChange: (isShown: boolean) => void }
  children?: ReactNode
}

export function SetUpTable(props: SetUpTableProps) {
  const { heading, heads, rows, state, mayAct, inactive, onEdit } = props
  return (
    <>
      {inactive !== undefined && (
        <div className={styles.aboveRegion}>
          <SwitchField label={words.showInactive} isOn={inactive.isShown} onChange={inactive.onChange} />
        </div>
      )}
      <Region
        heading={heading}
        state={state}
        acts={
          <>
            {props.acts}
            {mayAct && <Button onPress={props.onNew}>{props.newText}</Button>}
          </>
        }
      >
        {state === 'empty' ? (
          <Nothing text={props.emptyText} />
        ) : (
          <SmallTable
            label={heading}
            heads={mayAct ? [...heads, { text: words.acts, isAtEnd: true }] : heads}
            rows={rows.map(({ id, name, cells }) => ({
              id,
              cells: mayAct
                ? [
                    ...cells,
                    <Button key="edit" kind="quiet" label={words.editOf(name)} onPress={() => onEdit(id)}>
                      {uiWords.edit}
                    </Button>,
                  ]
                : cells,
            }))}
          />
        )}
      </Region>
    </>
  )
}
