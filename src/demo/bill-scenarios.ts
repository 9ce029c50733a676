// Consignments for the bills of the demo: goods that came in a container, and two express consignments for
// which the carrier charges almost as much as the client pays, or more.

import { ConsignmentStatus, ContainerSize, ContainerType } from '../vocabulary/consignments.ts'
import type { Scenario } from './paper-data.ts'

const express = (n: number, quantity: number, town: { city: string; postCode: string }): Scenario => ({
  type: 2,
  client: 'HARBOUR',
  referenceNumber: `PO-EXPRESS-${n}`,
  lines: [{ productCode: 'HAR-009', quantity }],
  daysAgo: 30 - n,
  status: ConsignmentStatus.Closed,
  fields: {
    serviceTypeCodes: ['EXP'],
    destinationAddress: {
      name: `${town.city} Electrical`,
      streetAddress: '8 Main Street',
      country: 'NZ',
      ...town,
    },
  },
})

/** The consignments. */
export const billScenarios: Scenario[] = [
  express(1, 60, { city: 'Wellington', postCode: '6011' }),
  express(2, 120, { city: 'Hamilton', postCode: '3204' }),
  {
    type: 1,
    client: 'KAURI',
    referenceNumber: 'PO-CONTAINER',
    lines: [{ productCode: 'KAU-006', quantity: 1_600 }],
    daysAgo: 31,
    status: ConsignmentStatus.Closed,
    fields: {
      containerNumber: 'TCLU4455665',
      containerSize: ContainerSize.TwentyFoot,
      containerType: ContainerType.GeneralPurpose,
    },
  },
]
