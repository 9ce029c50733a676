// The consignment detail as a document, with everything that is known about the consignment. Spec 4.2;
// decision 4.

import { Type } from '../../../platform/http/schema.ts'
import { ConsignmentStatus, ConsignmentType } from '../../../vocabulary/consignments.ts'
import { PrintJobKind } from '../../../vocabulary/paper.ts'
import { documentEndpoints, OrientationOption } from '../../document-endpoints.ts'
import { type Block, type Cell, type Field, formatSum, type Row } from '../document-content.ts'
import { formatDate, formatDateTime, formatFigure, formatNonZero } from '../format.ts'
import { words } from '../words.ts'
import {
  addressesBlock,
  type Detail,
  instructionsBlock,
  notesBlock,
  readConsignment,
  referenceFields,
  shippingFields,
  timeFields,
} from './consignment-document.ts'

type Line = Detail['products'][number]

/** Describes the batch, dates and attributes of a line. */
const describeAttributes = (line: Line): string[] => {
  const dates: Field[] = [
    [words.dates.batch, line.batch],
    [words.dates.bestBefore, formatDate(line.bestBeforeDate)],
    [words.dates.expiry, formatDate(line.expiryDate)],
    [words.dates.packaging, formatDate(line.packagingDate)],
    [words.dates.production, formatDate(line.productionDate)],
    [words.dates.sellBy, formatDate(line.sellByDate)],
    ...line.attributes.map(({ name, description }): Field => [name ?? '', description]),
  ]
  return dates.flatMap(([label, value]) => (value ? [`${label} ${value}`.trim()] : []))
}

const packageCell = ({
  packageTypeCode,
  logisticUnitReferenceNumber,
  logisticUnitSsccNumber,
}: Line): Cell => {
  const unit = [logisticUnitReferenceNumber, logisticUnitSsccNumber].filter(Boolean)
  return unit.length === 0 ? packageTypeCode : { text: packageTypeCode, small: unit }
}

type FigureColumn = readonly [label: string, figureIn: (line: Line) => number | null, isAlwaysShown?: boolean]
const outwardFigures: readonly FigureColumn[] = [
  [words.columns.allocated, line => line.allocatedQuantity],
  [words.columns.picked, line => line.pickedQuantity],
]

const endStatuses: readonly number[] = [
  ConsignmentStatus.Complete,
  ConsignmentStatus.Closed,
  ConsignmentStatus.Void,
]

/** The table of lines, with the figures that apply to the type of consignment. */
function linesTable({ products, type, status }: Detail): Block {
  const isInwards = type === ConsignmentType.Inwards
  const isOutwards = type === ConsignmentType.Outwards
  const { columns } = words
  const movedQuantity = (line: Line) => (isInwards ? line.receivedQuantity : line.dispatchedQuantity)
  const hasMoved = products.some(line => movedQuantity(line) > 0)
  // Goods that have not arrived yet are not short.
  const isAwaited = isInwards && !endStatuses.includes(status) && !hasMoved
  // What came or left is weighed and measured; until then, it is what was announced.
  const weightIn = (line: Line) => (isInwards ? line.receivedWeightKG : line.dispatchedWeightKG)
  const volumeIn = (line: Line) => (isInwards ? line.receivedVolumeM3 : line.dispatchedVolumeM3)
  const figures: FigureColumn[] = [
    [columns.expected, line => line.expectedQuantity, true],
    ...(isOutwards ? outwardFigures : []),
    [isInwards ? columns.received : columns.dispatched, movedQuantity],
    ...(isAwaited ? [] : [[columns.short, (line: Line) => line.shortQuantity] as const]),
    [columns.weight, hasMoved ? weightIn : line => line.expectedWeightKG],
    [columns.volume, hasMoved ? volumeIn : line => line.expectedVolumeM3],
  ]
  return {
    kind: 'table',
    title: words.tables.products,
    columns: [
      { label: columns.product, width: '3fr' },
      { label: columns.package, width: '1fr' },
      ...figures.map(([label, , isAlwaysShown = false]) => ({
        label,
        width: 'figures' as const,
        isAlwaysShown,
      })),
    ],
    rows: products.map(
      (line): Row => ({
        cells: [
          {
            text: line.product?.code ?? line.productCode,
            bold: true,
            small: [line.goodsDescription || line.product?.name, describeAttributes(line).join(' · ')],
          },
          packageCell(line),
          ...figures.map(([, figureIn, isAlwaysShown]) =>
            isAlwaysShown ? formatFigure(figureIn(line)) : formatNonZero(figureIn(line)),
          ),
        ],
        serials: line.items.flatMap(({ serial }) => (serial === null ? [] : [serial])),
      }),
    ),
    totals: [words.total, null, ...figures.map(([, figureIn]) => formatSum(products, figureIn) || null)],
  }
}

const valueTable = (title: string, label: string, rows: readonly Row[]): Block => ({
  kind: 'table',
  title,
  columns: [
    { label, width: '1fr' },
    { label: words.columns.value, width: 'figures' },
  ],
  rows,
})

const podsTable = (c: Detail): Block => ({
  kind: 'table',
  title: words.tables.pods,
  columns: [
    { label: words.columns.at, width: 40 },
    { label: words.columns.signatory, width: '1fr' },
    { label: words.columns.link, width: '2fr' },
  ],
  rows: c.pods.map(({ eventUtc, signatoryName, externalUrl }) => ({
    cells: [`${formatDateTime(eventUtc)} UTC`, signatoryName, externalUrl],
  })),
})

function blocksOf(c: Detail, includeShipping: boolean): Block[] {
  const fields: Field[] = [
    [words.fields.status, words.statuses[c.status]],
    [words.fields.type, words.types[c.consignmentType]],
    [words.fields.priority, words.priorities[c.priority]],
    [words.fields.warehouse, c.warehouseName],
    [words.fields.client, `${c.client.name} (${c.client.code})`],
    ...referenceFields(c),
    ...timeFields(c),
  ]
  return [
    { kind: 'fields', fields },
    addressesBlock(c),
    ...(includeShipping
      ? ([
          { kind: 'fields', fields: shippingFields(c) },
          instructionsBlock(words.instructions.delivery, c.deliveryInstructions),
        ] as const)
      : []),
    instructionsBlock(words.instructions.picking, c.pickingInstructions),
    notesBlock(c),
    linesTable(c),
    valueTable(
      words.tables.tasks,
      words.columns.task,
      c.tasks.map(({ taskTypeName, value }) => ({ cells: [taskTypeName, formatFigure(value)] })),
    ),
    valueTable(
      words.tables.consumables,
      words.columns.consumable,
      c.consumables.map(({ consumableTypeName, value }) => ({
        cells: [consumableTypeName, formatFigure(value)],
      })),
    ),
    podsTable(c),
  ]
}

export const consignmentDetailPdf = documentEndpoints({
  path: '/v1/consignments/:consignmentId/detail-pdf',
  name: 'ConsignmentDetail',
  partners: 'all',
  scope: 'consignment.read',
  subject: 'the detail of a consignment',
  isSpecified: true,
  kind: PrintJobKind.ConsignmentDetail,
  options: {
    orientation: OrientationOption,
    includeShipping: {
      ...Type.Boolean(),
      description: 'Include carrier and shipping details. Default: true.',
    },
  },
  async read({ db, actor, params, options }) {
    const { consignment, header } = await readConsignment(db, actor, params.consignmentId as string)
    return {
      title: words.titles.detail,
      number: consignment.consignmentNumber,
      header,
      partnerId: consignment.clientId,
      consignmentId: consignment.id,
      blocks: blocksOf(consignment, options.includeShipping ?? true),
    }
  },
})
