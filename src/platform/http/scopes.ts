// Scopes, and what an endpoint asks of a token. Spec 5.5; open-points 3.

import type { Actor } from './actor.ts'

/** Every scope that an app can be given. */
export const scopes = [
  'consignment',
  'consignment.read',
  'financial',
  'financial.read',
  'inventory',
  'inventory.read',
  'job',
  'job.read',
  'organisation',
  'organisation.read',
  'partner',
  'partner.read',
  'print',
  'report',
  'warehouse',
  'warehouse.read',
] as const

export type Scope = (typeof scopes)[number]

/** Each scope as a person understands it. */
export const inWords: Readonly<Record<Scope, string>> = {
  consignment: 'See, import and change consignments with their notes, tracking, tasks and proofs of delivery',
  'consignment.read': 'See consignments with their notes, tracking, tasks and proofs of delivery',
  financial: 'See and change charges, schedules and freight rates',
  'financial.read': 'See charges, schedules and freight rates',
  inventory: 'See and change stock',
  'inventory.read': 'See stock and its movements',
  job: 'See and change picking and replenishment jobs',
  'job.read': 'See picking and replenishment jobs',
  organisation: 'Manage the organisation: its settings, users, apps and reference data',
  'organisation.read': 'See the organisation’s settings, users and apps',
  partner: 'See and change clients, carriers and their products',
  'partner.read': 'See clients, carriers and their products',
  print: 'Print documents on the warehouse printers',
  report: 'Run reports',
  warehouse: 'See and change warehouses, zones and locations',
  'warehouse.read': 'See warehouses, zones and locations',
}

/**
 * What a token needs: one of these scopes, or (`any`) nothing but to be valid. A plain scope includes its
 * `.read`.
 */
export type Reach = 'any' | Scope | readonly Scope[]

/** Whether somebody who was given these scopes may do what `scope` allows. */
export const holds = (given: ReadonlySet<string>, scope: string): boolean =>
  given.has(scope) || (scope.endsWith('.read') && given.has(scope.slice(0, -'.read'.length)))

/** Whether the actor's token reaches an endpoint. */
export function reaches(actor: Actor, reach: Reach): boolean {
  if (reach === 'any') return true
  const wanted = typeof reach === 'string' ? [reach] : reach
  return wanted.some(scope => holds(actor.scopes, scope))
}
