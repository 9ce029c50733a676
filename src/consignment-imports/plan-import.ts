// What an import becomes: a consignment, or the reasons why it has to wait. Pure. Spec 2.3 (rules for items),
// 3; open-points 1 (local times), 5.

import type { NewConsignment, NoteRow } from '../consignments/create-consignment.ts'
import { ConsignmentStatus, ConsignmentType } from '../consignments/enumerations.ts'
import type { EventSource } from '../events/emit.ts'
import { Relationship } from '../partners/enumerations.ts'
import { mediaType } from '../platform/http/files.ts'
import { localNow, parseLocal } from '../platform/local-time.ts'
import { newId } from '../platform/new-id.ts'
import { storedAddress } from '../warehouses/address.ts'
import { fetchedFile } from './import-files.ts'
import type { ImportRequest } from './import-request.ts'
import { linesOf } from './plan-lines.ts'
import type { PlannedImport } from './planned-import.ts'
import type { Codes, ResolvedWarehouse } from './resolve-codes.ts'
import { known, type Local, type Reason, type Wait } from './waiting/import-reason.ts'

/** An attachment whose content was fetched before. */
export interface FetchedAttachment {
  id: string
  importId: string
  consignmentNoteId: string
  downloadUrl: string
  fileName: string
  contentType: string
}

export interface Plan {
  reasons: Reason[]
  /** undefined exactly when there are reasons */
  consignment: NewConsignment | undefined
  fetched: FetchedAttachment[]
}

/** Decides one import. `at` is the current instant. */
export function planImport(planned: PlannedImport, codes: Codes, source: EventSource, at: Date): Plan {
  const reasons = new Map<string, Reason>()
  const wait: Wait = (kind, code, path, message) => {
    const place = kind === 'serial' || kind === 'attribute' ? path : ''
    const key = `${kind}\0${code}\0${message}\0${place}`
    if (!reasons.has(key)) reasons.set(key, { kind, code, message, path })
  }
  const { request } = planned
  const clientId = clientOf(request, codes, wait)
  const carrierId = carrierOf(request, codes, wait)
  const warehouse = warehouseOf(request, codes, wait)
  const timeZone = warehouse?.timezoneId ?? codes.timezoneId
  const local: Local = text => (text ? parseLocal(text, timeZone) : null)
  const port = (code: string | null | undefined, path: string) =>
    code ? known('shippingPort', 'shipping port', code, path, codes.shippingPort(code), wait) : null
  const lines = linesOf(planned, codes, clientId === null, local, wait)
  const serviceTypeIds = new Set(
    request.serviceTypeCodes?.map((code, i) =>
      known('serviceType', 'service type', code, `serviceTypeCodes[${i}]`, codes.serviceType(code), wait),
    ),
  )
  const tasks = new Map(
    request.tasks?.map(({ taskTypeCode: code, value }, i) => [
      known('taskType', 'task type', code, `tasks[${i}].taskTypeCode`, codes.taskType(code), wait),
      value,
    ]),
  )
  const notes = notesOf(planned, wait)
  const loadShippingPortId = port(request.loadShippingPortCode, 'loadShippingPortCode')
  const dischargeShippingPortId = port(request.dischargeShippingPortCode, 'dischargeShippingPortCode')
  if (reasons.size > 0 || clientId === null)
    return { reasons: [...reasons.values()], consignment: undefined, fetched: [] }

  const consignmentId = planned.id
  const consignment: NewConsignment = {
    consignment: {
      id: consignmentId,
      type: request.consignmentType,
      status: ConsignmentStatus.Pending,
      clientId,
      carrierId,
      warehouseId: warehouse?.id,
      referenceNumber: request.referenceNumber,
      externalId: request.externalId,
      carrierReferenceNumber: request.carrierReference,
      dateEntered: local(request.enteredDate) ?? localNow(at, timeZone),
      expectedArrivalDateTime: local(request.expectedArrivalDateTime),
      expectedDispatchDateTime: local(request.expectedDispatchDateTime),
      expectedDeliveryDateTime: local(request.expectedDeliveryDateTime),
      originAddress: request.originAddress && storedAddress(request.originAddress),
      originAddressAttention: request.originAddressAttention,
      destinationAddress: request.destinationAddress && storedAddress(request.destinationAddress),
      destinationAddressAttention: request.destinationAddressAttention,
      destinationAuthorityToLeave: request.destinationAuthorityToLeave ?? false,
      deliveryInstructions: request.deliveryInstructions,
      pickingInstructions: request.pickingInstructions,
      receiversReference: request.receiversReference,
      sendersReference: request.sendersReference,
      poNumber: request.poNumber,
      soNumber: request.soNumber,
      containerNumber: request.containerNumber,
      containerSealNumber: request.containerSealNumber,
      containerSize: request.containerSize,
      containerType: request.containerType,
      containerTareWeightKG: request.containerTareWeightKG,
      containerGrossWeightKG: request.containerGrossWeightKG,
      containerYardCode: request.containerYardCode,
      containerYardReference: request.containerYardReference,
      containerVesselName: request.containerVesselName,
      containerVoyage: request.containerVoyage,
      loadShippingPortId,
      dischargeShippingPortId,
    },
    ...lines,
    serviceTypes: [...serviceTypeIds].map(serviceTypeId => ({
      consignmentId,
      serviceTypeId: serviceTypeId as string,
    })),
    tasks: [...tasks].map(([taskTypeId, value]) => ({
      id: newId(),
      consignmentId,
      taskTypeId: taskTypeId as string,
      value,
    })),
    notes: notes.rows,
    attachments: notes.attachments,
    source,
  }
  return { reasons: [], consignment, fetched: notes.fetched }
}

function clientOf({ clientCode }: ImportRequest, codes: Codes, wait: Wait): string | null {
  const partner = codes.partner(clientCode)
  if (partner === undefined || partner.relationship === Relationship.Client) {
    return known('client', 'client', clientCode, 'clientCode', partner, wait)
  }
  wait('client', clientCode, 'clientCode', `The partner ${clientCode} is a carrier, not a client.`)
  return null
}

function carrierOf({ carrierCode }: ImportRequest, codes: Codes, wait: Wait): string | null {
  if (!carrierCode) return null
  const partner = codes.partner(carrierCode)
  if (partner === undefined || partner.relationship === Relationship.Carrier) {
    return known('carrier', 'carrier', carrierCode, 'carrierCode', partner, wait)
  }
  wait('carrier', carrierCode, 'carrierCode', `The partner ${carrierCode} is a client, not a carrier.`)
  return null
}

/**
 * The warehouse that the import names, or the only one that it can mean. Point-to-point consignments do
 * without.
 */
function warehouseOf(
  { warehouseCode: code, consignmentType }: ImportRequest,
  codes: Codes,
  wait: Wait,
): ResolvedWarehouse | undefined {
  if (code) {
    const warehouse = codes.warehouse(code)
    return known('warehouse', 'warehouse', code, 'warehouseCode', warehouse, wait) === null
      ? undefined
      : warehouse
  }
  if (consignmentType === ConsignmentType.PointToPoint) return undefined
  const [only, another] = codes.activeWarehouses
  if (only !== undefined && another === undefined) return only
  const how = only === undefined ? 'no active warehouse' : 'more than one active warehouse'
  wait('warehouse', null, 'warehouseCode', `The import names no warehouse, and the organisation has ${how}.`)
  return undefined
}

/** The notes of an import and their files: those that came with it, and those that were fetched. */
function notesOf({ id, request, userId, downloads }: PlannedImport, wait: Wait) {
  const rows: NoteRow[] = []
  const attachments: NewConsignment['attachments'] = []
  const fetched: FetchedAttachment[] = []
  for (const [n, note] of (request.notes ?? []).entries()) {
    const noteId = newId()
    rows.push({
      id: noteId,
      consignmentId: id,
      note: note.note,
      displayOnPrintOut: note.displayOnPrintOut ?? false,
      createdBy: userId,
    })
    for (const [a, attachment] of (note.attachments ?? []).entries()) {
      const { content, contentType, fileName, downloadUrl } = attachment
      if (content && contentType && fileName) {
        attachments.push({
          id: newId(),
          consignmentNoteId: noteId,
          fileName,
          contentType: mediaType(contentType),
          content,
        })
      } else if (downloadUrl) {
        const file = fetchedFile(attachment, downloads.get(downloadUrl))
        if ('fault' in file) {
          wait(
            'attachment',
            downloadUrl,
            `notes[${n}].attachments[${a}].downloadUrl`,
            `The file could not be fetched. ${file.fault}`,
          )
        } else fetched.push({ id: newId(), importId: id, consignmentNoteId: noteId, downloadUrl, ...file })
      }
    }
  }
  return { rows, attachments, fetched }
}
