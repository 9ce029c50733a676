// Refuses labels whose contents do not fit on their size. Nothing is cut or left out instead.

import { verificationFailed } from '../../platform/http/refusal.ts'
import type { Label, Misfit } from './label.ts'

/** The refusal (400) of a label: `HONEY-500 does not fit on 50×25: name, serial.` */
export const misfitRefusal = (name: string, { misfit }: Misfit, size: string): Error =>
  verificationFailed(`${name} does not fit on ${size.replace('x', '×')}: ${misfit.join(', ')}.`)

/** Returns a label. Refuses (400) one that does not fit. */
export function requireLabel(label: Label | Misfit, name: string, size: string): Label {
  if ('misfit' in label) throw misfitRefusal(name, label, size)
  return label
}
