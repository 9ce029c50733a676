// The replacements with which a user corrects an import. Spec 3 (manual reconciliation); decision 5.

import { importCodeKinds } from '../events/import-reason.ts'
import { named, nullable, optional, type Static, Type } from '../platform/http/schema.ts'
import type { ValidationRule } from '../platform/http/validation.ts'
import type { ImportRequest } from './import-request.ts'

/** The path of a batch or date that a product may require. */
const attributePath =
  /^products\[(\d+)\]\.(batch|bestBeforeDate|expiryDate|packagingDate|productionDate|sellByDate)$/
/** The path of the serials of a line: all of them, or one. */
const serialPath = /^products\[(\d+)\]\.items(?:\[(\d+)\]\.serial)?$/

export const replacementKinds = [...importCodeKinds, 'serial', 'attribute', 'attachment'] as const

/** A value in the request of an import, and its replacement. */
export const Replacement = named(
  'ImportReplacement',
  Type.Object({
    kind: Type.Enum([...replacementKinds]),
    code: nullable(
      Type.String({
        maxLength: 2000,
        description:
          'the value in the request, or of an earlier replacement: a code, a serial or the address of an ' +
          'attachment; null for a missing warehouseCode',
      }),
    ),
    path: optional(
      Type.String({
        maxLength: 200,
        description:
          'for an attribute, the path of the batch or date to set; for a serial, instead of its code, the ' +
          'path of the serial, or of the items of a line for all of their serials',
        examples: ['products[2].expiryDate'],
      }),
    ),
    replacement: nullable(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'null removes a value that the import can do without',
      }),
    ),
  }),
)
export type Replacement = Static<typeof Replacement>

/**
 * Checks the paths of attributes and serials. Codes need no path: they are replaced wherever they occur. Only
 * a warehouse may be replaced that the request does not name.
 */
const placeRule: ValidationRule = value =>
  (Array.isArray(value) ? value : []).flatMap((replacement, i) => {
    const { kind, code, path } = (replacement ?? {}) as Partial<Replacement>
    const hasPath = kind === 'attribute' || (kind === 'serial' && typeof path === 'string')
    if (code === null && kind !== 'warehouse' && !hasPath) {
      return {
        path: `[${i}].code`,
        problem: 'must name the value to replace: only a missing warehouseCode has the code null',
        code: 'required',
      }
    }
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

export const Replacements = Type.Array(Replacement, { maxItems: 1000, rule: placeRule })

/**
 * Returns the request with the replacements applied in order. The result has to be checked again. Does not
 * modify `request`.
 */
export function withReplacements(
  request: ImportRequest,
  replacements: readonly Replacement[],
): ImportRequest {
  if (replacements.length === 0) return request
  const changed = structuredClone(request)
  for (const replacement of replacements) {
    if (replacement.kind !== 'serial') replaceByKind[replacement.kind](changed, replacement)
  }
  replaceSerials(
    changed,
    replacements.filter(({ kind }) => kind === 'serial'),
  )
  return changed
}

/**
 * Whether replacements change the code of the client, so that a client id that was resolved no longer counts.
 */
export const replacesClient = (
  { clientCode }: ImportRequest,
  replacements: readonly Replacement[],
): boolean =>
  replacements.some(replacement => replacement.kind === 'client' && hasCode(clientCode, replacement))

const hasCode = (value: string | null | undefined, { code }: Replacement) =>
  (value ?? null)?.toLowerCase() === code?.toLowerCase()

/**
 * Replaces the value of a field that has this code. The field may become null although it is required; the
 * check of the whole request reports that.
 */
function replaceField(owner: object, name: string, replacement: Replacement): void {
  const fields = owner as Record<string, string | null | undefined>
  if (hasCode(fields[name], replacement)) fields[name] = replacement.replacement
}

type Replace = (request: ImportRequest, replacement: Replacement) => void

const replaceByKind: Record<Exclude<Replacement['kind'], 'serial'>, Replace> = {
  client: (request, replacement) => replaceField(request, 'clientCode', replacement),
  carrier: (request, replacement) => replaceField(request, 'carrierCode', replacement),
  warehouse: (request, replacement) => replaceField(request, 'warehouseCode', replacement),
  shippingPort(request, replacement) {
    replaceField(request, 'loadShippingPortCode', replacement)
    replaceField(request, 'dischargeShippingPortCode', replacement)
  },
  product(request, replacement) {
    for (const line of request.products) replaceField(line, 'productCode', replacement)
  },
  packageType(request, replacement) {
    for (const line of request.products) replaceField(line, 'packageTypeCode', replacement)
  },
  serviceType(request, replacement) {
    request.serviceTypeCodes =
      request.serviceTypeCodes?.flatMap(code =>
        hasCode(code, replacement) ? (replacement.replacement ?? []) : code,
      ) ?? null
  },
  taskType(request, replacement) {
    for (const task of request.tasks ?? []) replaceField(task, 'taskTypeCode', replacement)
    request.tasks = request.tasks?.filter(({ taskTypeCode }) => taskTypeCode !== null) ?? null
  },
  attribute(request, replacement) {
    const [, line, name] = attributePath.exec(replacement.path ?? '') ?? []
    const owner = request.products[Number(line)]
    if (owner !== undefined) owner[name as 'batch'] = replacement.replacement
  },
  attachment(request, replacement) {
    for (const note of request.notes ?? []) {
      for (const file of note.attachments ?? [])
        if (file.downloadUrl) replaceField(file, 'downloadUrl', replacement)
      note.attachments = note.attachments?.filter(file => file.content || file.downloadUrl) ?? null
    }
  },
}

type Item = ImportRequest['products'][number]['items'][number]

/** The items at a path of serials; null without a path. */
function itemsAt({ products }: ImportRequest, path: string | null | undefined): Item[] | null {
  const [, line, index] = serialPath.exec(path ?? '') ?? []
  if (line === undefined) return null
  const items = products[Number(line)]?.items ?? []
  return index === undefined ? items : items.slice(Number(index), Number(index) + 1)
}

/**
 * Replaces serials, by value or by path. Items are found by their serials in a map, because an import may
 * have 50,000 items and 1,000 replacements.
 */
function replaceSerials(request: ImportRequest, replacements: readonly Replacement[]): void {
  if (replacements.length === 0) return
  const itemsBySerial = new Map<string, Set<Item>>()
  const add = (item: Item) => {
    if (item.serial) itemsBySerial.set(item.serial, (itemsBySerial.get(item.serial) ?? new Set()).add(item))
  }
  for (const { items } of request.products) items.forEach(add)
  const places = replacements.map(replacement => ({ replacement, items: itemsAt(request, replacement.path) }))
  const lastByPlace = new Map(places.map(({ replacement, items }) => [items, replacement]))
  for (const { replacement, items } of places) {
    // A later replacement of the whole line overwrites this one.
    if (items !== null && lastByPlace.get(items) !== replacement) continue
    for (const item of items ?? [...(itemsBySerial.get(replacement.code ?? '') ?? [])]) {
      itemsBySerial.get(item.serial ?? '')?.delete(item)
      item.serial = replacement.replacement
      add(item)
    }
  }
}
