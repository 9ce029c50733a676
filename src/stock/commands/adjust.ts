// Corrects how much stock there is: takes out missing goods and brings in goods that were found. Spec 2.14.

import { AdjustAnswer, adjustFields, adjustKind } from './adjust-kind.ts'
import { stockCommand } from './stock-command.ts'

export const adjustStock = [
  stockCommand({
    post: '/v1/inventory/adjust',
    name: 'adjustStock',
    canBeRehearsed: true,
    scope: 'inventory',
    summary: 'Correct how much stock there is',
    description:
      'A positive quantity is added; a negative one is taken out of what is not allocated. Select existing ' +
      'stock by warehouseProductId or stock. Describe found goods that have no row of stock yet by ' +
      'partnerProductId, warehouseId, their location or logistic unit, batch, dates and attributes.',
    bodyName: 'StockAdjustment',
    body: adjustFields,
    answer: AdjustAnswer,
    kind: adjustKind,
  }),
]
