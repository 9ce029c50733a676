// The contents page of the API, in the order of the specification.

import { charges } from './billing/charges/charges.ts'
import { fafProfiles } from './billing/faf-profiles/faf-profiles.ts'
import { schedules } from './billing/schedules/schedules.ts'
import { consignmentImports } from './consignment-imports/consignment-imports.ts'
import { fieldChanges } from './consignments/change-fields.ts'
import { consignments } from './consignments/consignments.ts'
import { consignmentDetail } from './consignments/detail/consignment-detail.ts'
import { edi } from './consignments/edi.ts'
import { history } from './consignments/history.ts'
import { notes } from './consignments/notes.ts'
import { pods } from './consignments/pods.ts'
import { serviceTypes } from './consignments/service-types.ts'
import { status } from './consignments/status/status.ts'
import { tracking } from './consignments/tracking.ts'
import { typedValues } from './consignments/typed-values.ts'
import { identity } from './identity/identity.ts'
import { jobs } from './jobs/jobs.ts'
import { wavePick } from './jobs/wave-pick.ts'
import { wavePickConsignments } from './jobs/wave-pick-consignments.ts'
import { customApps } from './organisations/custom-apps.ts'
import { organisations } from './organisations/organisations.ts'
import { users } from './organisations/users.ts'
import { convertUnits } from './partners/convert-units.ts'
import { logos } from './partners/logos.ts'
import { partners } from './partners/partners.ts'
import { products } from './partners/products.ts'
import type { Endpoint } from './platform/http/endpoint.ts'
import type { SecretBox } from './platform/secret-box.ts'
import { dgHazardClasses } from './reference-data/dg-hazard-classes.ts'
import { setUpCollections } from './reference-data/set-up-collections.ts'
import { shippingPorts } from './reference-data/shipping-ports.ts'
import { locations } from './warehouses/locations.ts'
import { warehouses } from './warehouses/warehouses.ts'
import { zones } from './warehouses/zones.ts'
import { deliveries } from './webhook-subscriptions/deliveries.ts'
import { webhookSubscriptions } from './webhook-subscriptions/webhook-subscriptions.ts'

/** What endpoints need of the process they run in, beside the database. */
export interface EndpointOptions {
  readonly secretBox: SecretBox
  /** the setting WEBHOOK_ALLOW_PRIVATE */
  readonly webhookAllowPrivate: boolean
}

/** Every endpoint of the API. */
export const endpointsOf = (options: EndpointOptions): readonly Endpoint[] => [
  // 4.1 identity
  ...identity,
  // 4.2 consignments and imports
  ...consignmentImports(options),
  ...consignments,
  ...consignmentDetail,
  ...edi,
  ...status,
  ...fieldChanges,
  ...history,
  // 4.3 tracking
  ...tracking,
  // 4.4 notes
  ...notes,
  // 4.5 consumables, 4.6 tasks
  ...typedValues,
  // 4.7 service types
  ...serviceTypes,
  // 4.8 proofs of delivery
  ...pods,
  // 4.9 charges
  ...charges,
  // 4.10 schedules
  ...schedules,
  // 4.11 FAF profiles
  ...fafProfiles,
  // 4.12 partners and products
  ...partners,
  ...logos,
  ...products,
  ...convertUnits,
  // 4.13 warehouses and inventory
  ...warehouses,
  ...zones,
  ...locations,
  // 4.14 jobs
  ...jobs,
  ...wavePick,
  ...wavePickConsignments,
  // 4.15 reference data: what ships with the service, and what each organisation sets up
  ...dgHazardClasses,
  ...shippingPorts,
  ...setUpCollections,
  // 4.17 webhook subscriptions
  ...webhookSubscriptions(options),
  ...deliveries,
  // the organisation, its people and its apps
  ...organisations,
  ...users,
  ...customApps(options),
]
