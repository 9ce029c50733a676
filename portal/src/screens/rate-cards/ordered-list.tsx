// A list whose order means something. One item is chosen; it is moved by dragging it, by Alt and an arrow
// key, or by its buttons.

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { DownArrowIcon, UpIcon } from '../../../../ui/icons.tsx'
import { editorWords as words } from '../../words/rate-editor.ts'
import styles from './editor.module.css'

/** An item of the list. */
export interface OrderedItem {
  id: string
  content: ReactNode
  /** what is wrong with it */
  fault?: string | undefined
}

interface OrderedListProps {
  label: string
  items: readonly OrderedItem[]
  /** which one is chosen; -1 if none is */
  chosen: number
  onChoose: (index: number) => void
  /** absent: the order cannot be changed */
  onMove: ((from: number, to: number) => void) | undefined
  /** the other acts on the chosen item */
  acts?: ReactNode
}

export function OrderedList({ label, items, chosen, onChoose, onMove, acts }: OrderedListProps) {
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()
  const refocus = useRefocus(list, items)
  const move = (from: number, to: number) => {
    if (onMove === undefined || to < 0 || to >= items.length || to === from) return
    refocus(items[from]?.id)
    onMove(from, to)
  }
  const drop = () => {
    if (dragged !== undefined && over !== undefined) move(dragged, over)
    setDragged(undefined)
    setOver(undefined)
  }
  return (
    <ol ref={list} aria-label={label} className={styles.ordered}>
      {items.map((item, i) => (
        <li
          key={item.id}
          data-id={item.id}
          draggable={onMove !== undefined}
          className={classOf(i === chosen, i === over && dragged !== undefined)}
          onDragStart={() => setDragged(i)}
          onDragOver={event => {
            if (dragged === undefined) return
            event.preventDefault()
            setOver(i)
          }}
          onDragEnd={drop}
        >
          <button
            type="button"
            className={styles.item}
            aria-current={i === chosen}
            onClick={() => onChoose(i)}
            onKeyDown={event => onArrow(event, i, move)}
          >
            {item.content}
            {item.fault !== undefined && <span className={styles.fault}>{item.fault}</span>}
          </button>
          {i === chosen && onMove !== undefined && (
            <ItemButtons at={i} last={items.length - 1} onMove={move}>
              {acts}
            </ItemButtons>
          )}
        </li>
      ))}
    </ol>
  )
}

const classOf = (isChosen: boolean, isOver: boolean) =>
  `${isChosen ? styles.chosen : ''} ${isOver ? styles.over : ''}`

interface ItemButtonsProps {
  at: number
  last: number
  onMove: (from: number, to: number) => void
  children: ReactNode
}

const ItemButtons = ({ at, last, onMove, children }: ItemButtonsProps) => (
  <span className={styles.itemActs}>
    <Button kind="quiet" label={words.moveUp} isDisabled={at === 0} onPress={() => onMove(at, at - 1)}>
      <UpIcon />
    </Button>
    <Button kind="quiet" label={words.moveDown} isDisabled={at === last} onPress={() => onMove(at, at + 1)}>
      <DownArrowIcon />
    </Button>
    {children}
  </span>
)

/** Alt and an arrow key move an item. */
function onArrow(event: KeyboardEvent, at: number, move: (from: number, to: number) => void): void {
  if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
  event.preventDefault()
  move(at, event.key === 'ArrowUp' ? at - 1 : at + 1)
}

/** Gives the focus back to an item that was moved, for the browser takes it away. */
function useRefocus(list: React.RefObject<HTMLOListElement | null>, items: readonly OrderedItem[]) {
  const moved = useRef<string>(undefined)
  useEffect(() => {
    if (moved.current === undefined || items.length === 0) return
    const row = list.current?.querySelector<HTMLElement>(`[data-id="${moved.current}"] button`)
    row?.focus()
    moved.current = undefined
  }, [list, items])
  return (id: string | undefined) => {
    moved.current = id
  }
}
