// Reads the contents of pallet labels: of one logistic unit as it is now, and of all units that a consignment
// has received, is allocated, has dispatched or announces. Spec 2.3, 2.14.

import type { Actor } from '../../access/actor.ts'
import { visibleConsignments } from '../../consignments/consignment.ts'
import { type Db, empty, type Sql, sql } from '../../platform/database/db.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { ConsignmentStatus, ConsignmentType } from '../../vocabulary/consignments.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import type { StoredAddress } from '../../warehouses/address.ts'
import type { PalletContent, PalletFacts, Party } from './pallet-facts.ts'

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
  contents: PalletContent[]
}

const routeJson = sql`json_build_object(
  'consignmentNumber', c.consignment_number, 'referenceNumber', c.reference_number, 'type', c.type,
  'origin', c.origin_address, 'originAttention', c.origin_address_attention,
  'destination', c.destination_address, 'destinationAttention', c.destination_address_attention)`

const warehouseJson = sql`json_build_object('name', w.name, 'address', w.address)`

/** Selects the rows of the subselect `goods` as a JSON array of `PalletContent`. */
const contents = (organisationId: string, goods: Sql): Sql => sql`(
  select coalesce(json_agg(json_build_object(
    'productCode', coalesce(d.code, g.product_code), 'productName', coalesce(d.name, g.description, ''),
    'gtin', d.gtin, 'quantity', trim_scale(g.quantity), 'unitName', coalesce(m.name, n.name),
    'batch', g.batch, 'bestBeforeDate', g.best_before_date, 'expiryDate', g.expiry_date
  ) order by coalesce(d.code, g.product_code), g.best_before_date, g.expiry_date, g.batch), '[]')
  from (${goods}) g
  left join product d on d.organisation_id = ${organisationId} and d.id = g.product_id
  left join unit_type n on n.organisation_id = d.organisation_id and n.id = d.unit_type_id
  left join unit_type m on m.organisation_id = d.organisation_id and m.id = d.product_unit_type_id)`

/**
 * Reads a logistic unit with its contents. If all of it is allocated to one consignment, it has the addresses
 * of that. Refuses (404) a unit that the actor may not see.
 */
export async function readPallet(
  db: Db,
  { organisationId, partnerId }: Actor,
  logisticUnitId: string,
): Promise<PalletFacts & { partnerId: string }> {
  const unit = await db.maybe<
    StoredUnit & { partnerId: string; clientName: string; warehouse: Warehouse; route: Route | null }
  >(sql`
    select u.partner_id, p.name as client_name, u.logistic_unit_number, u.sscc_number, u.reference_number,
      ${warehouseJson} as warehouse,
      ${contents(
        organisationId,
        sql`select s.product_id, null as product_code, null as description, s.batch, s.best_before_date,
            s.expiry_date, sum(s.on_hand_quantity) as quantity
          from warehouse_product s
          where s.organisation_id = ${organisationId} and s.logistic_unit_id = u.id and not s.is_depleted
          group by 1, 2, 3, 4, 5, 6`,
      )} as contents, (
        select ${routeJson} from consignment c
        where c.organisation_id = ${organisationId} and c.id = (
          select (array_agg(a.consignment_id))[1]
          from warehouse_product s
          left join inventory_allocation a on a.organisation_id = s.organisation_id
            and a.warehouse_product_id = s.id
          where s.organisation_id = ${organisationId} and s.logistic_unit_id = u.id and not s.is_depleted
          having count(distinct a.consignment_id) = 1 and sum(a.quantity) = (
            select sum(on_hand_quantity) from warehouse_product
            where organisation_id = ${organisationId} and logistic_unit_id = u.id and not is_depleted)
        )
      ) as route
    from logistic_unit u
    join partner p on p.organisation_id = u.organisation_id and p.id = u.partner_id
    join warehouse w on w.organisation_id = u.organisation_id and w.id = u.warehouse_id
    where u.organisation_id = ${organisationId} and u.id = ${logisticUnitId}
      ${partnerId === null ? empty : sql`and u.partner_id = ${partnerId}`}`)
  if (unit === undefined) throw notFound('Logistic unit')
  return { ...factsOf(unit, unit.clientName, unit.route, unit.warehouse), partnerId: unit.partnerId }
}

/** The goods that are allocated to consignment `c`, or were received or dispatched with it. */
const moved = sql`select s.logistic_unit_id, s.product_id, s.batch, s.best_before_date, s.expiry_date,
    sum(m.quantity) as quantity
  from (
    select a.warehouse_product_id, a.quantity from inventory_allocation a
    where a.organisation_id = c.organisation_id and a.consignment_id = c.id
    union all
    select t.warehouse_product_id, abs(sum(t.quantity)) from inventory_transaction t
    where t.organisation_id = c.organisation_id and t.consignment_id = c.id
      and t.type in (${TransactionType.Receive}, ${TransactionType.Dispatch})
    group by 1
  ) m
  join warehouse_product s on s.organisation_id = c.organisation_id and s.id = m.warehouse_product_id
  where s.logistic_unit_id is not null and m.quantity <> 0
  group by 1, 2, 3, 4, 5`

/** The units that these goods of consignment `c` are on, or were on when dispatched. */
const unitsOf = (organisationId: string): Sql => sql`(
  select coalesce(json_agg(json_build_object(
    'logisticUnitNumber', u.logistic_unit_number, 'ssccNumber', u.sscc_number,
    'referenceNumber', u.reference_number, 'contents', ${contents(
      organisationId,
      sql`select i.product_id, null as product_code, null as description, i.batch, i.best_before_date,
          i.expiry_date, i.quantity
        from (${moved}) i where i.logistic_unit_id = u.id`,
    )}) order by u.number), '[]')
  from logistic_unit u
  where u.organisation_id = c.organisation_id and u.id in (select i.logistic_unit_id from (${moved}) i))`

/** The units announced in lines of consignment `c` of which nothing has been received yet. */
const announcedUnits = (organisationId: string): Sql => sql`(
  select coalesce(json_agg(json_build_object(
    'logisticUnitNumber', null, 'ssccNumber', l.sscc, 'referenceNumber', l.reference,
    'contents', ${contents(
      organisationId,
      sql`select x.product_id, x.product_code, max(x.goods_description) as description, x.batch,
          x.best_before_date::date, x.expiry_date::date, sum(x.expected_quantity) as quantity
        from consignment_product x
        where x.organisation_id = c.organisation_id and x.consignment_id = c.id
          and x.received_quantity <= 0 and x.expected_quantity > 0
          and x.logistic_unit_sscc_number is not distinct from l.sscc
          and (l.sscc is not null or x.logistic_unit_reference_number = l.reference)
        group by 1, 2, 4, 5, 6`,
    )}) order by l.first), '[]')
  from (
    select x.logistic_unit_sscc_number as sscc, max(x.logistic_unit_reference_number) as reference,
      min(x.ordinal) as first
    from consignment_product x
    where x.organisation_id = c.organisation_id and x.consignment_id = c.id and c.type <> ${
      ConsignmentType.Outwards
    } and x.received_quantity <= 0 and x.expected_quantity > 0
      and (x.logistic_unit_sscc_number is not null or x.logistic_unit_reference_number is not null)
    group by x.logistic_unit_sscc_number,
      case when x.logistic_unit_sscc_number is null then x.logistic_unit_reference_number end
  ) l)`

/**
 * Reads the pallets of a consignment. Refuses a consignment that the actor may not see (404) or is Void
 * (400).
 */
export async function readPallets(
  db: Db,
  actor: Actor,
  consignmentId: string,
): Promise<{ clientId: string; consignmentNumber: string; pallets: PalletFacts[] }> {
  const { organisationId } = actor
  const found = await db.maybe<{
    clientId: string
    clientName: string
    status: number
    route: Route
    warehouse: Warehouse | null
    units: StoredUnit[]
    announced: StoredUnit[]
  }>(sql`
    select c.client_id, p.name as client_name, c.status, ${routeJson} as route,
      case when w.id is not null then ${warehouseJson} end as warehouse,
      ${unitsOf(organisationId)} as units, ${announcedUnits(organisationId)} as announced
    from consignment c
    join partner p on p.organisation_id = c.organisation_id and p.id = c.client_id
    left join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
    where ${visibleConsignments(actor)} and c.id = ${consignmentId}`)
  if (found === undefined) throw notFound('Consignment')
  const { clientId, clientName, route, warehouse } = found
  if (found.status === ConsignmentStatus.Void)
    throw verificationFailed('A void consignment has no pallet labels.')
  const units = [...found.units, ...found.announced]
  const pallets = units.map(unit => factsOf(unit, clientName, route, warehouse))
  return { clientId, consignmentNumber: route.consignmentNumber, pallets }
}

function factsOf(
  unit: StoredUnit,
  clientName: string,
  route: Route | null,
  warehouse: Warehouse | null,
): PalletFacts {
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
    contents: unit.contents,
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
