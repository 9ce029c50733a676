// Reads the contents of pallet labels. A label says what is in its unit, or what left on it, never what a
// consignment has of it; and a consignment has the labels of the units that are wholly its own, one a unit.
// Spec 2.3, 2.14.

import type { Actor } from '../../access/actor.ts'
import { visibleConsignments } from '../../consignments/consignment.ts'
import { type Db, empty, type Sql, sql } from '../../platform/database/db.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { countedRowId } from '../../stock/ledger/counted-row.ts'
import { ConsignmentStatus, ConsignmentType } from '../../vocabulary/consignments.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import type { StoredAddress } from '../../warehouses/address.ts'
import { movedUtc, now, rowAt } from '../former-records.ts'
import { describeHazards, hazardJsonFields, type StoredHazards } from './label-hazards.ts'
import type { PalletData, PalletGoods, Party } from './pallet-data.ts'

/** The consignment data on pallet labels. */
interface Route {
  consignmentNumber: string
  referenceNumber: string | null
  type: number
  origin: StoredAddress | null
  originAttention: string | null
  destination: StoredAddress | null
  destinationAttention: string | null
}

interface Warehouse {
  name: string
  address: StoredAddress
}

interface StoredUnit {
  logisticUnitNumber: string | null
  ssccNumber: string | null
  referenceNumber: string | null
  contents: StoredContent[]
}

type StoredContent = Omit<PalletGoods, 'dangerousGoods'> & StoredHazards

const routeJson = sql`json_build_object(
  'consignmentNumber', c.consignment_number, 'referenceNumber', c.reference_number, 'type', c.type,
  'origin', c.origin_address, 'originAttention', c.origin_address_attention,
  'destination', c.destination_address, 'destinationAttention', c.destination_address_attention)`

/** Warehouse `w` as it was at a moment. */
const warehouseAt = (moment: Sql): Sql => sql`(
  select json_build_object('name', x.name, 'address', x.address) from ${rowAt(sql`w`, moment)} x)`

/** The name of partner `p` at a moment. */
const clientNameAt = (moment: Sql): Sql => sql`(select x.name from ${rowAt(sql`p`, moment)} x)`

/**
 * Selects the rows of the subselect `goods` as a JSON array of `PalletGoods`, with their products as they
 * were at a moment.
 */
const contents = (organisationId: string, goods: Sql, moment: Sql = now): Sql => sql`(
  select coalesce(json_agg(json_build_object(
    'productCode', coalesce(d.code, g.product_code), 'productName', coalesce(d.name, g.description, ''),
    'gtin', d.gtin, 'quantity', trim_scale(g.quantity), 'unitName', coalesce(m.name, n.name),
    'batch', g.batch, 'bestBeforeDate', g.best_before_date, 'expiryDate', g.expiry_date,
    ${hazardJsonFields(moment)}
  ) order by coalesce(d.code, g.product_code), g.best_before_date, g.expiry_date, g.batch), '[]')
  from (${goods}) g
  left join product p on p.organisation_id = ${organisationId} and p.id = g.product_id
  left join lateral ${rowAt(sql`p`, moment)} d on p.id is not null
  left join unit_type n on n.organisation_id = d.organisation_id and n.id = d.unit_type_id
  left join unit_type m on m.organisation_id = d.organisation_id and m.id = d.product_unit_type_id)`

/** The goods on unit `u` now. */
const goodsOnUnit = sql`
  select s.product_id, null as product_code, null as description, s.batch, s.best_before_date, s.expiry_date,
    sum(s.on_hand_quantity) as quantity
  from warehouse_product s
  where s.organisation_id = u.organisation_id and s.logistic_unit_id = u.id and not s.is_depleted
  group by 1, 2, 3, 4, 5, 6`

/** The goods that left on unit `u` with the consignment `last.consignment_id`. */
const goodsThatLeft = sql`
  select s.product_id, null as product_code, null as description, s.batch, s.best_before_date, s.expiry_date,
    -sum(t.quantity) as quantity
  from warehouse_product s
  join inventory_transaction t on t.organisation_id = s.organisation_id and t.warehouse_product_id = s.id
    and t.consignment_id = last.consignment_id and t.type = ${TransactionType.Dispatch}
  where s.organisation_id = u.organisation_id and s.logistic_unit_id = u.id
  group by 1, 2, 3, 4, 5, 6 having sum(t.quantity) < 0`

/**
 * Joins to unit `u`: `live`, whether goods are on it; and for an empty one `last`, the consignment with which
 * the last goods left it, unless that was undone, and when that was recorded.
 */
const stateOfUnit = sql`
  cross join lateral (
    select exists (
      select from warehouse_product s
      where s.organisation_id = u.organisation_id and s.logistic_unit_id = u.id and not s.is_depleted
    ) as is_any
  ) live
  left join lateral (
    select t.consignment_id, t.recorded_utc as left_utc
    from (
      select t.consignment_id, t.recorded_utc, t.type
      from warehouse_product s
      join inventory_transaction t on t.organisation_id = s.organisation_id and t.warehouse_product_id = s.id
        and t.quantity <> 0
      where s.organisation_id = u.organisation_id and s.logistic_unit_id = u.id
      order by t.recorded_utc desc, (t.type = ${TransactionType.Dispatch}) desc, t.quantity limit 1
    ) t where t.type = ${TransactionType.Dispatch}
  ) last on not live.is_any`

const leftUtc = sql`last.left_utc`

/** Joins unit `u` with the numbers that it had when the last goods left it, as `v`. */
const numbersOfUnit = sql`cross join lateral ${rowAt(sql`u`, leftUtc)} v`

const contentsOfUnit = (organisationId: string): Sql => sql`case when live.is_any
  then ${contents(organisationId, goodsOnUnit)} else ${contents(organisationId, goodsThatLeft, leftUtc)} end`

/** The consignment to which all goods on unit `u` are allocated; null if there is no such one. */
const wholeAllocation = sql`(
  select (array_agg(a.consignment_id))[1]
  from warehouse_product s
  left join inventory_allocation a on a.organisation_id = s.organisation_id and a.warehouse_product_id = s.id
  where s.organisation_id = u.organisation_id and s.logistic_unit_id = u.id and not s.is_depleted
  having count(distinct a.consignment_id) = 1 and sum(a.quantity) = (
    select sum(s.on_hand_quantity) from warehouse_product s
    where s.organisation_id = u.organisation_id and s.logistic_unit_id = u.id and not s.is_depleted))`

/**
 * Reads a logistic unit with its contents, or with what left on it. If all of it is allocated to one
 * consignment, or left with one, it has the addresses of that. Refuses (404) a unit that the actor may not
 * see.
 */
export async function readPallet(
  db: Db,
  { organisationId, partnerId }: Actor,
  logisticUnitId: string,
): Promise<PalletData & { partnerId: string }> {
  const unit = await db.maybe<
    StoredUnit & { partnerId: string; clientName: string; warehouse: Warehouse; route: Route | null }
  >(sql`
    select u.partner_id, ${clientNameAt(leftUtc)} as client_name, u.logistic_unit_number, v.sscc_number,
      v.reference_number,
      ${warehouseAt(leftUtc)} as warehouse, ${contentsOfUnit(organisationId)} as contents, (
        select ${routeJson} from consignment c
        where c.organisation_id = ${organisationId}
          and c.id = case when live.is_any then ${wholeAllocation} else last.consignment_id end
      ) as route
    from logistic_unit u
    join partner p on p.organisation_id = u.organisation_id and p.id = u.partner_id
    join warehouse w on w.organisation_id = u.organisation_id and w.id = u.warehouse_id
    ${stateOfUnit} ${numbersOfUnit}
    where u.organisation_id = ${organisationId} and u.id = ${logisticUnitId}
      ${partnerId === null ? empty : sql`and u.partner_id = ${partnerId}`}`)
  if (unit === undefined) throw notFound('Logistic unit')
  return { ...toPalletData(unit, unit.clientName, unit.route, unit.warehouse), partnerId: unit.partnerId }
}

const isOutwards = sql`c.type = ${ConsignmentType.Outwards}`

/** The units that goods of consignment `c` are on, were received onto or left on. */
const unitsWithGoods = sql`
  select s.logistic_unit_id from inventory_allocation a
  join warehouse_product s on s.organisation_id = a.organisation_id and s.id = a.warehouse_product_id
  where a.organisation_id = c.organisation_id and a.consignment_id = c.id
  union
  select s.logistic_unit_id from inventory_transaction t
  join warehouse_product s on s.organisation_id = t.organisation_id and s.id = ${countedRowId}
  where t.organisation_id = c.organisation_id and t.consignment_id = c.id
    and (t.type = ${TransactionType.Dispatch} and ${isOutwards}
      or t.type = ${TransactionType.Receive} and not ${isOutwards})
  group by t.consignment_product_id, s.id, s.logistic_unit_id having sum(t.quantity) <> 0`

/** Whether everything on unit `u` was received for consignment `c`. */
const isWhollyReceived = sql`not exists (
    select from warehouse_product s
    join inventory_transaction t on t.organisation_id = s.organisation_id and t.warehouse_product_id = s.id
      and t.type = ${TransactionType.Receive}
    where s.organisation_id = u.organisation_id and s.logistic_unit_id = u.id and t.consignment_id <> c.id
    group by t.consignment_id having sum(t.quantity) > 0
  ) and not exists (
    select from (${goodsOnUnit}) here
    where here.quantity > coalesce((
      select sum(t.quantity) from inventory_transaction t
      join warehouse_product s on s.organisation_id = t.organisation_id and s.id = t.warehouse_product_id
      where t.organisation_id = c.organisation_id and t.consignment_id = c.id
        and t.type = ${TransactionType.Receive} and s.product_id = here.product_id
        and (s.batch, s.best_before_date, s.expiry_date)
          is not distinct from (here.batch, here.best_before_date, here.expiry_date)
    ), 0))`

/**
 * The units with goods of consignment `c`. `isWhole` tells whether everything in the unit is the
 * consignment's. A unit that was received and is empty now is left out.
 */
const unitsOf = (organisationId: string): Sql => sql`(
  select coalesce(json_agg(json_build_object(
    'logisticUnitNumber', u.logistic_unit_number, 'ssccNumber', v.sscc_number,
    'referenceNumber', v.reference_number, 'contents', ${contentsOfUnit(organisationId)},
    'isWhole', case when not live.is_any then coalesce(last.consignment_id = c.id, false)
      when ${isOutwards} then coalesce(${wholeAllocation} = c.id, false) else ${isWhollyReceived} end
    ) order by u.number), '[]')
  from logistic_unit u ${stateOfUnit} ${numbersOfUnit}
  where u.organisation_id = c.organisation_id and u.id in (${unitsWithGoods})
    and (live.is_any or ${isOutwards}))`

/**
 * The pallets announced in lines of consignment `c` of which nothing has been received yet. Lines name a
 * pallet by its SSCC, its reference or both. One that goods were received onto has the label of its unit.
 */
const announcedUnits = (organisationId: string): Sql => sql`(
  with line as (
    select x.*, lower(x.logistic_unit_reference_number) as reference,
      coalesce(x.logistic_unit_sscc_number, max(x.logistic_unit_sscc_number)
        over (partition by lower(x.logistic_unit_reference_number))) as sscc
    from consignment_product x
    where x.organisation_id = c.organisation_id and x.consignment_id = c.id and not ${isOutwards}
      and (x.logistic_unit_sscc_number is not null or x.logistic_unit_reference_number is not null)
  ), pallet as (
    select x.sscc, case when x.sscc is null then x.reference end as reference,
      max(x.logistic_unit_reference_number) as name, min(x.ordinal) as first
    from line x
    where x.received_quantity <= 0 and x.expected_quantity > 0
    group by 1, 2
  )
  select coalesce(json_agg(json_build_object(
    'logisticUnitNumber', null, 'ssccNumber', l.sscc, 'referenceNumber', l.name,
    'contents', ${contents(
      organisationId,
      sql`select x.product_id, x.product_code, max(x.goods_description) as description, x.batch,
          x.best_before_date::date, x.expiry_date::date, sum(x.expected_quantity) as quantity
        from line x
        where x.received_quantity <= 0 and x.expected_quantity > 0 and x.sscc is not distinct from l.sscc
          and (l.sscc is not null or x.reference = l.reference)
        group by 1, 2, 4, 5, 6`,
    )}) order by l.first), '[]')
  from pallet l
  where not exists (
    select from logistic_unit u
    where u.organisation_id = c.organisation_id and u.id in (${unitsWithGoods})
      and (u.sscc_number = l.sscc or lower(u.reference_number) = l.reference))
)`

const consignmentMovedUtc = movedUtc({
  organisationId: sql`c.organisation_id`,
  id: sql`c.id`,
  type: sql`c.type`,
  status: sql`c.status`,
  dispatchedUtc: now,
})

/**
 * Reads the pallets that are wholly a consignment's; `shared` names the others with goods of it. Refuses a
 * consignment that the actor may not see (404) or is Void
 * (400).
 */
export async function readPallets(
  db: Db,
  actor: Actor,
  consignmentId: string,
): Promise<{ clientId: string; consignmentNumber: string; pallets: PalletData[]; shared: string[] }> {
  const { organisationId } = actor
  const found = await db.maybe<{
    clientId: string
    clientName: string
    status: number
    route: Route
    warehouse: Warehouse | null
    units: (StoredUnit & { isWhole: boolean })[]
    announced: StoredUnit[]
  }>(sql`
    select c.client_id, ${clientNameAt(sql`moved.utc`)} as client_name, c.status, ${routeJson} as route,
      case when w.id is not null then ${warehouseAt(sql`moved.utc`)} end as warehouse,
      ${unitsOf(organisationId)} as units, ${announcedUnits(organisationId)} as announced
    from consignment c
    join partner p on p.organisation_id = c.organisation_id and p.id = c.client_id
    left join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
    cross join lateral (select ${consignmentMovedUtc} as utc) moved
    where ${visibleConsignments(actor)} and c.id = ${consignmentId}`)
  if (found === undefined) throw notFound('Consignment')
  const { clientId, clientName, route, warehouse } = found
  if (found.status === ConsignmentStatus.Void)
    throw verificationFailed('A void consignment has no pallet labels.')
  const units = [...found.units.filter(({ isWhole }) => isWhole), ...found.announced]
  const pallets = units.map(unit => toPalletData(unit, clientName, route, warehouse))
  const shared = found.units.flatMap(({ isWhole, logisticUnitNumber }) =>
    isWhole ? [] : [logisticUnitNumber ?? ''],
  )
  return { clientId, consignmentNumber: route.consignmentNumber, pallets, shared }
}

function toPalletData(
  unit: StoredUnit,
  clientName: string,
  route: Route | null,
  warehouse: Warehouse | null,
): PalletData {
  const warehouseParty = warehouse === null ? null : partyOf(warehouse.address, warehouse.name, null)
  const isInwards = route?.type === ConsignmentType.Inwards
  const from = route === null ? null : partyOf(route.origin, null, route.originAttention)
  const to = route === null ? null : partyOf(route.destination, null, route.destinationAttention)
  return {
    logisticUnitNumber: unit.logisticUnitNumber,
    ssccNumber: unit.ssccNumber,
    referenceNumber: unit.referenceNumber,
    clientName,
    consignmentNumber: route?.consignmentNumber ?? null,
    consignmentReference: route?.referenceNumber ?? null,
    from: from ?? (isInwards ? null : warehouseParty),
    to: to ?? (isInwards ? warehouseParty : null),
    contents: unit.contents.map(content => ({ ...content, dangerousGoods: describeHazards(content) })),
  }
}

/** Returns null if neither the name nor the address has any text. */
function partyOf(address: StoredAddress | null, name: string | null, attention: string | null): Party | null {
  const { streetAddress, suburb, city, state, postCode, country } = address ?? {}
  const town = [city, state, postCode].filter(Boolean).join(' ')
  const attentionLine = attention ? `Attn ${attention}` : null
  const lines = [attentionLine, streetAddress, suburb, town, country].filter(line => !!line) as string[]
  const displayName = address?.name ?? name
  const [first, ...rest] = displayName ? [displayName, ...lines] : lines
  return first === undefined ? null : { name: first, lines: rest }
}
