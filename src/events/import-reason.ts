// What an import can wait for, and the statuses that it can have. Spec 3; decisions 2, 5.

import { IntegerEnum, named, nullable, type Static, Type } from '../platform/http/schema.ts'
import { ImportStatus } from '../vocabulary/imports.ts'

/** The kinds of records to which a code in an import can refer. */
export const importCodeKinds = [
  'client',
  'carrier',
  'warehouse',
  'product',
  'packageType',
  'serviceType',
  'taskType',
  'shippingPort',
] as const
export type ImportCodeKind = (typeof importCodeKinds)[number]

/**
 * All kinds of reasons. `attribute` is a required batch or date that is missing, `manual` means that the
 * import asked for manual reconciliation, and `processing` that it failed repeatedly.
 */
export const reasonKinds = [
  ...importCodeKinds,
  'serial',
  'attribute',
  'attachment',
  'manual',
  'processing',
] as const
export type ReasonKind = (typeof reasonKinds)[number]

/**
 * One thing that keeps an import from becoming a consignment. A code that occurs in several places is one
 * reason with the first path; serials and attributes are one reason for each path.
 */
export const WaitingReason = named(
  'ImportReason',
  Type.Object({
    kind: Type.Enum([...reasonKinds]),
    code: nullable(Type.String({ description: 'the code (of an attachment the address) that is at fault' })),
    message: Type.String(),
    path: nullable(Type.String({ examples: ['products[2].productCode'] })),
  }),
)
export type WaitingReason = Static<typeof WaitingReason>

export const ImportStatusField = IntegerEnum(ImportStatus)
