// What an import can wait for, and the states it can be in. Spec 3; open-points 2, 5.

import { IntegerEnum, named, nullable, type Static, Type } from '../../platform/http/schema.ts'
import { ImportStatus } from '../enumerations.ts'

/** What a code in an import can refer to. */
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
 * `attribute`: a required batch or date; `manual`: the import asked for a person; `processing`: it failed
 * again and again.
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
 * One thing that keeps an import from becoming a consignment. The same code in several places is one reason
 * with the first of them; what a line has too much of or lacks (serial, attribute) is one for each line.
 */
export const Reason = named(
  'ImportReason',
  Type.Object({
    kind: Type.Enum([...reasonKinds]),
    code: nullable(Type.String({ description: 'the code (of an attachment the address) that is at fault' })),
    message: Type.String(),
    path: nullable(Type.String({ examples: ['products[2].productCode'] })),
  }),
)
export type Reason = Static<typeof Reason>

export const ImportStatusField = IntegerEnum(ImportStatus)
