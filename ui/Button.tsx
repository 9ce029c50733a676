// Buttons. One main button a page; the others are plain. A button that the state forbids is disabled and says
// why.

import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import styles from './button.module.css'
import { quietDots } from './dots.tsx'

export interface ButtonProps {
  /** dots at its end say that it opens a dialog, and are no part of the name */
  children: ReactNode
  onPress?: (() => void) | undefined
  /** main: the one act of the page; plain: bordered; quiet: without a border; alert: it destroys something */
  kind?: 'main' | 'plain' | 'quiet' | 'alert'
  /** the accessible name, if it is not the visible text */
  label?: string | undefined
  /** the key that does the same, shown beside the text */
  hint?: string | undefined
  /** why it cannot be used now; the button is then disabled */
  disabledReason?: string | undefined
  isDisabled?: boolean | undefined
  /** shows that the act runs; the button cannot be pressed again */
  isPending?: boolean | undefined
  type?: 'button' | 'submit'
  isPressed?: boolean | undefined
  /** whether what the button opens is open */
  isExpanded?: boolean | undefined
  autoFocus?: boolean | undefined
}

/** A button. */
export function Button({ disabledReason, ...props }: ButtonProps) {
  if (disabledReason === undefined) return <PlainButton {...props} />
  // A disabled button gets no focus, so nobody would learn the reason.
  return (
    <TooltipTrigger delay={0} closeDelay={0}>
      <PlainButton {...props} onPress={undefined} isUnavailable />
      <Tooltip className={styles.tooltip ?? ''} offset={6}>
        {disabledReason}
      </Tooltip>
    </TooltipTrigger>
  )
}

function PlainButton({
  children,
  onPress,
  kind = 'plain',
  label,
  hint,
  isDisabled,
  isPending,
  type = 'button',
  isPressed,
  isExpanded,
  isUnavailable = false,
  autoFocus = false,
}: ButtonProps & { isUnavailable?: boolean }) {
  const off = isUnavailable ? { 'aria-disabled': true as const } : {}
  return (
    <AriaButton
      type={type}
      className={`${styles.button} ${styles[kind]}`}
      onPress={() => onPress?.()}
      isDisabled={isDisabled ?? false}
      isPending={isPending ?? false}
      autoFocus={autoFocus}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
      {...(isExpanded === undefined ? {} : { 'aria-expanded': isExpanded })}
      {...off}
    >
      {quietDots(children)}
      {hint !== undefined && (
        <kbd aria-hidden className={styles.hint}>
          {hint}
        </kbd>
      )}
    </AriaButton>
  )
}
