// Loads the opening balance of a warehouse, which is its stock when it begins to use Waybill. Spec 2.14.

import {
  Code,
  Decimal,
  IntegerEnum,
  LocalTime,
  Name,
  named,
  nullable,
  optional,
  ShortText,
  Type,
  UtcTime,
  Uuid,
  VolumeM3,
  WeightKG,
} from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { HoldKind } from '../../vocabulary/stock.ts'
import { Sscc } from '../logistic-units/unit-references.ts'
import { descriptionFields } from './goods-description.ts'
import { loadOpeningBalances } from './load-opening-balances.ts'
import { Serials } from './quantities.ts'
import { stockCommand } from './stock-command.ts'

/** A row of an opening balance in a request. */
export const OpeningBalanceRow = Type.Object({
  clientCode: Code,
  productCode: Code,
  locationName: Name,
  ssccNumber: optional(Sscc),
  referenceNumber: optional(ShortText),
  ...descriptionFields,
  receivedDate: optional(LocalTime),
  quantity: Decimal(4, { exclusiveMinimum: 0 }),
  weightKG: optional(WeightKG),
  volumeM3: optional(VolumeM3),
  serials: optional(Serials),
  holdKind: optional(IntegerEnum(HoldKind)),
  holdReason: optional(ShortText),
})

/** The options of loading an opening balance, from JSON or from a CSV file. */
export const openingBalanceOptions = {
  warehouseCode: Code,
  dryRun: optional({
    ...Type.Boolean(),
    description: 'Check everything and return the sums, but change nothing.',
  }),
  createLocations: optional({
    ...Type.Boolean(),
    description: 'Create locations that the warehouse lacks, as racking.',
  }),
}

/** The fault of an opening balance that would be loaded again if its request were repeated. */
export function operationIdFault(value: unknown): ValidationError[] {
  const { operationId, dryRun } = (value ?? {}) as { operationId?: unknown; dryRun?: unknown }
  if (operationId || dryRun === true) return []
  const problem = 'is required, so that a balance that is sent twice is not loaded twice'
  return [{ path: '/operationId', problem, code: 'required' }]
}

/** What was loaded or, in a dry run, would be. */
export const OpeningBalanceLoaded = named(
  'OpeningBalanceLoaded',
  Type.Object({
    isDryRun: Type.Boolean(),
    movementId: nullable(Uuid),
    effectiveUtc: nullable(UtcTime),
    rowCount: Type.Integer(),
    products: Type.Array(
      Type.Object({
        partnerProductId: Uuid,
        partnerProductCode: Type.String(),
        quantity: Type.Number(),
        serialCount: Type.Integer(),
      }),
    ),
  }),
)

export const openingBalances = [
  stockCommand({
    post: '/v1/inventory/opening-balances',
    name: 'takeOpeningBalances',
    canBeRehearsed: true,
    scope: 'inventory',
    summary: 'Load the opening balance of a warehouse',
    description:
      'Logistic units that do not exist yet are created. A fault in any row refuses the whole request; the ' +
      'first hundred faults are returned. operationId is required, except in a dry run, so that a balance ' +
      'that is sent twice is not loaded twice.',
    bodyName: 'OpeningBalance',
    body: { ...openingBalanceOptions, rows: Type.Array(OpeningBalanceRow, { minItems: 1, maxItems: 5_000 }) },
    rule: operationIdFault,
    files: true,
    answer: OpeningBalanceLoaded,
    run: ({ tx, actor: { organisationId }, body, source, occurredUtc }) =>
      loadOpeningBalances(tx, { organisationId, source, occurredUtc, nameOf: 'rows' }, body),
  }),
]
