// Mutants of the stock ledger, the stock lock and the constraints of the schema.

import type { Mutant } from '../mutant.ts'

const statement = 'src/stock/ledger/post-statement.ts'
const serials = 'src/stock/ledger/serial-changes.ts'
const post = 'test/stock/ledger/post.test.ts'
const lock = 'test/stock/ledger/stock-lock.test.ts'

export const ledger: Mutant[] = [
  {
    about: 'goods that leave a row leave their volume behind',
    file: statement,
    from: '-volume_m3 as volume_m3, effective_utc',
    to: '0 as volume_m3, effective_utc',
    tests: [post],
  },
  {
    about: 'each part of a weight is rounded separately',
    file: statement,
    from: 'so_far as (partition by w."from" order by w.n)',
    to: 'so_far as (partition by w."from", w.n)',
    tests: [post],
  },
  {
    about: 'ledger lines are numbered across all rows',
    file: statement,
    from: 'row_number() over (partition by l.stock_id order by',
    to: 'row_number() over (order by',
    tests: [post],
  },
  {
    about: 'stock can leave before it came in',
    file: statement,
    from: 'max(b.last_effective_utc))) as effective_utc',
    to: "'-infinity'))) as effective_utc",
    tests: [post],
  },
  {
    about: 'a late line overwrites the time of the last movement of a row',
    file: statement,
    from: 'last_effective_utc = greatest(p.last_effective_utc, net.effective_utc)',
    to: 'last_effective_utc = net.effective_utc',
    tests: [post],
  },
  {
    about: 'an allocation without a serial is not found when it is reduced',
    file: statement,
    from: 'a.warehouse_product_item_id is not distinct from p."itemId"',
    to: 'a.warehouse_product_item_id = p."itemId"',
    tests: ['test/floor/allocate.test.ts'],
  },
  {
    about: 'picked and open allocations are confused',
    file: statement,
    from: 'and a.is_picked = p."isPicked"',
    to: '',
    tests: ['test/floor/pick.test.ts'],
  },
  {
    about: 'an allocation that is reduced to zero is not deleted',
    file: statement,
    from: 'and a.quantity > -l.quantity',
    to: 'and a.quantity >= -l.quantity',
    tests: ['test/floor/allocate.test.ts'],
  },
  {
    about: 'a serial that is in stock comes in again',
    file: serials,
    from: 'where i.warehouse_product_id is null and i.id = excluded.id',
    to: '',
    tests: [post],
  },
  {
    about: 'serials are moved from whatever row they are in',
    file: serials,
    from: 'and w.warehouse_product_id is not distinct from m."from"',
    to: '',
    tests: [post],
  },
  {
    about: 'a dispatched serial loses its consignment line',
    file: serials,
    from: `then m."consignmentProductId" end
    from item i`,
    to: `then null::uuid end
    from item i`,
    tests: ['test/floor/returns.test.ts', 'test/floor/pick.test.ts'],
  },
  {
    about: 'dispatched goods do not count for their line',
    file: statement,
    from: 'dispatched_quantity = c.dispatched_quantity + f.dispatched,',
    to: 'dispatched_quantity = c.dispatched_quantity,',
    tests: ['test/floor/pick.test.ts'],
  },
  {
    about: 'unreceived goods count as received',
    file: statement,
    from: 'coalesce(sum(quantity) filter (where type = ${TransactionType.Receive}), 0) as received,',
    to: 'coalesce(sum(abs(quantity)) filter (where type = ${TransactionType.Receive}), 0) as received,',
    tests: ['test/floor/unreceive.test.ts'],
  },
  {
    about: 'stock is changed without a lock',
    file: 'src/stock/ledger/stock-lock.ts',
    from: 'isWarehouseLocked ? warehouses.has(target.warehouseId) : products.has(keyOf(target))',
    to: 'true',
    tests: [post],
  },
  {
    about: 'a transaction locks stock more than once',
    file: 'src/stock/ledger/stock-lock.ts',
    from: 'lockedTransactions.add(tx)\n  // The shared lock',
    to: '// The shared lock',
    tests: [post],
  },
  {
    about: 'products are locked in random order',
    file: 'src/stock/ledger/stock-lock.ts',
    from: 'order by is_shared desc, key',
    to: 'order by is_shared desc, random()',
    tests: [lock],
  },
  {
    about: 'a lock on the whole warehouse does not block other locks',
    file: 'src/stock/ledger/stock-lock.ts',
    from: '(select count(*) from target) <= ${maxProducts} as is_shared',
    to: 'true as is_shared',
    tests: [lock],
  },
  {
    about: 'two rows are created for goods that are listed twice',
    file: 'src/stock/ledger/stock-identity.ts',
    from: 'planned.get(key) ?? { ...input, id: newId() }',
    to: '{ ...input, id: newId() }',
    tests: [post],
  },
  {
    about: 'a row on a unit that is listed is made with its goods, so that entries are locked out of order',
    file: 'src/stock/ledger/stock-identity.ts',
    from: 'if (isListed) onListedUnits.push(row.id)',
    to: '',
    tests: [post],
  },
  {
    about: 'a row that is made empty first is made again with its goods',
    file: 'src/stock/ledger/stock-identity.ts',
    from: 'for (const [key] of taken) planned.delete(key)',
    to: '',
    tests: [post],
  },
  {
    about: 'goods that come into a row that does not exist vanish',
    file: 'src/stock/ledger/post.ts',
    from: 'if (unknownRows !== 0)',
    to: 'if (false)',
    tests: [post],
  },
  {
    about: 'goods that a count found have no row for their line',
    file: 'src/stock/counts/unexpected-goods.ts',
    from: 'await createEmptyStockRows(',
    to: 'void (() => {})(',
    tests: ['test/stock/counts/stock-counts.test.ts'],
  },
  {
    about: 'a new row in a quarantine location is not in quarantine',
    file: 'src/stock/ledger/stock-identity.ts',
    from: 'l.type = ${LocationType.Quarantine}',
    to: 'false',
    tests: ['test/stock/inventory/inventory.test.ts'],
  },
  {
    about: 'a location with allocated stock becomes a quarantine location',
    file: 'src/stock/ledger/location-change.ts',
    from: 'isQuarantine && found.allocated > 0',
    to: 'false',
    tests: ['test/stock/logistic-units/logistic-units.test.ts'],
  },
  {
    about: 'the check misses serials that are in two rows',
    file: 'src/stock/ledger/check-stock.ts',
    from: 'where t.least < 0 or t.most > 1 or t.places',
    to: 'where t.places',
    tests: ['test/stock/ledger/check-stock.test.ts'],
  },
  {
    about: 'the check ignores the weight of movements',
    file: 'src/stock/ledger/check-moves.ts',
    from: 'having sum(t.quantity) <> 0 or sum(t.weight_kg) <> 0 or sum(t.volume_m3) <> 0',
    to: 'having sum(t.quantity) <> 0',
    tests: ['test/stock/ledger/check-stock.test.ts'],
  },
  {
    about: 'a repeated operation takes effect again',
    file: 'src/stock/commands/operations.ts',
    from: 'if (isFirst) {',
    to: 'if (true) {',
    tests: ['test/stock/commands/transfer.test.ts'],
  },
  {
    about: 'another request with a known operation id gets the stored response',
    file: 'src/stock/commands/operations.ts',
    from: 'if (!stored.isSame)',
    to: 'if (false)',
    tests: ['test/stock/commands/transfer.test.ts'],
  },
  {
    about: 'stock of the past is in quarantine by the type that its location has today',
    file: 'src/stock/as-of/quarantine.ts',
    from: 'f.ended_utc > least(${asOf}::timestamptz, ${knownAt}::timestamptz)',
    to: 'false and f.ended_utc > least(${asOf}::timestamptz, ${knownAt}::timestamptz)',
    tests: ['test/stock/as-of/as-of.test.ts'],
  },
  {
    about: 'past stock includes lines that were recorded later',
    file: 'src/stock/as-of/balances.ts',
    from: 'and t.recorded_utc <= ${knownAt}::timestamptz',
    to: '',
    tests: ['test/stock/as-of/as-of.test.ts'],
  },
  {
    about: 'late lines are ignored after a checkpoint',
    file: 'src/stock/as-of/balances.ts',
    from: '@> ${at}`',
    to: '@> ${at} and false`',
    tests: ['test/stock/as-of/as-of.test.ts'],
  },
  {
    about: 'a checkpoint is used that was written after the known-at instant',
    file: 'src/stock/as-of/as-of.ts',
    from: 'least(${asOf}::timestamptz, ${knownAt}::timestamptz)',
    to: '${asOf}::timestamptz',
    tests: ['test/stock/as-of/as-of.test.ts'],
  },
  {
    about: 'a checkpoint after the instant is used that has more than was known by then',
    file: 'src/stock/as-of/as-of.ts',
    from: ' and effective_utc <= ${knownAt}::timestamptz\n      union',
    to: '\n      union',
    tests: ['test/stock/as-of/as-of.test.ts'],
  },
  {
    about: 'what happened before a later checkpoint is added to it instead of taken off',
    file: 'src/stock/as-of/balances.ts',
    from: "isInCheckpoint}`, '-')",
    to: 'isInCheckpoint}`)',
    tests: ['test/stock/as-of/as-of.test.ts'],
  },
]

const stock = 'migrations/010-stock.sql'

export const schema: Mutant[] = [
  {
    about: 'held goods share a row with free goods',
    file: stock,
    from: `return md5(jsonb_build_array(location, unit, hold, batch,`,
    to: `return md5(jsonb_build_array(location, unit, null, batch,`,
    tests: [post],
  },
  {
    about: 'more can be allocated than is on hand',
    file: stock,
    from: 'check (allocated_quantity between 0 and on_hand_quantity)',
    to: 'check (allocated_quantity >= 0)',
    tests: [post],
  },
  {
    about: 'held stock can be allocated',
    file: stock,
    from: `check (allocated_quantity = 0
    or (inventory_hold_id is null and not is_quarantined))`,
    to: `check (allocated_quantity = 0
    or not is_quarantined)`,
    tests: [post],
  },
  {
    about: 'stock in quarantine is available',
    file: stock,
    from: 'and not is_quarantined then',
    to: 'then',
    tests: ['test/stock/inventory/inventory.test.ts'],
  },
  {
    about: 'a serial can be allocated to two lines',
    file: stock,
    from: 'create unique index inventory_allocation_item_key',
    to: 'create index inventory_allocation_item_key',
    tests: [post],
  },
  {
    about: 'a serial can be in a row of another product',
    file: stock,
    from: `constraint warehouse_product_item_stock_fkey foreign key (organisation_id, product_id, warehouse_product_id)
    references warehouse_product (organisation_id, product_id, id)`,
    to: `constraint warehouse_product_item_stock_fkey foreign key (organisation_id, warehouse_product_id)
    references warehouse_product`,
    tests: [post],
  },
  {
    about: 'ledger lines can be dated in the future',
    file: stock,
    from: 'check (effective_utc <= recorded_utc)',
    to: 'check (true)',
    tests: [post],
  },
  {
    about: 'ledger lines can be changed',
    file: stock,
    from: 'before update or delete or truncate on inventory_transaction\n',
    to: 'before update or truncate on inventory_transaction\n',
    tests: [post],
  },
  {
    about: 'the check lets one product become another',
    file: 'src/stock/ledger/check-moves.ts',
    from: 'group by t.organisation_id, t.movement_id, p.product_id',
    to: 'group by t.organisation_id, t.movement_id',
    tests: ['test/stock/ledger/check-stock.test.ts'],
  },
  {
    about: 'a hold whose goods were written off stays open',
    file: 'src/stock/ledger/post.ts',
    from: '  await closeEmptiedHolds(tx, locked.organisationId, emptiedHolds)\n',
    to: '',
    tests: ['test/stock/holds/holds.test.ts'],
  },
  {
    about: 'how serials are tracked changes while there is stock',
    file: 'src/partners/serial-tracking.ts',
    from: '...(stock === null ? [] : [trackingFault(stock)]),',
    to: '',
    tests: ['test/stock/changes-with-stock.test.ts'],
  },
]
