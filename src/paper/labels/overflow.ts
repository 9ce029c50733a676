// Refuses labels whose contents do not fit on their size. Nothing is cut or left out instead.

import { verificationFailed } from '../../platform/http/refusal.ts'
import type { Label, Overflow } from './label.ts'

/** The refusal (400) of a label: `HONEY-500 does not fit on 50×25: name, serial.` */
export const overflowRefusal = (name: string, { overflow }: Overflow, size: string): Error =>
  verificationFailed(`${name} does not fit on ${size.replace('x', '×')}: ${overflow.join(', ')}.`)

/** Returns a label. Refuses (400) one that does not fit. */
export function requireLabel(label: Label | Overflow, name: string, size: string): Label {
  if ('overflow' in label) throw overflowRefusal(name, label, size)
  return label
}
