// How many imports may have their files fetched at once: of one organisation, and in all. Pure.
//
// An organisation gets no more lanes while it holds as many as are free. Alone it has half of them, two have
// most of them between them, and however many servers of one hang, the imports of another find a lane.

/** The lanes of one process. */
export interface Lanes {
  /** the organisations that get no lane now */
  organisationsAtLimit(): string[]
  /** whether anybody can have one */
  hasFree(): boolean
  /** A lane, as the function that gives it back; undefined where this organisation gets none. */
  take(organisationId: string): (() => void) | undefined
}

/** Lanes that are all free. */
export function openLanes(count: number): Lanes {
  /** how many each organisation holds; none stands at 0 */
  const held = new Map<string, number>()
  let free = count
  const isCrowded = (organisationId: string) => (held.get(organisationId) ?? 0) >= free
  return {
    organisationsAtLimit: () => [...held.keys()].filter(isCrowded),
    hasFree: () => free > 0,
    take(organisationId) {
      if (isCrowded(organisationId)) return undefined
      held.set(organisationId, (held.get(organisationId) ?? 0) + 1)
      free--
      return () => {
        const left = (held.get(organisationId) as number) - 1
        if (left === 0) held.delete(organisationId)
        else held.set(organisationId, left)
        free++
      }
    },
  }
}
