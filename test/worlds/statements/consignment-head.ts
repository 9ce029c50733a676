// The head of the detail of a consignment: every field of it. A field that nobody compares, and for which
// nothing says why, fails.

import assert from 'node:assert/strict'
import { type Consignment, Status } from '../notebook/orders.ts'
import type { World } from '../world.ts'
import { cameOn } from './consignment-reports.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import { carrierName, clientName, warehouseName } from './rows.ts'

/** What nobody in these worlds writes on a consignment. */
const unset = [
  ...['referenceNumber', 'externalId', 'ediStatus', 'poNumber', 'soNumber', 'receiversReference'],
  ...['sendersReference', 'deliveryInstructions', 'pickingInstructions'],
  ...['carrierReference', 'carrierReferenceNumber'],
  ...['carrierRunNumber', 'carrierRunOrdinal'],
  ...['expectedArrivalDateTime', 'expectedDispatchDateTime', 'expectedDeliveryDateTime'],
  ...['originAddress', 'originAddressAttention', 'destinationAddress', 'destinationAddressAttention'],
  ...['defaultReceiveLocationId', 'defaultDispatchLocationId'],
  ...['loadShippingPortCode', 'dischargeShippingPortCode'],
  ...['containerNumber', 'containerSealNumber', 'containerSize', 'containerType', 'containerTareWeightKG'],
  ...['containerGrossWeightKG', 'containerYardCode', 'containerYardReference', 'containerVesselName'],
  'containerVoyage',
]

const empty = ['serviceTypeCodes', 'serviceTypes']

/** What is compared elsewhere, or not at all, and why. */
const elsewhere: Record<string, string> = {
  products: 'line by line',
  metrics: 'with the lines',
  returnOf: 'with the returns',
  returns: 'with the returns',
  notes: 'note by note',
  consignmentTracking: 'parcel by parcel',
  pods: 'proof by proof',
  tasks: 'type by type',
  consumables: 'type by type',
  jobs: 'the wave is compared in the summary of outwards consignments',
}

const dayOf = (time: string | null) => time?.slice(0, 10) ?? null
const normalPriority = 2
const active = 2

/** Who takes it. */
function carrierOf({ books }: World, { isCarried }: Consignment): Record<string, unknown> {
  if (!isCarried) return { carrier: null, carrierId: null, carrierName: null, carrierCode: null }
  const { carrierId: id } = books
  const carrier = { id, externalId: null, name: carrierName, code: 'SWF', email: null }
  return {
    ...{ carrierId: id, carrierName, carrierCode: 'SWF' },
    carrier: { ...carrier, relationship: 2, status: active },
  }
}

export function compareHead(world: World, consignment: Consignment, told: Row): void {
  const { id, number, type, status, enteredOn, bill, leftOn } = consignment
  const { clientId, warehouseId } = world
  const consignmentType = type === 'inwards' ? 1 : 2
  const known: Record<string, unknown> = {
    ...{ id, consignmentNumber: number, type: consignmentType, consignmentType, status },
    ...{ clientId, clientName, clientCode: 'KAURI', warehouseId, warehouseName, warehouseCode: 'AKL' },
    ...{ dateEntered: enteredOn, enteredDate: enteredOn, priority: normalPriority },
    ...{ actualReceiveDateTime: cameOn(consignment), actualDispatchDateTime: leftOn },
    closedTransactionDate: status === Status.Closed ? (bill?.day ?? null) : null,
    destinationAuthorityToLeave: false,
    client: {
      ...{ id: clientId, externalId: null, name: clientName, code: 'KAURI', email: null },
      ...{ relationship: 1, status: active },
    },
    ...carrierOf(world, consignment),
    ...Object.fromEntries(unset.map(field => [field, null])),
    ...Object.fromEntries(empty.map(field => [field, []])),
  }
  const compared = [...Object.keys(known), ...Object.keys(elsewhere)].toSorted()
  assert.deepEqual(Object.keys(told).toSorted(), compared, 'a detail has fields that are not compared')
  const isTime = (field: string) => /^(actual\w+DateTime|dateEntered|enteredDate)$/.test(field)
  for (const [field, value] of Object.entries(known))
    sameText(isTime(field) ? dayOf(told[field]) : told[field], value, `${number}, ${field}`)
}

/** The fields of a line that the comparison of lines does not read. */
const ofLines = { goodsDescription: null, packageTypeCode: null, isManualReconciliationRequired: false }

const comparedOfLines = [
  ...['id', 'product', 'productCode', 'batch', 'bestBeforeDate', 'expiryDate', 'packagingDate'],
  ...['productionDate', 'sellByDate', 'logisticUnitSsccNumber', 'logisticUnitReferenceNumber', 'attributes'],
  ...['expectedQuantity', 'expectedWeightKG', 'expectedVolumeM3', 'allocatedQuantity', 'pickedQuantity'],
  ...['receivedQuantity', 'receivedWeightKG', 'receivedVolumeM3', 'dispatchedQuantity'],
  ...['dispatchedWeightKG', 'dispatchedVolumeM3', 'heldQuantity', 'shortQuantity', 'items', 'sentBatches'],
  // Follows from the stock of all warehouses, which is compared row by row.
  'criticalStockStatus',
]

/** The other fields of a line. */
export function compareLineHead(told: Row, what: string): void {
  const compared = [...comparedOfLines, ...Object.keys(ofLines)].toSorted()
  assert.deepEqual(Object.keys(told).toSorted(), compared, 'a line has fields that are not compared')
  for (const [field, value] of Object.entries(ofLines)) sameText(told[field], value, `${what}, ${field}`)
}

/** What left with the line of which this one returns goods, whatever of it came back. */
export function compareSent({ returnOf }: Consignment['lines'][number], told: Row, what: string): void {
  if (returnOf === null) sameText(told.sentBatches, [], `${what}, what was sent`)
  const sent = (returnOf?.departures ?? [])
    .filter(({ isUndone }) => !isUndone)
    .map(({ identity: { product, look }, quantity }) => ({
      words: JSON.stringify([product.id, look.batch, look.expiryDate]),
      quantity,
    }))
  const sum = (rows: readonly { words: string; quantity: number }[]) =>
    [...Map.groupBy(rows, ({ words }) => words)]
      .map(([words, own]) => `${words} ${own.reduce((all, one) => all + one.quantity, 0).toFixed(4)}`)
      .toSorted()
  const listed = told.sentBatches.map((row: Row) => ({
    words: JSON.stringify([row.partnerProductId, row.batch, dayOf(row.expiryDate)]),
    quantity: row.quantity,
  }))
  sameText(sum(listed), sum(sent), `${what}, what was sent`)
}
