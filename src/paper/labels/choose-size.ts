// The size in which a printer gets labels: that of the medium loaded. Pure.

import { faultAt } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { PrintType } from '../../vocabulary/paper.ts'
import { type Medium, matchesSize, parseMedia } from '../printers/media.ts'
import type { Printer } from '../printers/printer.ts'
import { locationSizes, palletSizes, productSizes, type Size } from './sizes.ts'

const dimensions: Record<string, Size> = { ...productSizes, ...palletSizes, ...locationSizes }

const mediumFor = (loaded: readonly Medium[], size: string): Medium | undefined =>
  loaded.find(medium => matchesSize(medium, dimensions[size] as Size))

/**
 * Returns the size of labels for a printer, and the IPP name of its medium of that size if the printer says
 * what is loaded: the requested size, or else the first medium that is one of the sizes of the label. Refuses
 * (400) a size that is not loaded, and a printer with no medium for the label.
 */
export function chooseSize<S extends string>(
  { name, type, media }: Pick<Printer, 'name' | 'type' | 'media'>,
  sizes: readonly S[],
  requested: S | undefined,
): { size: S; media: string | null } {
  const loaded = type === PrintType.Label ? parseMedia(media) : []
  if (loaded.length === 0) return { size: requested ?? (sizes[0] as S), media: null }
  const names = loaded.map(medium => medium.name).join(', ')
  if (requested !== undefined) {
    const medium = mediumFor(loaded, requested)
    if (medium !== undefined) return { size: requested, media: medium.name }
    throw verificationFailed(
      faultAt('size', `is ${requested}, but the printer ${name} has ${names}`, 'state'),
    )
  }
  for (const medium of loaded) {
    const size = sizes.find(candidate => candidate in dimensions && mediumFor([medium], candidate))
    if (size !== undefined) return { size, media: medium.name }
  }
  const problem = `refers to the printer ${name}, which has ${names}; this label is made as `
  throw verificationFailed(faultAt('printOption.printerId', problem + sizes.join(', '), 'state'))
}
