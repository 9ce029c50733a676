// The names that a bill and its proof show, frozen with the inputs of a closing: records may be renamed
// later. Pure.

import type { BillableConsignment, BillableValue } from './billable-consignment.ts'

/** The names of the carrier and, by their ids, of products, task types and consumable types. */
export interface FrozenNames {
  carrier: string | null
  products: Record<string, { code: string | null; name: string | null }>
  types: Record<string, string>
}

/** Collects the names that a consignment is charged with. */
export function namesOf({ carrierName, lines, tasks, consumables }: BillableConsignment): FrozenNames {
  const nameOf = ({ typeId, name }: BillableValue) => [typeId, name] as const
  return {
    carrier: carrierName,
    products: Object.fromEntries(
      lines.map(({ id, productId, productCode: code, productName: name }) => [
        productId ?? id,
        { code, name },
      ]),
    ),
    types: Object.fromEntries([...tasks, ...consumables].map(nameOf)),
  }
}
