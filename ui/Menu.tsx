// A menu button: acts of lesser weight, or one choice of several. An act that the state forbids stays
// visible, disabled, with its reason beneath.

import type { ReactNode } from 'react'
import { Menu as AriaMenu, Header, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Text } from 'react-aria-components/Text'
import { quietDots, withoutDots } from './dots.tsx'
import { TickIcon } from './icons.tsx'
import styles from './menu.module.css'
import { words } from './words.ts'

/** An entry of a menu. */
export interface MenuAct {
  /** unique within the menu */
  id: string
  /** the words of the act, which are also its accessible name, without the dots of one that opens a dialog */
  text: string
  onAct: () => void
  /** why it cannot be done now */
  disabledReason?: string | undefined
  /** an act that destroys something */
  isAlert?: boolean
  /** for choices: whether this is the present one */
  isChosen?: boolean
  /** for switches, of which several may be on: whether it is */
  isTicked?: boolean
}

/** A group of entries under a heading; without a heading they simply follow. */
export interface MenuGroup {
  heading?: string
  acts: readonly MenuAct[]
}

/** A menu that opens from a button, its only child. */
export function Menu({
  children,
  label,
  groups,
  onOpen,
}: {
  children: ReactNode
  /** the accessible name of the opened menu */
  label: string
  groups: readonly MenuGroup[]
  /** called when it opens, such as to read what it offers */
  onOpen?: (() => void) | undefined
}) {
  const acts = groups.flatMap(group => group.acts)
  const disabled = acts.filter(act => act.disabledReason !== undefined).map(act => act.id)
  return (
    <MenuTrigger onOpenChange={isOpen => isOpen && onOpen?.()}>
      {children}
      <Popover className={styles.popover ?? ''} placement="bottom end" offset={4}>
        <AriaMenu
          aria-label={label}
          className={styles.menu ?? ''}
          disabledKeys={disabled}
          onAction={key => acts.find(act => act.id === key)?.onAct()}
        >
          {groups.map((group, i) => (
            <MenuSection key={group.heading ?? i} className={styles.section ?? ''} {...choiceOf(group)}>
              {group.heading !== undefined && (
                <Header className={styles.heading ?? ''}>{group.heading}</Header>
              )}
              {group.acts.map(act => (
                <Entry key={act.id} act={act} />
              ))}
            </MenuSection>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}

/** What makes a group a choice of one, if its entries say which is chosen. */
const choiceOf = ({ acts }: MenuGroup) =>
  acts.some(act => act.isChosen !== undefined)
    ? { selectionMode: 'single' as const, selectedKeys: acts.filter(act => act.isChosen).map(act => act.id) }
    : {}

function Entry({ act }: { act: MenuAct }) {
  return (
    <MenuItem
      id={act.id}
      textValue={withoutDots(act.text)}
      className={`${styles.item} ${act.isAlert ? styles.alert : ''}`}
    >
      <Text slot="label" className={act.isTicked === undefined ? '' : (styles.switch ?? '')}>
        {act.isTicked && <TickIcon />}
        {quietDots(act.text)}
        {act.isTicked && <span className="hidden-text">{words.isShown}</span>}
      </Text>
      {act.disabledReason !== undefined && (
        <Text slot="description" className={styles.reason ?? ''}>
          {act.disabledReason}
        </Text>
      )}
    </MenuItem>
  )
}
