// The endpoints of location labels, which return or print one label and print many at once, also on A4
// sheets. Spec 2.14, 4.15; decision 4.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { type Db, empty, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { notFound, validationFailed, verificationFailed } from '../../platform/http/refusal.ts'
import { named, optional, Type, Uuid } from '../../platform/http/schema.ts'
import { mapInSlices } from '../../platform/work/slices.ts'
import { PrintJobKind, PrintType } from '../../vocabulary/paper.ts'
import { WarehouseStatus } from '../../vocabulary/warehouses.ts'
import { requireWarehouse } from '../../warehouses/warehouse.ts'
import { PrintJobCreated, PrintOption } from '../print-jobs/submit.ts'
import { labelEndpoints, printLabels, type RecordLabels, SizeName } from './label-endpoints.ts'
import { type LocationData, type LocationSize, locationLabel, locationSheets } from './location-layout.ts'
import { overflowRefusal, requireLabel } from './overflow.ts'
import { locationSizes, sheetName } from './sizes.ts'

const sizeNames = [...(Object.keys(locationSizes) as LocationSize[]), sheetName] as const
type LabelOrSheetSize = (typeof sizeNames)[number]
const maxLocations = 1_000
const printerType = (size: LabelOrSheetSize) => (size === sheetName ? PrintType.Document : PrintType.Label)

/** Lays out the labels of locations, or the sheets with them. Refuses (400) what does not fit. */
async function labelsOf(
  locations: readonly LocationData[],
  size: LabelOrSheetSize,
  dotsPerMM: number,
  name: string,
): Promise<RecordLabels> {
  const base = { name, partnerId: null }
  if (size === sheetName) {
    const sheets = await locationSheets(locations, dotsPerMM)
    if ('overflow' in sheets) throw overflowRefusal(sheets.name, sheets, size)
    return { ...base, labels: sheets.labels, areSheets: true }
  }
  const labels = await mapInSlices(locations, data =>
    requireLabel(locationLabel(data, size, dotsPerMM), data.name, size),
  )
  return { ...base, labels }
}

const locationColumns = sql`l.name, z.name as zone_name, w.name as warehouse_name`
const locationTables = sql`warehouse_location l
  join warehouse w on w.organisation_id = l.organisation_id and w.id = l.warehouse_id
  left join warehouse_zone z on z.organisation_id = l.organisation_id and z.id = l.warehouse_zone_id`

const singleLabel = labelEndpoints({
  path: '/v1/warehouses/:warehouseId/locations/:warehouseLocationId/label',
  name: 'LocationLabel',
  partners: 'clients',
  printPartners: 'none',
  scope: 'warehouse.read',
  subject: 'the label of a location',
  description: `The name as text, Code 128 and QR code. ${sheetName} is an A4 sheet, available as PDF only.`,
  kind: PrintJobKind.LocationLabel,
  sizes: sizeNames,
  options: {},
  printerType,
  async read({ db, actor, params, size, dotsPerMM }) {
    const location = await db.maybe<LocationData>(sql`
      select ${locationColumns} from ${locationTables}
      where l.organisation_id = ${actor.organisationId} and l.warehouse_id = ${params.warehouseId}
        and l.id = ${params.warehouseLocationId}`)
    if (location === undefined) throw notFound('Warehouse location')
    return labelsOf([location], size, dotsPerMM, `Location label ${location.name}`)
  },
})

interface LocationSelection {
  warehouseZoneId?: string | null
  warehouseLocationIds?: string[] | null
}

/** Reads locations of a warehouse in walking order. Refuses (400) unknown ones, none, and too many. */
async function readLocations(
  db: Db,
  actor: Actor,
  warehouseId: string,
  { warehouseZoneId, warehouseLocationIds }: LocationSelection,
): Promise<LocationData[]> {
  await requireWarehouse(db, actor, warehouseId)
  const ids = warehouseLocationIds ?? []
  const locations = await db.rows<LocationData>(sql`
    select ${locationColumns} from ${locationTables}
    where l.organisation_id = ${actor.organisationId} and l.warehouse_id = ${warehouseId}
      ${
        warehouseZoneId
          ? sql`and l.warehouse_zone_id = ${warehouseZoneId} and l.status = ${WarehouseStatus.Active}`
          : empty
      }
      ${warehouseLocationIds ? sql`and l.id = any(${ids})` : empty}
    order by l.walking_order nulls last, lower(l.name), l.id
    limit ${maxLocations + 1}`)
  if (warehouseLocationIds && locations.length < new Set(ids).size)
    throw verificationFailed(
      faultAt('warehouseLocationIds', 'does not refer to a location of the warehouse', 'unknown_reference'),
    )
  if (locations.length === 0)
    throw verificationFailed(faultAt('warehouseZoneId', 'has no active location', 'state'))
  if (locations.length > maxLocations)
    throw verificationFailed(`At most ${maxLocations} locations are printed at a time.`)
  return locations
}

const manyLabels = endpoint({
  post: '/v1/warehouses/:warehouseId/locations/labels/print',
  name: 'printLocationLabels',
  partners: 'none',
  scope: 'print',
  extension: true,
  summary: 'Print the labels of many locations',
  description:
    'Prints the labels of the active locations of a zone, or of the given locations, in walking order. The ' +
    `limit is 500 labels; with the size ${sheetName}, which document printers print, 1,000.`,
  body: named(
    'LocationLabelsPrint',
    Type.Object({
      printOption: PrintOption,
      size: optional(SizeName(sizeNames)),
      warehouseZoneId: optional(Uuid),
      warehouseLocationIds: optional(Type.Array(Uuid, { minItems: 1, maxItems: maxLocations })),
    }),
  ),
  ownTransactions: true,
  response: json(PrintJobCreated),
  async handle({ database, actor, params, body }) {
    const { printOption, warehouseZoneId, warehouseLocationIds } = body
    if (!warehouseZoneId === !warehouseLocationIds)
      throw validationFailed('Either warehouseZoneId or warehouseLocationIds says which locations.')
    const kind = {
      kind: PrintJobKind.LocationLabel,
      scope: 'warehouse.read',
      sizes: sizeNames,
      printerType,
    } as const
    const printing = { database, actor, printOption, size: body.size, ...kind }
    return printLabels<LabelOrSheetSize>(printing, async (db, size, dotsPerMM): Promise<RecordLabels> => {
      const locations = await readLocations(db, actor, params.warehouseId, body)
      return labelsOf(locations, size, dotsPerMM, `Location labels (${locations.length})`)
    })
  },
})

export const locationLabels = [...singleLabel, manyLabels]
