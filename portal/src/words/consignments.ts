// The texts of consignments. Statuses are the contract's, with spaces.

import {
  ConsignmentPriority,
  ConsignmentStatus,
  ConsignmentType,
  TrackingStatus,
} from '../../../client/src/waybill.ts'
import { plural } from '../../../ui/plural.ts'

/** The name of a value in an enumeration of the API, such as `ReadyToPick`. */
export const nameIn = (values: Readonly<Record<string, number>>, value: number): string =>
  Object.keys(values).find(name => values[name] === value) ?? String(value)

/** A name of the API in words: `Ready to pick`. */
export const inWords = (name: string): string =>
  name.replace(/(?<=[a-z])[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

/** What an event was, from its type: `consignment.status-changed` is *Status changed*. */
export const eventInWords = (type: string): string => {
  const words = type.slice(type.indexOf('.') + 1).replace(/[-_.]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const consignmentWords = {
  statusName: (status: number) => nameIn(ConsignmentStatus, status),
  status: (status: number) => inWords(nameIn(ConsignmentStatus, status)),
  type: (type: number) => inWords(nameIn(ConsignmentType, type)),
  priority: (priority: number) => inWords(nameIn(ConsignmentPriority, priority)),
  trackingStatus: (status: number) => inWords(nameIn(TrackingStatus, status)),

  consignments: 'Consignments',
  newConsignment: 'New consignment',
  search: 'Search consignments',
  searchPlaceholder: 'Number, reference, container',
  none: 'No consignments yet. They come from imports.',
  open: 'Open',
  toReceive: 'To receive',
  toPick: 'To pick',
  toDispatch: 'To dispatch',
  inTransit: 'In transit',
  late: 'Late',
  all: 'All',
  byStatus: 'By status',
  headNumber: 'Number',
  headStatus: 'Status',
  headType: 'Type',
  headClient: 'Client',
  headReference: 'Reference',
  headWarehouse: 'Warehouse',
  headCarrier: 'Carrier',
  headRun: 'Run',
  headEntered: 'Entered',
  headRoute: 'Route',
  headDue: 'Due',
  headLines: 'Lines',
  headQuantity: 'Quantity',
  headShort: 'Short',
  headJob: 'Job',
  headPriority: 'Priority',
  between: (from: string | null | undefined, to: string | null | undefined) =>
    [from, to].filter(Boolean).join(' → ') || '–',
  /** a due day, counted from today; undefined if the date says more */
  due: (days: number, isLate: boolean) => {
    if (isLate) return days < 0 ? `${plural(-days, 'day')} late` : 'late'
    if (days === 0) return 'today'
    return days === 1 ? 'tomorrow' : undefined
  },
  yes: 'Yes',
  no: 'No',

  moveTo: (status: number) => `Move to ${inWords(nameIn(ConsignmentStatus, status))}`,
  dispatch: 'Dispatch',
  complete: 'Complete',
  close: 'Close',
  done: 'Done',
  newWave: 'New wave',
  addToWave: 'Add to a wave',
  wave: 'Wave',
  waveName: (number: string, client: string | null, reference: string | null) =>
    [number, client, reference].filter(Boolean).join(', '),
  noOpenWave: 'No wave is open. New wave makes one of the selection.',
  noCarrier: 'None',
  print: 'Print',
  paper: 'Paper',
  printer: 'Printer',
  noPrinter: 'No printer for documents is set up.',
  refused: (number: string, reasons: string) => `${number}: ${reasons}`,
  changedMany: (changed: number, refused: number) =>
    refused === 0
      ? `${plural(changed, 'consignment is', 'consignments are')} changed.`
      : `${plural(changed, 'consignment is', 'consignments are')} changed, ${refused} not.`,
  void: 'Void',
  voidDone: (number: string) => `${number} is void`,
  cannotBeVoid: 'Only a consignment that is not Complete, Closed or Void can become void.',
  reopen: 'Reopen',
  reopenedDone: (number: string) => `${number} is open again`,
  reason: 'Reason',
  stock: 'Stock',
  allocate: 'Allocate',
  allocatedDone: 'Stock is allocated as far as there is some',
  allocatedAtPick: 'Stock is allocated while it is Ready to pick.',
  nothingShort: 'Every line has its stock.',
  release: 'Release',
  releasedDone: 'The allocated stock is released',
  nothingAllocated: 'No stock is allocated.',
  receive: 'Receive',
  pick: 'Pick',
  documents: 'Documents',
  document: {
    'detail-pdf': 'Detail',
    'picking-list-pdf': 'Picking list',
    'dispatch-confirmation-pdf': 'Dispatch confirmation',
    'receipt-confirmation-pdf': 'Receipt confirmation',
    'dg-declaration-pdf': 'Dangerous goods declaration',
    'pallet-labels': 'Pallet labels',
  },
  download: 'Download',
  downloadOf: (name: string) => `Download ${name}`,
  priorityHeading: 'Priority',
  move: 'Move',
  moved: (number: string, status: number) => `${number} is now ${inWords(nameIn(ConsignmentStatus, status))}`,
  unchanged: 'Nothing had changed',
  prioritySet: (number: string, priority: number) =>
    `${number} has priority ${inWords(nameIn(ConsignmentPriority, priority))}`,

  route: 'Route',
  from: 'From',
  to: 'To',
  lines: 'Lines',
  linesSummary: (lines: number, quantity: string, weight: string | undefined) =>
    [plural(lines, 'line'), `${quantity} expected`, weight && `${weight} kg`].filter(Boolean).join(', '),
  product: 'Product',
  batch: 'Batch',
  expected: 'Expected',
  allocated: 'Allocated',
  picked: 'Picked',
  received: 'Received',
  dispatched: 'Dispatched',
  short: 'Short',
  work: 'Work',
  task: 'Task',
  consumable: 'Consumable',
  service: 'Service',
  noWork: 'No tasks, consumables or services.',
  tracking: 'Tracking',
  noTracking: 'No tracking yet.',
  notes: 'Notes',
  noNotes: 'No notes yet.',
  addNote: 'Add note',
  note: 'Note',
  saveNote: 'Save note',
  noteSaved: 'The note is saved',
  onPapers: 'printed on papers',
  notOnPapers: 'not printed',
  printOnPapers: 'Print on papers',
  proofs: 'Proof of delivery',
  noProofs: 'No proof of delivery yet.',
  signedBy: (name: string) => `Signed by ${name}`,
  container: 'Container',
  noContainer: 'No container.',
  seal: 'Seal',
  vessel: 'Vessel',
  jobs: 'Jobs',
  noJobs: 'In no job.',
  charges: 'Charges',
  noCharges: 'Nothing is charged yet.',
  byExpected: 'by what is expected, until the goods have moved',
  chargedFor: 'For',
  kind: 'Kind',
  quantity: 'Quantity',
  rate: 'Rate',
  amount: 'Amount',
  freight: 'Freight',
  carrierFreight: 'Carrier freight',
  margin: (value: string) => `Freight margin ${value}`,
  history: 'History',
  references: 'References',
  reference: 'Reference',
  purchaseOrder: 'Purchase order',
  salesOrder: 'Sales order',
  carrierReference: 'Carrier reference',
  receiversReference: "Receiver's reference",
  sendersReference: "Sender's reference",
  externalId: 'External id',
  closedOn: (day: string) => `Closed on ${day}; its charges are final`,
  expectedArrival: 'Expected arrival',
  expectedDispatch: 'Expected dispatch',
  expectedDelivery: 'Expected delivery',
  nothing: '–',
  by: (person: string, app: string | null) => (app === null ? person : `${person} by ${app}`),
} as const
