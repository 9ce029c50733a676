// How goods look that come, or that are asked for.

import type { Choices } from '../choices.ts'
import { dateFields, type Look, plain } from '../notebook/goods.ts'
import type { Notebook } from '../notebook/notebook.ts'

const batches = [null, 'B1', 'B2', 'B3'] as const
const expiryDates = [null, '2031-05-01', '2032-06-30', '2020-02-29'] as const
const colours = [null, 'red', 'blue'] as const

/** A look, the simplest being none. */
export function chooseLook(choices: Choices): Look {
  const colour = choices.of(colours)
  const hasDates = choices.onceIn(3)
  return {
    ...plain,
    batch: choices.of(batches),
    expiryDate: hasDates ? choices.of(expiryDates) : null,
    bestBeforeDate: hasDates && choices.onceIn(2) ? '2031-04-01' : null,
    attributes: colour === null ? {} : { Colour: colour },
  }
}

/** The fields of a request that describe goods. */
export const lookFields = ({ attributes, ...look }: Look) => ({
  ...look,
  attributes: Object.entries(attributes).map(([name, description]) => ({ name, description })),
})

/** A pallet to come on: one that is known, or a new one. */
export function chooseUnit(notebook: Notebook, choices: Choices): { name: string; isSscc: boolean } {
  const known = [...notebook.floor.units.values()]
  const unit = choices.onceIn(2) ? choices.among(known, ({ name }) => name) : undefined
  if (unit) return unit
  return choices.onceIn(2)
    ? { name: newSscc(notebook), isSscc: true }
    : { name: notebook.newName('PALLET'), isSscc: false }
}

/** An SSCC with its check digit, which nothing else in the world has. */
function newSscc(notebook: Notebook): string {
  const digits = `0094${notebook.newNumber().padStart(13, '0')}`
  const sum = [...digits].reduce((all, digit, i) => all + Number(digit) * (i % 2 === 0 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

export const unitFields = ({ name, isSscc }: { name: string; isSscc: boolean }) =>
  isSscc ? { ssccNumber: name } : { referenceNumber: name }

/** The dates of a look as the detail of a consignment shows them. */
export const localDates = (look: Look) =>
  Object.fromEntries(
    dateFields.map(field => [field, look[field] === null ? null : `${look[field]}T00:00:00Z`]),
  )

export const wordsForLook = (look: Look): string => {
  const facts = [
    look.batch,
    ...dateFields.flatMap(field => (look[field] ? `${field} ${look[field]}` : [])),
    ...Object.values(look.attributes),
  ].filter(fact => fact !== null)
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`
}
