// The body of an import: all fields, and the rules that involve several of them. Spec 2.3; decision 1
// (sizes), 5.

import { fieldSchemas, importedFields } from '../consignments/consignment-fields.ts'
import { maxFaults } from '../platform/http/refusal.ts'
import {
  allOptional,
  Code,
  Decimal,
  IntegerEnum,
  LocalTime,
  named,
  optional,
  type Static,
  Text,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import type { ValidationError, ValidationRule } from '../platform/http/validation.ts'
import { ConsignmentType } from '../vocabulary/consignments.ts'
import { CriticalStockStatus } from '../vocabulary/stock.ts'
import { uncheckedFields, uncheckedList } from './unchecked-body.ts'

/** The most lines of a consignment, and the most items of all its lines. */
export const [maxLines, maxItems] = [5_000, 50_000]
const maxQuantity = 99_999_999_999

/** An item of a line, as imports give it. */
export const ImportItem = Type.Object({
  quantity: Decimal(4, { exclusiveMinimum: 0 }),
  ...allOptional({
    serial: Code,
    weightKG: Decimal(4, { minimum: 0 }),
    volumeM3: Decimal(6, { minimum: 0 }),
  }),
})

/** A line, as imports give it. */
export const ImportLine = Type.Object({
  productCode: Code,
  items: Type.Array(ImportItem, { minItems: 1, maxItems: maxItems }),
  ...allOptional({
    goodsDescription: Text,
    batch: Type.String({ maxLength: 200 }),
    bestBeforeDate: LocalTime,
    expiryDate: LocalTime,
    packagingDate: LocalTime,
    productionDate: LocalTime,
    sellByDate: LocalTime,
    packageTypeCode: Code,
    logisticUnitSsccNumber: Type.String({
      format: 'sscc',
      fault: 'must be an SSCC: 18 digits, the last of them the right check digit',
    }),
    logisticUnitReferenceNumber: Type.String({ maxLength: 200 }),
    isManualReconciliationRequired: Type.Boolean(),
    criticalStockStatus: IntegerEnum(CriticalStockStatus),
    attributes: Type.Array(
      Type.Object(allOptional({ name: Type.String({ maxLength: 200 }), description: Text })),
      { maxItems: 100 },
    ),
  }),
})

const Attachment = Type.Object(
  allOptional({
    fileName: Type.String({
      maxLength: 200,
      description:
        'default: the name that the server of a downloadUrl gives, or else `file` with the extension of ' +
        'its type',
    }),
    contentType: Type.String({
      maxLength: 200,
      description: 'default: the type that the server gives, or else the type of the content',
    }),
    content: Type.String({ description: 'the file in base64, at most 10 MiB once decoded' }),
    downloadUrl: Type.String({
      format: 'uri',
      maxLength: 2000,
      description: 'the address from which to fetch the file, instead of content',
    }),
  }),
)

const Note = Type.Object({
  note: Type.String({ maxLength: 4000, minLength: 1, pattern: '\\S' }),
  ...allOptional({
    displayOnPrintOut: Type.Boolean(),
    attachments: Type.Array(Attachment, { maxItems: 100 }),
  }),
})

const Task = Type.Object({ taskTypeCode: Code, value: Decimal(4, { minimum: 0 }) })

/** The rules that involve several items or lines: unique serials, and sums that the database can store. */
export const lineRules: ValidationRule = value => {
  const faults: ValidationError[] = []
  const serials = new Map<string, Set<string>>()
  let items = 0
  for (const [l, line] of uncheckedList(value).entries()) {
    let quantity = 0
    for (const [i, item] of uncheckedList(uncheckedFields(line).items).entries()) {
      items++
      const { serial, quantity: amount } = uncheckedFields(item)
      if (typeof amount === 'number') quantity += amount
      if (typeof serial !== 'string') continue
      if (amount !== 1)
        faults.push({ path: `[${l}].items[${i}].quantity`, problem: 'must be 1 when a serial is given' })
      const product = String(uncheckedFields(line).productCode).toLowerCase()
      const seen = serials.get(product) ?? new Set()
      if (seen.has(serial))
        faults.push({
          path: `[${l}].items[${i}].serial`,
          problem: 'must not repeat a serial of the same product',
          code: 'duplicate',
        })
      serials.set(product, seen.add(serial))
      if (faults.length > maxFaults) return faults
    }
    if (quantity > maxQuantity)
      faults.push({
        path: `[${l}].items`,
        problem: `must add up to a quantity of ${maxQuantity} or less`,
        code: 'range',
      })
  }
  if (items > maxItems)
    faults.push({
      path: '',
      problem: `must have at most ${maxItems.toLocaleString('en-GB')} items in all`,
      code: 'length',
    })
  return faults
}

/** The lines of an import. */
export const ImportLines = Type.Array(ImportLine, { minItems: 1, maxItems: maxLines, rule: lineRules })

const uniqueTaskTypes: ValidationRule = value => {
  const seen = new Set<string>()
  const faults: ValidationError[] = []
  for (const [i, task] of uncheckedList(value).entries()) {
    const code = String(uncheckedFields(task).taskTypeCode).toLowerCase()
    if (seen.has(code))
      faults.push({
        path: `[${i}].taskTypeCode`,
        problem: 'must not be given a second time',
        code: 'duplicate',
      })
    seen.add(code)
    if (faults.length > maxFaults) break
  }
  return faults
}

/** The request to import a consignment. Optional fields may be null. */
export const ImportRequest = named(
  'ConsignmentImportRequest',
  Type.Object({
    consignmentType: IntegerEnum(ConsignmentType),
    clientCode: Code,
    products: ImportLines,
    ...allOptional({
      idempotencyKey: Type.String({ minLength: 1, maxLength: 200 }),
      ...fieldSchemas(importedFields),
      serviceTypeCodes: Type.Array(Code, { maxItems: 100 }),
      tasks: Type.Array(Task, { maxItems: 100, rule: uniqueTaskTypes }),
      notes: Type.Array(Note, { maxItems: 1000 }),
    }),
    attachments: optional(
      Type.Array(Type.Object({}), {
        maxItems: 100,
        description: 'deprecated; accepted and ignored',
        deprecated: true,
      }),
    ),
  }),
)
export type ImportRequest = Static<typeof ImportRequest>
export type ImportLine = Static<typeof ImportLine>
export type ImportAttachment = Static<typeof Attachment>

/** The id of an import, which its consignment will have too. */
export const ConsignmentId = named('ConsignmentId', Type.Object({ consignmentId: Uuid }))
