// The dots of an act that opens a dialog: they are seen, and are no part of its name.

import type { ReactNode } from 'react'

const dots = '…'

/** The text without its dots at the end. */
export const withoutDots = (text: string): string => (text.endsWith(dots) ? text.slice(0, -1) : text)

/** The content of a button, whose dots are not read out. */
export function quietDots(content: ReactNode): ReactNode {
  const parts = Array.isArray(content) ? content : [content]
  const last: unknown = parts.at(-1)
  if (typeof last !== 'string' || !last.endsWith(dots)) return content
  return (
    <span>
      {parts.slice(0, -1)}
      {withoutDots(last)}
      <span aria-hidden>{dots}</span>
    </span>
  )
}
