// A dialog over the page. There is never one over another.

import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
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

/** A dialog. It is open while it is rendered; Escape and a press outside close it. */
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
          <div className={styles.content}>{children}</div>
          <div className={styles.acts}>{acts}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
