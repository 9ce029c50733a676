// What is done for consignments besides moving their goods, and what is used up for them.

/** A task that can be done, or a consumable that can be used. */
export interface ExtraType {
  kind: 'task' | 'consumable'
  id: string
  /** consumables have none */
  code: string | null
  name: string
  /** what it was called before */
  formerNames: readonly string[]
  isInUse: boolean
}

/** How much of a task was done, or of a consumable was used. */
export interface Extra {
  type: ExtraType
  value: number
}

/** An extra came, changed or went; null for none. */
export interface ExtraChange {
  type: ExtraType
  /** what the type was called then */
  name: string
  from: number | null
  to: number | null
  /** the number of the act, and what the person who did it was called then */
  act: number
  by: string
}

export const sameType =
  (type: ExtraType) =>
  (extra: Extra): boolean =>
    extra.type === type
