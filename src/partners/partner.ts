// What a partner is: its enumerations, and what its own tokens may not do. Spec 2.11.

import type { Actor } from '../platform/http/actor.ts'
import { forbidden } from '../platform/http/refusal.ts'

export const Relationship = { Client: 1, Carrier: 2 } as const
export const PartnerStatus = { Inactive: 1, Active: 2 } as const
export const FreightResolution = { LeastExpensive: 0, MostExpensive: 1, Compounding: 2 } as const
export const FreightWarningType = { None: 0, Value: 1, Margin: 2 } as const
export const RotationMethod = {
  None: 0,
  Batch: 1,
  ExpiryAscending: 2,
  ExpiryDescending: 3,
  ProductionDateAscending: 4,
  ProductionDateDescending: 5,
  BestBeforeDateAscending: 6,
  BestBeforeDateDescending: 7,
  SellByDateAscending: 8,
  SellByDateDescending: 9,
  PackagingDateAscending: 10,
  PackagingDateDescending: 11,
  ReceivedDateAscending: 12,
  ReceivedDateDescending: 13,
} as const
export const AttributeUsage = { Hidden: 1, Optional: 2, Required: 3 } as const
export const Substitution = { Allowed: 1, NotAllowed: 2 } as const

/** Refuses (403) a token that belongs to a partner: what an organisation sets up is not for its clients and carriers to change. */
export function refusePartner(actor: Actor, what = 'change what the organisation sets up'): void {
  if (actor.partnerId !== null) throw forbidden(`A token that belongs to a partner cannot ${what}.`)
}
