// What carriers and others say of where goods are, and proofs that they were delivered.

import type { Consignment } from './orders.ts'

/** What was said of a parcel at a time, which may be told later than other things that happened after it. */
export interface TrackingEvent {
  status: number
  details: string | null
  /** in milliseconds; of what was told without a time, when it was told */
  at: number
  isTimed: boolean
}

export interface TrackingRecord {
  id: string
  consignment: Consignment
  carrier: string | null
  number: string | null
  status: number
  events: TrackingEvent[]
}

export interface Proof {
  id: string
  consignment: Consignment
  at: number
  signatory: string
  description: string | null
  place: { latitude: number; longitude: number } | null
  /** null for none */
  file: string | null
}

export class Tracking {
  /** in the order in which they were made */
  readonly records: TrackingRecord[] = []
  readonly proofs: Proof[] = []

  recordsOf(consignment: Consignment): TrackingRecord[] {
    return this.records.filter(record => record.consignment === consignment)
  }

  proofsOf(consignment: Consignment): Proof[] {
    return this.proofs.filter(proof => proof.consignment === consignment)
  }
}

/** What happened last, of what was told. */
const latestOf = ({ events }: TrackingRecord): TrackingEvent | undefined =>
  events.reduce<TrackingEvent | undefined>((last, one) => (last && last.at > one.at ? last : one), undefined)

/**
 * Writes down what was said of a parcel, unless that is known. What happened last is how it is now. */
export function tell(record: TrackingRecord, event: TrackingEvent): void {
  const latest = latestOf(record)
  const isSame = (other: TrackingEvent) => other.status === event.status && other.details === event.details
  const isKnown = event.isTimed
    ? record.events.some(other => isSame(other) && other.at === event.at)
    : latest !== undefined && isSame(latest)
  const isLast = !event.isTimed || latest === undefined || event.at >= latest.at
  if (isLast) record.status = event.status
  if (!isKnown) record.events.push(event)
}
