// The enumerations of the API by the names that the document and the clients use. They are described where
// they are declared, in src/vocabulary. Spec 2.

import type { Enumeration } from '../platform/http/describe-schema.ts'
import { billingDescriptions } from '../vocabulary/billing.ts'
import { consignmentDescriptions } from '../vocabulary/consignments.ts'
import { eventDescriptions } from '../vocabulary/events.ts'
import { importDescriptions } from '../vocabulary/imports.ts'
import { jobDescriptions } from '../vocabulary/jobs.ts'
import { organisationDescriptions } from '../vocabulary/organisations.ts'
import { paperDescriptions } from '../vocabulary/paper.ts'
import { partnerDescriptions } from '../vocabulary/partners.ts'
import { referenceDataDescriptions } from '../vocabulary/reference-data.ts'
import { reportDescriptions } from '../vocabulary/reports.ts'
import { stockDescriptions } from '../vocabulary/stock.ts'
import { warehouseDescriptions } from '../vocabulary/warehouses.ts'
import { webhookDescriptions } from '../vocabulary/webhooks.ts'

/** Every enumeration, by name. */
export const enumerations: Readonly<Record<string, Enumeration>> = {
  ...consignmentDescriptions,
  ...importDescriptions,
  ...paperDescriptions,
  ...billingDescriptions,
  ...jobDescriptions,
  ...partnerDescriptions,
  ...warehouseDescriptions,
  ...referenceDataDescriptions,
  ...stockDescriptions,
  ...reportDescriptions,
  ...organisationDescriptions,
  ...eventDescriptions,
  ...webhookDescriptions,
}
