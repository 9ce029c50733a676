// Plans what an import becomes: a consignment, or the reasons why it has to wait. Pure. Spec 2.3 (rules for
// items), 3; decisions 1, 5.

import {
  type ConsignmentField,
  type ImportedColumns,
  importedFields,
  storedName,
  toStoredValue,
} from '../consignments/consignment-fields.ts'
import type { NewConsignment } from '../consignments/create-consignment.ts'
import type { EventOrigin } from '../events/emit.ts'
import type { WaitingReason } from '../events/import-reason.ts'
import { type LocalDateTime, localTimeAt, parseLocalTime } from '../platform/local-time.ts'
import { newId } from '../platform/new-id.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { Relationship } from '../vocabulary/partners.ts'
import { type AddReason, collectReasons, resolveActiveId } from '../waiting-imports/collect-reasons.ts'
import type { ImportRequest } from './import-request.ts'
import type { ImportToPlan } from './import-to-plan.ts'
import { planImportLines, type ToLocalTime } from './plan-lines.ts'
import { type FetchedAttachment, planNotes } from './plan-notes.ts'
import type { ResolvedCodes, ResolvedPartner, ResolvedWarehouse } from './resolve-codes.ts'

export interface Plan {
  reasons: WaitingReason[]
  /** the client and the carrier if they are known, even if inactive */
  clientId: string | null
  carrierId: string | null
  /** undefined if and only if there are reasons */
  consignment: NewConsignment | undefined
  /** attachments with content that was fetched before */
  fetched: FetchedAttachment[]
}

/** Plans one import. `received` is the instant at which it was received. */
export function planImport(
  pending: ImportToPlan,
  codes: ResolvedCodes,
  source: EventOrigin,
  received: Date,
): Plan {
  const { id: consignmentId, request } = pending
  const { add: addReason, all: allReasons } = collectReasons()
  const client = codes.client(pending)
  const carrier = request.carrierCode ? codes.carrier(request.carrierCode) : undefined
  const clientId = usableClientId(request, client, addReason)
  const carrierId = usableCarrierId(request, carrier, addReason)
  const warehouse = resolveWarehouse(request, codes, addReason)
  const timeZone = warehouse?.timezoneId ?? codes.timezoneId
  const toLocalTime: ToLocalTime = text => (text ? parseLocalTime(text, timeZone) : null)
  const isClientKnown = clientId !== null
  const lines = planImportLines(pending, { codes, isClientKnown, toLocalTime, addReason })
  const types = resolveTypes(request, codes, addReason)
  const notes = planNotes(pending, addReason)
  const ports = resolvePorts(request, codes, addReason)
  const partners = {
    clientId: client?.relationship === Relationship.Client ? client.id : null,
    carrierId: carrier?.relationship === Relationship.Carrier ? carrier.id : null,
  }
  const reasons = allReasons()
  if (reasons.length > 0 || clientId === null)
    return { reasons, ...partners, consignment: undefined, fetched: [] }
  const consignment: NewConsignment = {
    consignment: {
      id: consignmentId,
      type: request.consignmentType,
      status: ConsignmentStatus.Pending,
      ...ownColumns(request, timeZone, localTimeAt(received, timeZone)),
      ...{ clientId, carrierId, warehouseId: warehouse?.id, ...ports },
    },
    ...lines,
    serviceTypes: types.serviceTypeIds.map(serviceTypeId => ({ consignmentId, serviceTypeId })),
    tasks: types.tasks.map(task => ({ id: newId(), consignmentId, ...task })),
    notes: notes.rows,
    attachments: notes.attachments,
    source,
  }
  return { reasons, ...partners, consignment, fetched: notes.fetched }
}

function usableClientId(
  { clientCode: code }: ImportRequest,
  found: ResolvedPartner | undefined,
  addReason: AddReason,
): string | null {
  if (found === undefined || found.relationship === Relationship.Client)
    return resolveActiveId({ kind: 'client', noun: 'client', code, path: 'clientCode' }, found, addReason)
  addReason('client', code, 'clientCode', `The partner ${code} is a carrier, not a client.`)
  return null
}

function usableCarrierId(
  { carrierCode: code }: ImportRequest,
  found: ResolvedPartner | undefined,
  addReason: AddReason,
): string | null {
  if (!code) return null
  if (found === undefined || found.relationship === Relationship.Carrier)
    return resolveActiveId({ kind: 'carrier', noun: 'carrier', code, path: 'carrierCode' }, found, addReason)
  addReason('carrier', code, 'carrierCode', `The partner ${code} is a client, not a carrier.`)
  return null
}

/**
 * The warehouse that the import names, or the only active one if it names none. Point-to-point consignments
 * need no warehouse.
 */
function resolveWarehouse(
  { warehouseCode: code, consignmentType }: ImportRequest,
  codes: ResolvedCodes,
  addReason: AddReason,
): ResolvedWarehouse | undefined {
  if (code) {
    const found = codes.warehouse(code)
    const reference = { kind: 'warehouse', noun: 'warehouse', code, path: 'warehouseCode' } as const
    return resolveActiveId(reference, found, addReason) === null ? undefined : found
  }
  if (consignmentType === ConsignmentType.PointToPoint) return undefined
  const [first, second] = codes.activeWarehouses
  if (first !== undefined && second === undefined) return first
  const available = first === undefined ? 'no active warehouse' : 'more than one active warehouse'
  const message = `The import does not name a warehouse, and the organisation has ${available}.`
  addReason('warehouse', null, 'warehouseCode', message)
  return undefined
}

/** The service types of an import, each once, and its tasks. Codes that cannot be used become reasons. */
function resolveTypes(
  { serviceTypeCodes, tasks }: ImportRequest,
  codes: ResolvedCodes,
  addReason: AddReason,
) {
  const serviceTypeIds = serviceTypeCodes?.map((code, i) => {
    const path = `serviceTypeCodes[${i}]`
    const reference = { kind: 'serviceType', noun: 'service type', code, path } as const
    return resolveActiveId(reference, codes.serviceType(code), addReason)
  })
  const values = new Map(
    tasks?.map(({ taskTypeCode: code, value }, i) => {
      const path = `tasks[${i}].taskTypeCode`
      const reference = { kind: 'taskType', noun: 'task type', code, path } as const
      return [resolveActiveId(reference, codes.taskType(code), addReason), value]
    }),
  )
  return {
    serviceTypeIds: [...new Set(serviceTypeIds)].filter(id => id !== null),
    tasks: [...values].flatMap(([taskTypeId, value]) => (taskTypeId === null ? [] : [{ taskTypeId, value }])),
  }
}

function resolvePorts(request: ImportRequest, codes: ResolvedCodes, addReason: AddReason) {
  const portId = (code: string | null | undefined, path: string) => {
    const reference = { kind: 'shippingPort', noun: 'shipping port', path } as const
    return code ? resolveActiveId({ ...reference, code }, codes.shippingPort(code), addReason) : null
  }
  return {
    loadShippingPortId: portId(request.loadShippingPortCode, 'loadShippingPortCode'),
    dischargeShippingPortId: portId(request.dischargeShippingPortCode, 'dischargeShippingPortCode'),
  }
}

/** The fields that are stored as the request has them; planning resolves the codes. */
const ownFieldEntries = Object.entries<ConsignmentField>(importedFields)
  .filter(([, { code }]) => code === undefined)
  .map(([name, field]) => ({ name: name as keyof ImportRequest, field, column: storedName(name, field) }))

/**
 * The columns of the consignment that come straight from the request. Its entry date is `received` by
 * default.
 */
function ownColumns(request: ImportRequest, timeZone: string, received: LocalDateTime): ImportedColumns {
  const entries = ownFieldEntries
    .map(({ name, field, column }) => [column, toStoredValue(field, request[name], timeZone)])
    .filter(([, value]) => value !== null)
  return { dateEntered: received, destinationAuthorityToLeave: false, ...Object.fromEntries(entries) }
}
