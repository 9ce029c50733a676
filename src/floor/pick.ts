// The endpoint that confirms picks: goods move from their storage location to the dock. Spec 2.14;
// decision 4.

import { stockCommand } from '../stock/commands/stock-command.ts'
import { PickAnswer, pickFields, pickKind } from './picking/pick-kind.ts'

export const pickConsignment = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/pick',
    name: 'pickConsignment',
    canBeRehearsed: true,
    scope: ['consignment', 'inventory'],
    summary: 'Confirm picks of a consignment',
    description:
      'Moves goods that are allocated to its lines to the dock: the given location, or else the default ' +
      'location of the consignment or the warehouse. Without a quantity, everything that is allocated in ' +
      'that stock is picked. isShort reports that the rest is missing: it is released and put on hold, and ' +
      'the line is allocated elsewhere unless reallocate is false. With serials and a quantity of 0, only ' +
      'those serials are missing. isOverride permits picking more than is allocated, or other stock, which ' +
      'may stand in for the allocated stock (insteadOfWarehouseProductId). If ' +
      'toLogisticUnit is null, the goods are put down loose; if it is left out, a unit that is picked ' +
      'whole stays together.',
    bodyName: 'ConsignmentPick',
    body: pickFields,
    answer: PickAnswer,
    kind: pickKind,
  }),
]
