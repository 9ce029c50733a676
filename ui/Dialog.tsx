// A dialog over the page. There is never one over another.

import { type ReactNode, useEffect, useRef } from 'react'
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import button from './button.module.css'
import styles from './dialog.module.css'

export interface DialogProps {
  /** the heading, which is also its accessible name */
  title: string
  onClose: () => void
  state?: 'loading' | 'ready' | 'refused' | 'error' | undefined
  /** the buttons at the end */
  acts: ReactNode
  children: ReactNode
  isWide?: boolean
}

/**
 * A dialog. It is open while it is rendered; Escape and a press outside close it. The first field that is
 * typed in or chosen in has the focus.
 */
export function Dialog({ title, onClose, state, acts, children, isWide = false }: DialogProps) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={isOpen => !isOpen && onClose()}
      className={styles.overlay ?? ''}
    >
      <Modal className={`${styles.modal} ${isWide ? styles.wide : ''}`}>
        <AriaDialog className={styles.dialog ?? ''} {...(state === undefined ? {} : { 'data-state': state })}>
          <Heading slot="title" level={2} className={styles.title ?? ''}>
            {title}
          </Heading>
          <Content acts={acts}>{children}</Content>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

const notBegunIn = '[type=checkbox], [type=radio], [type=file], [type=range], [readonly]'
const firstField = `:is(select, textarea, input):not(${notBegunIn})`

/** Enter in a field presses the main button. One that destroys something has to be pressed by itself. */
function Content({ acts, children }: Pick<DialogProps, 'acts' | 'children'>) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const hasFocus = form.current?.contains(document.activeElement)
    if (!hasFocus) form.current?.querySelector<HTMLElement>(firstField)?.focus()
  }, [])
  return (
    <form
      ref={form}
      noValidate
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        // A form that the dialog belongs to is another.
        event.stopPropagation()
        form.current?.querySelector<HTMLButtonElement>(`.${button.main}:not(:disabled)`)?.click()
      }}
    >
      <button type="submit" hidden />
      <div className={styles.content}>{children}</div>
      <div className={styles.acts}>{acts}</div>
    </form>
  )
}
