// Limits how many imports have their files fetched at the same time, for each organisation and in all. Pure.
//
// An organisation gets no further lane while it holds as many as are free. So one organisation alone can hold
// half of the lanes, and however many of its servers hang, the imports of another organisation find a lane.

/** The lanes of one process. */
export interface Lanes {
  /** the organisations that cannot get a lane at present */
  organisationsAtLimit(): string[]
  /** whether any lane is free */
  hasFree(): boolean
  /**
   * Takes a lane and returns the function that releases it; undefined if this organisation cannot get one.
   */
  acquire(organisationId: string): (() => void) | undefined
}

/** Opens `count` lanes, all of them free. */
export function openLanes(count: number): Lanes {
  /** how many lanes each organisation holds; organisations without lanes are not in it */
  const held = new Map<string, number>()
  let free = count
  const isAtLimit = (organisationId: string) => (held.get(organisationId) ?? 0) >= free
  return {
    organisationsAtLimit: () => [...held.keys()].filter(isAtLimit),
    hasFree: () => free > 0,
    acquire(organisationId) {
      if (isAtLimit(organisationId)) return undefined
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
