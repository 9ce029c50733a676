// Checks that stock matches its ledger: recomputes every balance, allocation, serial and consignment line
// total from the rows behind it. Reports the differences and repairs nothing.

import { type Database, type Db, join, sql } from '../../platform/database/db.ts'
import { openSharedSnapshot, type SnapshotReader } from '../../platform/database/shared-snapshot.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'
import { StockCountLineStatus, TransactionType } from '../../vocabulary/stock.ts'
import { LocationType } from '../../vocabulary/warehouses.ts'
import { moveRules, type StockRule } from './check-moves.ts'

/** A stored value that does not match the value computed from the ledger. */
export interface StockDifference {
  organisationId: string
  /** the violated rule, as a sentence */
  rule: string
  /** the row that violates it */
  id: string
  stored: string
  computed: string
}

const { Receive, Dispatch } = TransactionType

const balancesMatchLedger: StockRule = {
  rule: 'The balances of a stock row equal the sum of its ledger lines, which are numbered without gaps.',
  violations: sql`
    select p.organisation_id, p.id,
      concat_ws(' ', p.on_hand_quantity, p.allocated_quantity, p.on_hand_weight_kg, p.on_hand_volume_m3,
        p.version) as stored,
      concat_ws(' ', coalesce(t.quantity, 0), coalesce(t.allocated, 0), coalesce(t.weight, 0),
        coalesce(t.volume, 0), coalesce(t.lines, 0), t.last) as computed
    from warehouse_product p left join (
      select organisation_id, warehouse_product_id, sum(quantity) as quantity,
        sum(allocated_quantity) as allocated, sum(weight_kg) as weight, sum(volume_m3) as volume,
        count(*) as lines, max(version) as last
      from inventory_transaction group by 1, 2
    ) t on t.organisation_id = p.organisation_id and t.warehouse_product_id = p.id
    where (p.on_hand_quantity, p.allocated_quantity, p.on_hand_weight_kg, p.on_hand_volume_m3, p.version,
      p.version) is distinct from (coalesce(t.quantity, 0), coalesce(t.allocated, 0), coalesce(t.weight, 0),
      coalesce(t.volume, 0), coalesce(t.lines, 0), coalesce(t.last, 0))`,
}

const lastTimesMatchLedger: StockRule = {
  rule: 'A stock row was last changed when the latest of its ledger lines happened.',
  violations: sql`
    select p.organisation_id, p.id, p.last_effective_utc::text as stored, t.last_utc::text as computed
    from warehouse_product p left join (
      select organisation_id, warehouse_product_id, max(effective_utc) as last_utc
      from inventory_transaction group by 1, 2
    ) t on t.organisation_id = p.organisation_id and t.warehouse_product_id = p.id
    where p.last_effective_utc is distinct from t.last_utc`,
}

const nothingOverallocated: StockRule = {
  rule: 'No more stock is allocated than is on hand, and none that is held or in quarantine.',
  violations: sql`
    select organisation_id, id, allocated_quantity::text as stored, on_hand_quantity::text as computed
    from warehouse_product
    where allocated_quantity < 0 or allocated_quantity > on_hand_quantity
      or (allocated_quantity > 0 and (inventory_hold_id is not null or is_quarantined))`,
}

const quarantineMatchesLocation: StockRule = {
  rule: 'Stock is in quarantine if and only if its location is.',
  violations: sql`
    select p.organisation_id, p.id, p.is_quarantined::text as stored,
      (l.type = ${LocationType.Quarantine})::text as computed
    from warehouse_product p join warehouse_location l
      on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
    where p.is_quarantined <> (l.type = ${LocationType.Quarantine})`,
}

const rowAllocationsMatch: StockRule = {
  rule: 'The allocated quantity of a stock row equals the sum of its allocations.',
  violations: sql`
    select p.organisation_id, p.id, p.allocated_quantity::text as stored, coalesce(a.n, 0)::text as computed
    from warehouse_product p left join (
      select organisation_id, warehouse_product_id, sum(quantity) as n from inventory_allocation group by 1, 2
    ) a on a.organisation_id = p.organisation_id and a.warehouse_product_id = p.id
    where p.allocated_quantity <> coalesce(a.n, 0)`,
}

const lineAllocationsMatch: StockRule = {
  rule: 'The allocated and picked quantities of a consignment line equal the sum of its allocations.',
  violations: sql`
    select c.organisation_id, c.id, concat_ws(' ', c.allocated_quantity, c.picked_quantity) as stored,
      concat_ws(' ', coalesce(a.open, 0), coalesce(a.picked, 0)) as computed
    from consignment_product c left join (
      select organisation_id, consignment_product_id, sum(quantity) filter (where not is_picked) as open,
        sum(quantity) filter (where is_picked) as picked
      from inventory_allocation group by 1, 2
    ) a on a.organisation_id = c.organisation_id and a.consignment_product_id = c.id
    where (c.allocated_quantity, c.picked_quantity)
      is distinct from (coalesce(a.open, 0), coalesce(a.picked, 0))`,
}

const { InTransit, Complete, Closed, Void } = ConsignmentStatus

const nothingAllocatedToGone: StockRule = {
  rule: 'No stock is allocated to a consignment that has left, was received, is Closed or Void.',
  violations: sql`
    select a.organisation_id, a.consignment_id as id, sum(a.quantity)::text as stored, '0' as computed
    from inventory_allocation a
    join consignment c on c.organisation_id = a.organisation_id and c.id = a.consignment_id
    where c.status in (${InTransit}, ${Complete}, ${Closed}, ${Void})
    group by a.organisation_id, a.consignment_id`,
}

const allocatedSerialsMatch: StockRule = {
  rule: 'A serial that is allocated by name lies in the allocated stock row.',
  violations: sql`
    select a.organisation_id, a.id, i.warehouse_product_id::text as stored,
      a.warehouse_product_id::text as computed
    from inventory_allocation a join warehouse_product_item i
      on i.organisation_id = a.organisation_id and i.id = a.warehouse_product_item_id
    where i.warehouse_product_id is distinct from a.warehouse_product_id`,
}

const serialsWithinOnHand: StockRule = {
  rule: 'A stock row has no more serials than its on-hand quantity.',
  violations: sql`
    select p.organisation_id, p.id, count(*)::text as stored, p.on_hand_quantity::text as computed
    from warehouse_product_item i join warehouse_product p
      on p.organisation_id = i.organisation_id and p.id = i.warehouse_product_id
    group by p.organisation_id, p.id having count(*) > p.on_hand_quantity`,
}

const serialsMatchLedger: StockRule = {
  rule: 'A serial lies in the row that its ledger lines moved it to.',
  violations: sql`
    select i.organisation_id, i.id, i.warehouse_product_id::text as stored, t.places::text as computed
    from warehouse_product_item i left join (
      select organisation_id, item_id, array_agg(stock_id) filter (where n <> 0) as places, min(n) as least,
        max(n) as most
      from (
        select x.organisation_id, x.warehouse_product_item_id as item_id, x.warehouse_product_id as stock_id,
          sum(sign(t.quantity)) as n
        from inventory_transaction_item x join inventory_transaction t
          on t.organisation_id = x.organisation_id and t.warehouse_product_id = x.warehouse_product_id
            and t.version = x.version
        group by 1, 2, 3
      ) at_place group by 1, 2
    ) t on t.organisation_id = i.organisation_id and t.item_id = i.id
    where t.least < 0 or t.most > 1 or t.places is distinct from
      case when i.warehouse_product_id is not null then array[i.warehouse_product_id] end`,
}

const countsMatchLedgerLines: StockRule = {
  rule: 'What was counted is what should have been there and what the approval put right.',
  violations: sql`
    select l.organisation_id, l.id, l.counted_quantity::text as stored,
      (l.book_quantity + coalesce(t.n, 0))::text as computed
    from stock_count_line l left join (
      select organisation_id, stock_count_line_id, sum(quantity) as n from inventory_transaction
      where stock_count_line_id is not null group by 1, 2
    ) t on t.organisation_id = l.organisation_id and t.stock_count_line_id = l.id
    where l.status = ${StockCountLineStatus.Approved}
      and l.counted_quantity <> l.book_quantity + coalesce(t.n, 0)
      -- Serials that moved after they were counted are left where they are.
      and not exists (select from stock_count_entry e where e.organisation_id = l.organisation_id
        and e.stock_count_line_id = l.id and e.serials is not null)`,
}

const countedIsLastWord: StockRule = {
  rule: 'What a line of a stock count counted is the last word of its last round.',
  violations: sql`
    select l.organisation_id, l.id, concat_ws(' ', l.counted_quantity, l.counted_utc) as stored,
      concat_ws(' ', e.counted_quantity, e.counted_utc) as computed
    from stock_count_line l left join lateral (
      select x.counted_quantity, x.counted_utc from stock_count_entry x
      where x.organisation_id = l.organisation_id and x.stock_count_line_id = l.id and x.round = l.round
      order by x.counted_utc desc, x.ordinal desc limit 1
    ) e on true
    where l.status = ${StockCountLineStatus.Approved}
      and (l.counted_quantity, l.counted_utc) is distinct from (e.counted_quantity, e.counted_utc)`,
}

const expectedMatchesItems: StockRule = {
  rule: 'The expected quantity of a consignment line that has items equals their sum.',
  violations: sql`
    select c.organisation_id, c.id, c.expected_quantity::text as stored, sum(i.quantity)::text as computed
    from consignment_product c join consignment_product_item i
      on i.organisation_id = c.organisation_id and i.consignment_product_id = c.id
    group by c.organisation_id, c.id having c.expected_quantity <> sum(i.quantity)`,
}

const lineTotalsMatchLedger: StockRule = {
  rule: 'The received and dispatched totals of a consignment line equal the sum of its ledger lines.',
  violations: sql`
    select c.organisation_id, c.id,
      concat_ws(' ', c.received_quantity, c.received_weight_kg, c.received_volume_m3, c.dispatched_quantity,
        c.dispatched_weight_kg, c.dispatched_volume_m3) as stored,
      concat_ws(' ', t.in_quantity, t.in_weight, t.in_volume, t.out_quantity, t.out_weight, t.out_volume)
        as computed
    from consignment_product c left join (
      select organisation_id, consignment_product_id,
        coalesce(sum(quantity) filter (where type = ${Receive}), 0) as in_quantity,
        coalesce(sum(weight_kg) filter (where type = ${Receive}), 0) as in_weight,
        coalesce(sum(volume_m3) filter (where type = ${Receive}), 0) as in_volume,
        coalesce(-sum(quantity) filter (where type = ${Dispatch}), 0) as out_quantity,
        coalesce(-sum(weight_kg) filter (where type = ${Dispatch}), 0) as out_weight,
        coalesce(-sum(volume_m3) filter (where type = ${Dispatch}), 0) as out_volume
      from inventory_transaction group by 1, 2
    ) t on t.organisation_id = c.organisation_id and t.consignment_product_id = c.id
    where (c.received_quantity, c.received_weight_kg, c.received_volume_m3, c.dispatched_quantity,
        c.dispatched_weight_kg, c.dispatched_volume_m3)
      is distinct from (coalesce(t.in_quantity, 0), coalesce(t.in_weight, 0), coalesce(t.in_volume, 0),
        coalesce(t.out_quantity, 0), coalesce(t.out_weight, 0), coalesce(t.out_volume, 0))`,
}

const unitStockMatchesUnitLocation: StockRule = {
  rule: 'The stock on a logistic unit is in the location of the unit.',
  violations: sql`
    select u.organisation_id, p.id, p.warehouse_location_id::text as stored,
      u.warehouse_location_id::text as computed
    from warehouse_product p join logistic_unit u
      on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
    where not p.is_depleted and (p.warehouse_id, p.warehouse_location_id)
      is distinct from (u.warehouse_id, u.warehouse_location_id)`,
}

const nilId = '00000000-0000-0000-0000-000000000000'

const listingMatchesStock: StockRule = {
  rule: 'The listing has every unit and every loose stock row, with its products and its location.',
  violations: sql`
    select coalesce(l.organisation_id, c.organisation_id) as organisation_id,
      coalesce(l.entry_id, c.entry_id) as id,
      concat_ws(' ', l.product_id, l.partner_id, l.warehouse_location_id, l.live_rows) as stored,
      concat_ws(' ', c.product_id, c.partner_id, c.location_id, c.live_rows) as computed
    from inventory_listing l full join (
      select p.organisation_id, coalesce(u.id, p.id) as entry_id, d.product_id, p.partner_id,
        coalesce(u.warehouse_id, p.warehouse_id) as warehouse_id,
        coalesce(u.warehouse_location_id, p.warehouse_location_id) as location_id,
        count(*) filter (where not p.is_depleted) as live_rows
      from warehouse_product p
      left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
      cross join lateral (values (p.product_id), (${nilId}::uuid)) d (product_id)
      group by 1, 2, 3, 4, 5, 6
    ) c on c.organisation_id = l.organisation_id and c.entry_id = l.entry_id and c.product_id = l.product_id
    where (l.partner_id, l.warehouse_id, l.warehouse_location_id, l.live_rows)
      is distinct from (c.partner_id, c.warehouse_id, c.location_id, c.live_rows)`,
}

const mixedFlagsMatchListing: StockRule = {
  rule: 'The listing marks the units that have ever held more than one product.',
  violations: sql`
    select organisation_id, entry_id as id, string_agg(is_mixed::text, ' ') as stored,
      (count(*) > 1)::text as computed
    from inventory_listing where product_id <> ${nilId} group by organisation_id, entry_id
    having bool_and(is_mixed) <> (count(*) > 1) or bool_or(is_mixed) <> (count(*) > 1)`,
}

const countsMatchListing: StockRule = {
  rule: 'The counts of the listing match its entries.',
  violations: sql`
    select organisation_id, product_id as id,
      concat_ws(' ', partner_id, warehouse_id, is_depleted, is_mixed,
        sum(n) filter (where is_count)) as stored,
      coalesce(sum(n) filter (where not is_count), 0)::text as computed
    from (
      select organisation_id, product_id, partner_id, warehouse_id, is_depleted, is_mixed, n,
        true as is_count
      from inventory_count
      union all
      select organisation_id, product_id, partner_id, warehouse_id, is_depleted, is_mixed, 1, false
      from inventory_listing
    ) counted group by organisation_id, product_id, partner_id, warehouse_id, is_depleted, is_mixed
    having coalesce(sum(n) filter (where is_count), 0) <> coalesce(sum(n) filter (where not is_count), 0)`,
}

/** The latest checkpoint of each organisation. */
const latestCheckpoints = sql`select organisation_id, max(effective_utc) as effective_utc
  from inventory_checkpoint group by organisation_id`

const checkpointMatchesLedger: StockRule = {
  rule: 'The latest checkpoint equals the sum of the ledger lines recorded by then.',
  violations: sql`
    select coalesce(r.organisation_id, t.organisation_id) as organisation_id,
      coalesce(r.warehouse_product_id, t.warehouse_product_id) as id,
      concat_ws(' ', r.effective_utc, r.on_hand_quantity, r.allocated_quantity, r.on_hand_weight_kg,
        r.on_hand_volume_m3, r.product_id, r.entry_id, r.warehouse_location_id) as stored,
      concat_ws(' ', t.at_utc, t.quantity, t.allocated, t.weight, t.volume, p.product_id,
        coalesce(p.logistic_unit_id, p.id), p.warehouse_location_id) as computed
    from (
      select r.* from (${latestCheckpoints}) c join inventory_checkpoint_row r
        on r.organisation_id = c.organisation_id and r.effective_utc = c.effective_utc
    ) r full join (
      select c.organisation_id, c.effective_utc as at_utc, t.warehouse_product_id,
        sum(t.quantity) as quantity, sum(t.allocated_quantity) as allocated, sum(t.weight_kg) as weight,
        sum(t.volume_m3) as volume
      from (${latestCheckpoints}) c join inventory_transaction t
        on t.organisation_id = c.organisation_id and t.recorded_utc <= c.effective_utc
      group by 1, 2, 3
    ) t on t.organisation_id = r.organisation_id and t.at_utc = r.effective_utc
      and t.warehouse_product_id = r.warehouse_product_id
    left join warehouse_product p
      on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
    where (r.on_hand_quantity, r.allocated_quantity, r.on_hand_weight_kg, r.on_hand_volume_m3, r.product_id,
        r.entry_id, r.warehouse_location_id)
        is distinct from (t.quantity, t.allocated, t.weight, t.volume, p.product_id,
        coalesce(p.logistic_unit_id, p.id), p.warehouse_location_id)
      and (r.organisation_id is not null or t.quantity <> 0 or t.allocated <> 0)`,
}

const rules: readonly StockRule[] = [
  balancesMatchLedger,
  lastTimesMatchLedger,
  nothingOverallocated,
  quarantineMatchesLocation,
  rowAllocationsMatch,
  lineAllocationsMatch,
  nothingAllocatedToGone,
  allocatedSerialsMatch,
  serialsWithinOnHand,
  serialsMatchLedger,
  ...moveRules,
  countsMatchLedgerLines,
  countedIsLastWord,
  expectedMatchesItems,
  lineTotalsMatchLedger,
  unitStockMatchesUnitLocation,
  listingMatchesStock,
  mixedFlagsMatchListing,
  countsMatchListing,
  checkpointMatchesLedger,
]

/**
 * Finds all differences, of one organisation or of all. Uses a single statement, so that it sees one
 * consistent state of the database.
 */
export const findStockDifferences = (
  db: Db,
  organisationId: string | null = null,
): Promise<StockDifference[]> =>
  db.rows<StockDifference>(
    join(
      rules.map(rule => violationsOf(rule, organisationId)),
      ' union all ',
    ),
  )

const violationsOf = ({ rule, violations: broken }: StockRule, organisationId: string | null) => sql`
  select organisation_id, ${rule} as rule, id, coalesce(stored, 'nothing') as stored,
    coalesce(computed, 'nothing') as computed
  from (${broken}) broken where ${organisationId}::uuid is null or organisation_id = ${organisationId}`

/**
 * Finds the same differences for stock of any size: one statement for each rule, all in one snapshot, over a
 * connection of its own. `settings` are statements that this connection runs first.
 */
export async function checkStock(
  { connection }: Database,
  organisationId: string | null,
  settings?: string,
): Promise<StockDifference[]> {
  const { readers, close } = await openSharedSnapshot(connection, 1, settings)
  try {
    const [reader] = readers as [SnapshotReader]
    const differences: StockDifference[] = []
    for (const rule of rules) {
      differences.push(...(await reader.rows<StockDifference>(violationsOf(rule, organisationId))))
    }
    return differences
  } finally {
    await close()
  }
}
