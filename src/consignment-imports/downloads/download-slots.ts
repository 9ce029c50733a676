// Limits how many imports have their files fetched at the same time, for each organisation and in all. Pure.
//
// An organisation gets no further slot while it holds as many as are free. So one organisation alone can hold
// half of the slots, and however many of its servers hang, the imports of another organisation find a slot.

/** The slots of one process. */
export interface DownloadSlots {
  /** the organisations that cannot get a slot at present */
  organisationsAtLimit(): string[]
  /** whether any slot is free */
  hasFree(): boolean
  /**
   * Takes a slot and returns the function that releases it; undefined if this organisation cannot get one.
   */
  acquire(organisationId: string): (() => void) | undefined
}

export function createDownloadSlots(count: number): DownloadSlots {
  /** how many slots each organisation holds; organisations without slots are not in it */
  const slotsByOrganisation = new Map<string, number>()
  let free = count
  const isAtLimit = (organisationId: string) => (slotsByOrganisation.get(organisationId) ?? 0) >= free
  return {
    organisationsAtLimit: () => [...slotsByOrganisation.keys()].filter(isAtLimit),
    hasFree: () => free > 0,
    acquire(organisationId) {
      if (isAtLimit(organisationId)) return undefined
      slotsByOrganisation.set(organisationId, (slotsByOrganisation.get(organisationId) ?? 0) + 1)
      free--
      return () => {
        const remaining = (slotsByOrganisation.get(organisationId) as number) - 1
        if (remaining === 0) slotsByOrganisation.delete(organisationId)
        else slotsByOrganisation.set(organisationId, remaining)
        free++
      }
    },
  }
}
