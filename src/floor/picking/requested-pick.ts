// A pick as requests state it: what was taken for which line, where from, and where to. Spec 2.14.

import { Decimal, optional, type Static, Text, Type, Uuid } from '../../platform/http/schema.ts'
import { targetFields } from '../../stock/commands/location-reference.ts'
import { Serials } from '../../stock/commands/quantities.ts'
import { stockFields } from '../../stock/commands/stock-selector.ts'
import { UnitReference } from '../../stock/logistic-units/unit-references.ts'

/** The fields of an entry beside the id of its line. */
export const pickEntryFields = {
  ...stockFields,
  quantity: optional(Decimal(4, { minimum: 0 })),
  unitTypeId: optional(Uuid),
  serials: optional(Serials),
  isShort: optional(Type.Boolean()),
  reallocate: optional(Type.Boolean()),
  reason: optional(Text),
  ...targetFields,
  toLogisticUnit: optional(UnitReference),
  isOverride: optional(Type.Boolean()),
}

/** One pick of a request. */
export const RequestedPick = Type.Object({
  consignmentProductId: Uuid,
  ...pickEntryFields,
  insteadOfWarehouseProductId: optional({
    ...Uuid,
    description:
      'The stock that this stands in for, when goods are taken from another place: as much of what is ' +
      'allocated to the line there is released. Needs isOverride.',
  }),
})
export type RequestedPick = Static<typeof RequestedPick> & {
  /** the single allocation that is picked, if a job names it */
  inventoryAllocationId?: string | undefined
}

/** The rows of stock that a pick names by id: those that it takes from and that it stands in for. */
export const rowIdsOf = ({ warehouseProductId, insteadOfWarehouseProductId }: RequestedPick): string[] =>
  [warehouseProductId ?? [], insteadOfWarehouseProductId ?? []].flat()
