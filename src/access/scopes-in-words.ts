// Describes what an app may do with each scope, for the API document and for the consent page.

import type { Scope } from './scopes.ts'

/** What each scope allows, in words. */
export const scopesInWords: Readonly<Record<Scope, string>> = {
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
