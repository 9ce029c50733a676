// Builds the one statement that writes movements. The moves become legs, one for each row of stock that they
// touch; the legs become balances, ledger lines, consignment line totals, allocations and serials. Spec 2.14.

import { empty, raw, type Sql, sql } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { MovementCause, TransactionType } from '../../vocabulary/stock.ts'
import { authors } from './authors.ts'
import type { AllocationChange, MovementSource, NewSerial, StockMove } from './movement.ts'
import { serialChanges } from './serial-changes.ts'
import {
  insertRowsInto,
  joinNewRowLocation,
  type NewStockRow,
  newRowTable,
  selectNewRow,
} from './stock-identity.ts'

type SeparateFields = 'items' | 'retiredItems' | 'newSerials' | 'allocations' | 'source' | 'quantity'

/** A move as the statement reads it. Its lists are separate tables that refer to it by its number `n`. */
type MoveInput = Omit<StockMove, SeparateFields> &
  Partial<MovementSource> & { n: number; moveNumber: number | null; quantity: string }

/** The moves as the statement reads them. */
export interface PostInput {
  moves: MoveInput[]
  /** rows that goods come into and that do not exist yet */
  newRows: readonly NewStockRow[]
  allocations: (Omit<AllocationChange, 'at' | 'quantity'> & {
    n: number
    id: string
    stockId: string | null
    isFrom: boolean
    quantity: string
  })[]
  items: { n: number; itemId: string; isRetired: boolean }[]
  serials: (NewSerial & { n: number; id: string })[]
}

/** Which parts the statement needs; the others are left out. */
interface StatementParts {
  /** whether any goods move; otherwise the moves only change allocations */
  goods: boolean
  newRows: boolean
  allocations: boolean
  serials: boolean
}

/**
 * Builds the statement, which has ten variants in all. Where it joins a large table, it also compares the
 * key with an array, so that rows are looked up by key whatever table sizes the cached plan was made for.
 */
export function postStatement(organisationId: string, source: MovementSource, input: PostInput): Sql {
  const allocations = input.allocations.length > 0
  const has: StatementParts = {
    goods: !allocations || input.moves.some(({ type }) => type !== TransactionType.Allocation),
    newRows: input.newRows.length > 0,
    allocations,
    serials: input.items.length + input.serials.length > 0,
  }
  return sql`
    with ${inputTables(input, has)},
    ${rowsBefore(organisationId, has)},
    ${has.goods ? legs(organisationId, has) : allocationLegs},
    ${balances(organisationId, has)},
    ${ledgerLines(organisationId, source)},
    ${lineTotals(organisationId, has)}
    ${has.allocations ? sql`, ${allocationChanges(organisationId)}` : empty}
    ${has.serials ? sql`, ${serialChanges(organisationId)}` : empty}
    select
      (select json_agg(json_build_object('movementId', "movementId", 'effectiveUtc', as_utc(effective_utc)))
        from movement) as posted,
      (select coalesce(json_agg(json_build_object('warehouseId', warehouse_id, 'productId', product_id)),
        '[]') from (select distinct warehouse_id, product_id from changed) c) as changed_stock,
      array(select distinct emptied_hold_id from changed where emptied_hold_id is not null) as emptied_holds,
      (select count(*) from net) - (select count(*) from changed) as unknown_rows,
      ${
        has.allocations
          ? sql`(select count(*) from allocation_change where quantity < 0) - (select count(*) from ended)
            - (select count(*) from lessened)`
          : sql`0`
      } as unmatched,
      ${has.serials ? sql`(select count(*) from entered)` : sql`0`} as entered,
      ${has.serials ? sql`(select count(*) from carried)` : sql`0`} as carried`
}

/** The input as tables. */
const inputTables = ({ moves, newRows, allocations, items, serials }: PostInput, has: StatementParts) => sql`
  move as materialized (select * from ${tableOf('m', moveFields, moves)})
  ${has.newRows ? sql`, new_row as materialized (select * from ${newRowTable(newRows)})` : empty}
  ${
    has.allocations
      ? sql`, allocation as materialized (select * from ${tableOf('a', allocationFields, allocations)})`
      : empty
  }
  ${
    has.serials
      ? sql`, item as materialized (select * from ${tableOf('i', itemFields, items)}),
  new_serial as materialized (select * from ${tableOf('s', serialFields, serials)})`
      : empty
  }`

const moveFields = {
  ...{ n: 'integer', movementId: 'uuid', type: 'smallint', from: 'uuid', to: 'uuid', quantity: 'numeric' },
  ...{ weightKG: 'numeric', volumeM3: 'numeric', occurredUtc: 'timestamptz', consignmentId: 'uuid' },
  ...{ consignmentProductId: 'uuid', jobId: 'uuid', stockCountLineId: 'uuid', reason: 'text' },
  ...{
    moveNumber: 'integer',
    cause: 'smallint',
    causeId: 'uuid',
    particulars: 'text',
    operationId: 'uuid',
    connectionId: 'uuid',
    userId: 'uuid',
    requestId: 'text',
  },
}
const allocationFields = {
  ...{ n: 'integer', id: 'uuid', stockId: 'uuid', isFrom: 'boolean', consignmentId: 'uuid' },
  ...{ consignmentProductId: 'uuid', itemId: 'uuid', isPicked: 'boolean', isOverride: 'boolean' },
  quantity: 'numeric',
}
const itemFields = { n: 'integer', itemId: 'uuid', isRetired: 'boolean' }
const serialFields = { n: 'integer', id: 'uuid', serial: 'text', weightKG: 'numeric', volumeM3: 'numeric' }

/**
 * The affected rows before the change, without serials that have a weight and volume of their own; the time
 * at which everything is recorded; and when each movement counts as happened.
 */
const rowsBefore = (organisationId: string, has: StatementParts) => sql`
  before as materialized (
    select p.id, p.product_id, p.last_effective_utc, last.recorded_utc,
      p.on_hand_quantity - coalesce(own.n, 0) as quantity,
      p.on_hand_weight_kg - coalesce(own.weight_kg, 0) as weight_kg,
      p.on_hand_volume_m3 - coalesce(own.volume_m3, 0) as volume_m3
    from warehouse_product p
    left join inventory_transaction last on last.organisation_id = p.organisation_id
      and last.warehouse_product_id = p.id and last.version = p.version
    ${
      has.serials
        ? sql`left join lateral (
      select count(*) as n, sum(i.weight_kg) as weight_kg, sum(i.volume_m3) as volume_m3
      from warehouse_product_item i
      where i.organisation_id = p.organisation_id and i.warehouse_product_id = p.id
        and i.weight_kg is not null and i.volume_m3 is not null
    ) own on true`
        : sql`cross join (select 0 as n, 0 as weight_kg, 0 as volume_m3) own`
    }
    where p.organisation_id = ${organisationId}
      and p.id = any(array(select "from" from move union select "to" from move))
    ${has.newRows ? sql`union all select id, "productId", null, null, 0, 0, 0 from new_row` : empty}
  ), recorded as materialized (
    select greatest(clock_timestamp(), max(last_effective_utc), max(recorded_utc)) as recorded_utc from before
  ), movement as materialized (
    select m."movementId", max(m."occurredUtc") as occurred_utc,
      least(r.recorded_utc, greatest(coalesce(max(m."occurredUtc"), r.recorded_utc),
        max(b.last_effective_utc))) as effective_utc
    from move m cross join recorded r
    left join before b
      on b.id = case when m.type = ${TransactionType.Allocation} then m."to" else m."from" end
    group by m."movementId", r.recorded_utc
  )`

/** The legs of moves that only change allocations: one each. */
const allocationLegs = sql`
  moved as materialized (
    select m.*, v.effective_utc, v.occurred_utc, 0 as weight_kg, 0 as volume_m3
    from move m join movement v on v."movementId" = m."movementId"
  ), leg as materialized (
    select m.n, false as is_from, m."to" as stock_id, 0 as quantity, 0 as weight_kg, 0 as volume_m3,
      m.effective_utc, coalesce(a.quantity, 0) as allocated
    from moved m left join (select n, sum(quantity) as quantity from allocation group by n) a on a.n = m.n
  )`

/**
 * The two sides of every move. Goods that leave a row take the given weight and volume, those of their
 * serials, or a proportional part of the row's. That part is the difference of two rounded running sums, so
 * that all parts add up exactly.
 */
const legs = (organisationId: string, has: StatementParts) => sql`
  weighed as materialized (
    select m.*, v.effective_utc, v.occurred_utc,
      coalesce(m."weightKG", own.weight_kg, 0) as own_weight,
      coalesce(m."volumeM3", own.volume_m3, 0) as own_volume,
      m.quantity - case when m."weightKG" is null then coalesce(own.n, 0) else m.quantity end as by_weight,
      m.quantity - case when m."volumeM3" is null then coalesce(own.n, 0) else m.quantity end as by_volume
    from move m join movement v on v."movementId" = m."movementId"
    ${
      has.serials
        ? sql`left join (
      select i.n as move, count(*) as n, sum(w.weight_kg) as weight_kg, sum(w.volume_m3) as volume_m3
      from item i join warehouse_product_item w
        on w.organisation_id = ${organisationId} and w.id = i."itemId"
      where w.weight_kg is not null and w.volume_m3 is not null group by i.n
    ) own on own.move = m.n`
        : sql`cross join (select 0 as n, null::numeric as weight_kg, null::numeric as volume_m3) own`
    }
  ), shared as (
    select w.*, b.quantity as stock, b.weight_kg as stock_weight, b.volume_m3 as stock_volume,
      sum(by_weight) over so_far as weight_upto, sum(by_volume) over so_far as volume_upto,
      sum(case when w."weightKG" is null then 0 else w.quantity end) over row_of as quantity_given,
      sum(case when w."weightKG" is null then 0 else own_weight end) over row_of as weight_given,
      sum(case when w."volumeM3" is null then 0 else own_volume end) over row_of as volume_given
    from weighed w left join before b on b.id = w."from"
    window row_of as (partition by w."from"), so_far as (partition by w."from" order by w.n)
  ), moved as materialized (
    select n, "movementId", type, "from", "to", quantity, effective_utc, occurred_utc, "consignmentId",
      "consignmentProductId", "jobId", "stockCountLineId", "moveNumber", cause, "causeId", reason,
      particulars, "operationId", "connectionId", "userId", "requestId",
      own_weight + case when "from" is null or stock <= quantity_given then 0
        else round((stock_weight - weight_given) * weight_upto / (stock - quantity_given), 4)
          - round((stock_weight - weight_given) * (weight_upto - by_weight) / (stock - quantity_given), 4)
        end as weight_kg,
      own_volume + case when "from" is null or stock <= quantity_given then 0
        else round((stock_volume - volume_given) * volume_upto / (stock - quantity_given), 6)
          - round((stock_volume - volume_given) * (volume_upto - by_volume) / (stock - quantity_given), 6)
        end as volume_m3
    from shared
  ), leg as materialized (
    select l.*, ${has.allocations ? sql`coalesce(a.quantity, 0)` : sql`0`} as allocated
    from (
      select n, true as is_from, "from" as stock_id, -quantity as quantity, -weight_kg as weight_kg,
        -volume_m3 as volume_m3, effective_utc
      from moved where "from" is not null
      union all
      select n, false, "to", quantity, weight_kg, volume_m3, effective_utc
      from moved where "to" is not null
    ) l
    ${
      has.allocations
        ? sql`left join (
      select n, "isFrom", sum(quantity) as quantity from allocation group by n, "isFrom"
    ) a on a.n = l.n and a."isFrom" = l.is_from`
        : empty
    }
  )`

/** Adds the sum of all its legs to each row in one update, and creates the new rows with theirs. */
const balances = (organisationId: string, has: StatementParts) => sql`
  net as materialized (
    select l.stock_id, sum(l.quantity) as quantity, sum(l.allocated) as allocated,
      sum(l.weight_kg) as weight_kg, sum(l.volume_m3) as volume_m3, count(*) as lines,
      max(l.effective_utc) as effective_utc
    from leg l group by l.stock_id
  ), ${has.newRows ? createdRows(organisationId) : empty} ${raw(has.newRows ? 'filled' : 'changed')} as (
    update warehouse_product p set on_hand_quantity = p.on_hand_quantity + net.quantity,
      allocated_quantity = p.allocated_quantity + net.allocated,
      on_hand_weight_kg = p.on_hand_weight_kg + net.weight_kg,
      on_hand_volume_m3 = p.on_hand_volume_m3 + net.volume_m3,
      version = p.version + net.lines,
      last_effective_utc = greatest(p.last_effective_utc, net.effective_utc)
    from net
    where p.organisation_id = ${organisationId} and p.id = net.stock_id
      and p.id = any(array(select stock_id from net))
    returning p.id, p.warehouse_id, p.product_id, p.version - net.lines as version,
      case when p.is_depleted then p.inventory_hold_id end as emptied_hold_id
  )
  ${
    has.newRows
      ? sql`, changed as (
    select id, warehouse_id, product_id, version, emptied_hold_id from filled
    union all
    select id, warehouse_id, product_id, 0, null from created
  )`
      : empty
  }`

const createdRows = (organisationId: string) => sql`
  created as (
    ${insertRowsInto(sql`, on_hand_quantity, allocated_quantity, on_hand_weight_kg, on_hand_volume_m3,
      version, last_effective_utc`)}
    ${selectNewRow(organisationId)}, net.quantity, net.allocated, net.weight_kg, net.volume_m3, net.lines,
      net.effective_utc
    from new_row g join net on net.stock_id = g.id ${joinNewRowLocation(organisationId)}
    returning id, warehouse_id, product_id
  ),`

/** Writes the ledger lines, numbered on from the last line of their row. */
const ledgerLines = (organisationId: string, source: MovementSource) => sql`
  ${authors(organisationId, source)}, numbered as materialized (
    select l.*, c.version + row_number() over (partition by l.stock_id order by l.n, not l.is_from) as version
    from leg l join changed c on c.id = l.stock_id
  ), line as (
    insert into inventory_transaction (organisation_id, warehouse_product_id, version, movement_id,
      move_number, type, cause, cause_id, quantity, allocated_quantity, weight_kg, volume_m3, effective_utc,
      recorded_utc, occurred_utc, consignment_id, consignment_product_id, job_id, stock_count_line_id,
      operation_id, reason, particulars, identity_connection_id, user_id, user_name, app_name, request_id)
    select ${organisationId}, l.stock_id, l.version, m."movementId", m."moveNumber",
      m.type, coalesce(m.cause, ${MovementCause.None}), m."causeId", l.quantity, l.allocated,
      l.weight_kg, l.volume_m3, m.effective_utc, r.recorded_utc, nullif(m.occurred_utc, m.effective_utc),
      m."consignmentId", m."consignmentProductId", m."jobId", m."stockCountLineId",
      coalesce(m."operationId", ${source.operationId ?? null}), m.reason, m.particulars,
      a."connectionId", a."userId", a.user_name, a.app_name, coalesce(m."requestId", ${source.requestId})
    from numbered l join moved m on m.n = l.n cross join recorded r
    join author a on a."connectionId" is not distinct from coalesce(m."connectionId", ${source.connectionId})
      and a."userId" is not distinct from coalesce(m."userId", ${source.userId})
  )`

/** Updates the totals of consignment lines: allocated, picked, received and dispatched. */
const lineTotals = (organisationId: string, has: StatementParts) => sql`
  line_figure as materialized (
    select id, sum(allocated) as allocated, sum(picked) as picked,
      coalesce(sum(quantity) filter (where type = ${TransactionType.Receive}), 0) as received,
      coalesce(sum(weight_kg) filter (where type = ${TransactionType.Receive}), 0) as received_weight,
      coalesce(sum(volume_m3) filter (where type = ${TransactionType.Receive}), 0) as received_volume,
      coalesce(-sum(quantity) filter (where type = ${TransactionType.Dispatch}), 0) as dispatched,
      coalesce(-sum(weight_kg) filter (where type = ${TransactionType.Dispatch}), 0) as dispatched_weight,
      coalesce(-sum(volume_m3) filter (where type = ${TransactionType.Dispatch}), 0) as dispatched_volume
    from (
      ${has.goods ? totalsFromMoves : empty}
      ${has.goods && has.allocations ? sql`union all` : empty}
      ${has.allocations ? totalsFromAllocations : empty}
    ) all_figures
    group by id
  ), figure as (
    update consignment_product c set allocated_quantity = c.allocated_quantity + f.allocated,
      picked_quantity = c.picked_quantity + f.picked,
      received_quantity = c.received_quantity + f.received,
      received_weight_kg = c.received_weight_kg + f.received_weight,
      received_volume_m3 = c.received_volume_m3 + f.received_volume,
      dispatched_quantity = c.dispatched_quantity + f.dispatched,
      dispatched_weight_kg = c.dispatched_weight_kg + f.dispatched_weight,
      dispatched_volume_m3 = c.dispatched_volume_m3 + f.dispatched_volume
    from line_figure f
    where c.organisation_id = ${organisationId} and c.id = f.id
      and c.id = any(array(select id from line_figure))
  )`

const totalsFromMoves = sql`
  select m."consignmentProductId" as id, m.type, l.quantity, l.weight_kg, l.volume_m3, 0 as allocated,
    0 as picked
  from leg l join moved m on m.n = l.n
  where m.type in (${TransactionType.Receive}, ${TransactionType.Dispatch})`

const totalsFromAllocations = sql`
  select "consignmentProductId" as id, null::smallint as type, 0 as quantity, 0 as weight_kg,
    0 as volume_m3, case when "isPicked" then 0 else quantity end as allocated,
    case when "isPicked" then quantity else 0 end as picked
  from allocation`

/**
 * Changes allocations. One that becomes zero is deleted, before others are inserted, so that its serial can
 * be allocated again. Reduced allocations are looked up one by one by their key and changed by row address:
 * the cached plan of a join depends on how many allocations there were when it was made, and might read all
 * those of an organisation.
 */
const allocationChanges = (organisationId: string) => sql`
  allocation_change as materialized (
    select "stockId", "consignmentProductId", "itemId", "isPicked", "consignmentId",
      (array_agg(id))[1] as id, bool_or(coalesce("isOverride", false)) as "isOverride",
      sum(quantity) as quantity
    from allocation group by 1, 2, 3, 4, 5 having sum(quantity) <> 0
  ), lesser as materialized (
    select a.place, p.quantity from allocation_change p cross join lateral (
      select a.ctid as place from inventory_allocation a
      where a.organisation_id = ${organisationId} and a.consignment_product_id = p."consignmentProductId"
        and a.warehouse_product_id = p."stockId"
        and a.warehouse_product_item_id is not distinct from p."itemId" and a.is_picked = p."isPicked"
      offset 0
    ) a where p.quantity < 0
  ), ended as (
    delete from inventory_allocation a using lesser l
    where a.ctid = l.place and a.quantity = -l.quantity
    returning a.id
  ), lessened as (
    update inventory_allocation a set quantity = a.quantity + l.quantity from lesser l
    where a.ctid = l.place and a.quantity > -l.quantity
    returning a.id
  ), added as (
    insert into inventory_allocation as a (organisation_id, id, consignment_id, consignment_product_id,
      warehouse_product_id, warehouse_product_item_id, quantity, is_picked, is_override)
    select ${organisationId}, id, "consignmentId", "consignmentProductId", "stockId", "itemId", quantity,
      "isPicked", "isOverride"
    from allocation_change where quantity > 0 and (select count(*) from ended) >= 0
    on conflict on constraint inventory_allocation_key do update
      set quantity = a.quantity + excluded.quantity, is_override = a.is_override or excluded.is_override
  )`
