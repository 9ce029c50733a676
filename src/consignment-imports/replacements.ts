// What a person puts in the place of what is wrong with an import. Spec 3 (manual reconciliation);
// open-points 5.

import { named, nullable, optional, type Static, Type } from '../platform/http/schema.ts'
import type { Rule } from '../platform/http/validation.ts'
import type { ImportRequest } from './import-request.ts'
import { importCodeKinds } from './waiting/import-reason.ts'

/** Where a line has what its product may require. */
const attributePath =
  /^products\[(\d+)\]\.(batch|bestBeforeDate|expiryDate|packagingDate|productionDate|sellByDate)$/
/** Where a line has its serials, all of them or one. */
const serialPath = /^products\[(\d+)\]\.items(?:\[(\d+)\]\.serial)?$/

/** What a replacement can be of. */
export const replacementKinds = [...importCodeKinds, 'serial', 'attribute', 'attachment'] as const

/** One thing of an import's request, and what to take instead. */
export const Replacement = named(
  'ImportReplacement',
  Type.Object({
    kind: Type.Enum([...replacementKinds]),
    code: nullable(
      Type.String({
        maxLength: 2000,
        description:
          'as the request or an earlier replacement has it: a code, a serial, the address of an ' +
          'attachment; null for a missing warehouseCode',
      }),
    ),
    path: optional(
      Type.String({
        maxLength: 200,
        description:
          'of an attribute, the batch or date that is to be set; of a serial, instead of its code, which ' +
          'one, or the items of a line for all of them',
        examples: ['products[2].expiryDate'],
      }),
    ),
    replacement: nullable(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'null leaves out what the import can do without',
      }),
    ),
  }),
)
export type Replacement = Static<typeof Replacement>

/** Codes are replaced wherever they stand; the values of one line are named by their place. */
const pathRule: Rule = value =>
  (Array.isArray(value) ? value : []).flatMap((one, i) => {
    const { kind, path } = (one ?? {}) as Partial<Replacement>
    if (kind === 'attribute' && !attributePath.test(String(path))) {
      return {
        path: `[${i}].path`,
        problem: 'must be the place of a batch or a date, as in products[0].expiryDate',
        code: 'pattern',
      }
    }
    if (kind === 'serial' && typeof path === 'string' && !serialPath.test(path)) {
      return {
        path: `[${i}].path`,
        problem: 'must be the place of serials, as in products[0].items or products[0].items[2].serial',
        code: 'pattern',
      }
    }
    return []
  })

/** The replacements of one attempt. */
export const Replacements = Type.Array(Replacement, { maxItems: 1000, rule: pathRule })

/**
 * The request with its replacements, one after the other; what they make of it has to be checked. The given
 * request stays as it was.
 */
export function withReplacements(
  request: ImportRequest,
  replacements: readonly Replacement[],
): ImportRequest {
  if (replacements.length === 0) return request
  const changed = structuredClone(request)
  for (const one of replacements) kinds[one.kind](changed, one)
  return changed
}

/** Whether replacements give an import to a client by another code, whatever client it was known to have. */
export const replacesClient = (
  { clientCode }: ImportRequest,
  replacements: readonly Replacement[],
): boolean => replacements.some(one => one.kind === 'client' && hasCode(clientCode, one))

const hasCode = (given: string | null | undefined, { code }: Replacement) =>
  (given ?? null)?.toLowerCase() === code?.toLowerCase()

/**
 * Puts the replacement into a field of this code. It may be null where the request cannot do without; the
 * check of the whole tells.
 */
function replaceField(owner: object, name: string, one: Replacement): void {
  const fields = owner as Record<string, string | null | undefined>
  if (hasCode(fields[name], one)) fields[name] = one.replacement
}

const kinds: Record<Replacement['kind'], (request: ImportRequest, one: Replacement) => void> = {
  client: (request, one) => replaceField(request, 'clientCode', one),
  carrier: (request, one) => replaceField(request, 'carrierCode', one),
  warehouse: (request, one) => replaceField(request, 'warehouseCode', one),
  shippingPort(request, one) {
    replaceField(request, 'loadShippingPortCode', one)
    replaceField(request, 'dischargeShippingPortCode', one)
  },
  product(request, one) {
    for (const line of request.products) replaceField(line, 'productCode', one)
  },
  packageType(request, one) {
    for (const line of request.products) replaceField(line, 'packageTypeCode', one)
  },
  serviceType(request, one) {
    request.serviceTypeCodes =
      request.serviceTypeCodes?.flatMap(given => (hasCode(given, one) ? (one.replacement ?? []) : given)) ??
      null
  },
  taskType(request, one) {
    for (const task of request.tasks ?? []) replaceField(task, 'taskTypeCode', one)
    request.tasks = request.tasks?.filter(({ taskTypeCode }) => taskTypeCode !== null) ?? null
  },
  serial(request, { code, path, replacement }) {
    const [, line, place] = serialPath.exec(path ?? '') ?? []
    const isMeant = (serial: string | null | undefined, i: number) =>
      line === undefined ? serial && serial === code : place === undefined || i === Number(place)
    const lines =
      line === undefined ? request.products : request.products.slice(Number(line), Number(line) + 1)
    for (const { items } of lines) {
      for (const [i, item] of items.entries()) if (isMeant(item.serial, i)) item.serial = replacement
    }
  },
  attribute(request, one) {
    const [, line, name] = attributePath.exec(one.path ?? '') ?? []
    const owner = request.products[Number(line)]
    if (owner !== undefined) owner[name as 'batch'] = one.replacement
  },
  attachment(request, one) {
    for (const note of request.notes ?? []) {
      for (const file of note.attachments ?? []) if (file.downloadUrl) replaceField(file, 'downloadUrl', one)
      note.attachments = note.attachments?.filter(file => file.content || file.downloadUrl) ?? null
    }
  },
}
