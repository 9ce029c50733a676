// Opening balances: what a warehouse has when it begins to use Waybill. Spec 2.14.

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
import { HoldKind } from '../enumerations.ts'
import { Sscc } from '../logistic-units/unit-references.ts'
import { descriptionFields } from './goods-description.ts'
import { loadOpeningBalances } from './load-opening-balances.ts'
import { Serials } from './quantities.ts'
import { stockCommand } from './stock-command.ts'

/** A row of a balance, as requests have it. */
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

/** How balances are brought in, whichever form they come in. */
export const balanceOptions = {
  warehouseCode: Code,
  dryRun: optional({
    ...Type.Boolean(),
    description: 'checks everything, tells the sums and changes nothing',
  }),
  createLocations: optional({
    ...Type.Boolean(),
    description: 'makes locations that the warehouse lacks, as racking',
  }),
}

/** What came in, or would. */
export const OpeningBalanceTaken = named(
  'OpeningBalanceTaken',
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
    scope: 'inventory',
    summary: 'Bring in the stock that a warehouse begins with',
    description:
      'Logistic units that there are none of yet are made. A fault in any row refuses all; the first ' +
      'hundred are told.',
    bodyName: 'OpeningBalance',
    body: { ...balanceOptions, rows: Type.Array(OpeningBalanceRow, { minItems: 1, maxItems: 5_000 }) },
    files: true,
    answer: OpeningBalanceTaken,
    run: ({ tx, actor: { organisationId }, body, source, occurredUtc }) =>
      loadOpeningBalances(tx, { organisationId, source, occurredUtc, nameOf: 'rows' }, body),
  }),
]
