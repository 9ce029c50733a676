// Mutants of stock commands: taking, picking, dispatching, holding and counting.

import type { Mutant } from '../mutant.ts'

const picking_ = 'src/stock/picking'
const inventory = 'src/stock/commands'
const counting = 'src/stock/counts'
const picked = 'test/floor/pick.test.ts'
const serialsPicked = 'test/floor/pick-serials.test.ts'
const unpicked = 'test/floor/unpick.test.ts'
const dispatched = 'test/consignment-status/dispatch.test.ts'
const transferred = 'test/stock/commands/transfer.test.ts'
const held = 'test/stock/holds/holds.test.ts'
const approved = 'test/stock/counts/approve.test.ts'
const left = 'test/floor/left-goods.test.ts'
const everyStatus = 'test/consignment-status/every-status.test.ts'

export const picking: Mutant[] = [
  {
    about: 'a confirmed pick of nothing is forgotten, and what nobody picked counts as picked',
    file: 'src/consignment-status/outwards-stock.ts',
    from: 'if (consignment.isPickingConfirmed) {',
    to: 'if (lines.some(({ picked }) => picked > 0n)) {',
    tests: [dispatched],
  },
  {
    about: 'two picks of a request take the same free stock',
    file: `${picking_}/plan-picks.ts`,
    from: 'freeByRow.set(row.id, left - unallocated)',
    to: 'freeByRow.set(row.id, left)',
    tests: [picked],
  },
  {
    about: 'picked goods are picked again',
    file: `${picking_}/plan-picks.ts`,
    from: 'consignmentProductId === line.id && !isPicked',
    to: 'consignmentProductId === line.id',
    tests: [picked],
  },
  {
    about: 'goods from another place stay promised where they were to be picked',
    file: `${picking_}/plan-picks.ts`,
    from: 'takeAllocations(insteadOf ?? [], unallocated, [])',
    to: 'takeAllocations(insteadOf ?? [], 0n, [])',
    tests: [picked],
  },
  {
    about: 'two picks of a request use the same serial',
    file: `${picking_}/plan-picks.ts`,
    from: 'for (const id of resolved.items) usedSerials.add(id)',
    to: '',
    tests: [picked],
  },
  {
    about: 'stock of another client is picked as a substitute',
    file: `${picking_}/plan-picks.ts`,
    from: 'if (row.partnerId !== line.clientId)',
    to: 'if (false)',
    tests: [picked],
  },
  {
    about: 'a serial that is allocated to another line is picked',
    file: `${picking_}/plan-picks.ts`,
    from: 'other && other.consignmentProductId !== line.id',
    to: 'false',
    tests: [picked],
  },
  {
    about: 'a serial that was picked is held as missing',
    file: `${picking_}/plan-picks.ts`,
    from: '!usedSerials.has(id) && (ownItems.has(id) || !allocationByItem.has(id))',
    to: 'ownItems.has(id) || !allocationByItem.has(id)',
    tests: [serialsPicked],
  },
  {
    about: 'a unit moves along with only a part of its goods',
    file: `${picking_}/whole-units.ts`,
    from: 'movedQuantity(row) === row.onHand',
    to: 'movedQuantity(row) > 0n',
    tests: [picked],
  },
  {
    about: 'goods of another batch count as coming from where a line was picked',
    file: `${picking_}/pick-origins.ts`,
    from: 'source.quantity <= 0n || source.description !== description',
    to: 'source.quantity <= 0n',
    tests: [unpicked],
  },
  {
    about: 'goods that were put back elsewhere count as lying where they were picked first',
    file: `${picking_}/pick-origins.ts`,
    from: '    else takeBack(sources, lineId, source.description, -source.quantity)\n',
    to: '',
    tests: [unpicked],
  },
  {
    about: 'serials are put back wherever goods of their line came from',
    file: `${picking_}/pick-origins.ts`,
    from: 'id => !own.some(({ rowId }) => rowId === rowOfSerial.get(id))',
    to: '() => true',
    tests: [serialsPicked],
  },
  {
    about: 'unpicked goods stay allocated to a consignment that left',
    file: 'src/consignment-status/outwards-stock.ts',
    from: 'consignment.status === ReadyToDispatch && isAnythingOpen',
    to: 'false',
    tests: [unpicked],
  },
  {
    about: 'goods that are put back stay picked',
    file: `${picking_}/move-picked.ts`,
    from: "const isPicked = allocationAfter === 'picked'",
    to: "const isPicked = allocationAfter !== 'released'",
    tests: [unpicked],
  },
  {
    about: 'what was picked last in a request is not what goes back first',
    file: `${picking_}/pick-origins.ts`,
    from: 't.movement_id, t.move_number, p.id',
    to: 'p.id',
    tests: ['test/floor/unpick.test.ts'],
  },
  {
    about: 'a dispatch is undone twice',
    file: `${picking_}/dispatch-stock.ts`,
    from: 'where quantity < 0 and movement_id = (select movement_id from last)',
    to: 'where quantity < 0',
    tests: [dispatched],
  },
  {
    about: 'a dispatch is undone although its goods were returned',
    file: `${picking_}/dispatch-stock.ts`,
    from: 'l.received_quantity > 0',
    to: 'false',
    tests: [everyStatus],
  },
  {
    about: 'a dispatch is undone although one of its serials is in stock',
    file: `${picking_}/dispatch-stock.ts`,
    from: '.filter(({ hasReturned }) => hasReturned)',
    to: '.filter(() => false)',
    tests: [everyStatus, dispatched],
  },
  {
    about: 'serials of an earlier dispatch count as those of the last one',
    file: `${picking_}/dispatch-stock.ts`,
    from: 't.movement_id = ${movementId}',
    to: 'true',
    tests: [left],
  },
  {
    about: 'goods that came back loose are not those that left on the unit',
    file: 'src/stock/ledger/counted-row.ts',
    from: 'coalesce(t.cause_id, t.warehouse_product_id)',
    to: 't.warehouse_product_id',
    tests: [left],
  },
  {
    about: 'unconfirmed goods are dispatched although other picks were confirmed',
    file: 'src/consignment-status/outwards-stock.ts',
    from: 'if (consignment.isPickingConfirmed) {',
    to: 'if (lines.length === 0) {',
    tests: [dispatched],
  },
  {
    about: 'the status changes despite an open picking job',
    file: 'src/consignment-status/outwards-stock.ts',
    from: 'await requireNoOpenJob(tx, consignment)',
    to: '',
    tests: [everyStatus],
  },
  {
    about: 'allocations stay when a consignment becomes Pending again',
    file: 'src/consignment-status/outwards-stock.ts',
    from: 'if (path.indexOf(to) > path.indexOf(Pending)) return',
    to: 'if (path.indexOf(to) >= path.indexOf(Pending)) return',
    tests: [everyStatus],
  },
  {
    about: 'picked goods stay allocated to a Void consignment',
    file: 'src/consignment-status/outwards-stock.ts',
    from: '{ includesPicked: true }',
    to: '{ includesPicked: false }',
    tests: [everyStatus],
  },
  {
    about: 'goods are received again when an inwards consignment becomes Complete',
    file: 'src/floor/receiving/complete-inwards.ts',
    from: 'if (command === undefined) await',
    to: 'await',
    tests: ['test/consignment-status/complete-inwards.test.ts'],
  },
]

export const holds: Mutant[] = [
  {
    about: 'two entries take the same goods',
    file: `${inventory}/plan-take.ts`,
    from: 'remainder.onHand -= quantity',
    to: 'remainder.onHand -= 0n',
    tests: [transferred],
  },
  {
    about: 'two entries take the same serial',
    file: `${inventory}/plan-take.ts`,
    from: '  removeItems(remainder, items)\n',
    to: '',
    tests: [transferred],
  },
  {
    about: 'allocated serials move with a part of a row',
    file: `${inventory}/plan-take.ts`,
    from: 'findNamedItems(row, serials, remainder, isWhole ? [] : allocations)',
    to: 'findNamedItems(row, serials, remainder, [])',
    tests: [transferred],
  },
  {
    about: 'allocated serials are taken as free ones',
    file: `${inventory}/plan-take.ts`,
    from: 'filter(id => !allocated.has(id))',
    to: 'filter(() => true)',
    tests: [held],
  },
  {
    about: 'allocations do not move along with a whole row',
    file: 'src/stock/inventory/allocations.ts',
    from: "{ ...allocation, at: 'to' as const, quantity },",
    to: '',
    tests: [transferred],
  },
  {
    about: 'moved goods are no longer picked',
    file: 'src/stock/inventory/allocations.ts',
    from: "{ ...allocation, at: 'to' as const, quantity },",
    to: "{ ...allocation, isPicked: false, at: 'to' as const, quantity },",
    tests: [transferred],
  },
  {
    about: 'allocated stock is moved into quarantine',
    file: `${inventory}/move-stock.ts`,
    from: 'location.type === LocationType.Quarantine && allocations.length > 0',
    to: 'false',
    tests: [transferred],
  },
  {
    about: 'goods that are on hold already are held again with their unit',
    file: 'src/stock/holds/hold-stock.ts',
    from: 'unit.rows.filter(row => row.inventoryHoldId === null)',
    to: 'unit.rows',
    tests: [held],
  },
  {
    about: 'stock that expires on the given day is not held',
    file: 'src/stock/holds/hold-stock.ts',
    from: 'p.expiry_date <= ${expiryTo}::date',
    to: 'p.expiry_date < ${expiryTo}::date',
    tests: [held],
  },
  {
    about: 'a hold releases picked goods',
    file: 'src/stock/holds/release-allocations.ts',
    from: 'allocation.isPicked || (missing',
    to: '(missing',
    tests: [held],
  },
  {
    about: 'a hold releases the allocations of the oldest consignments first',
    file: 'src/stock/holds/release-allocations.ts',
    from: '...others.toReversed()',
    to: '...others',
    tests: [held],
  },
  {
    about: 'a hold is closed when a part of it is released',
    file: 'src/stock/ledger/close-emptied-holds.ts',
    from: 'and p.inventory_hold_id = h.id and not p.is_depleted)',
    to: 'and p.inventory_hold_id = h.id and false)',
    tests: [held],
  },
  {
    about: 'stock of another hold is released',
    file: 'src/stock/holds/release.ts',
    from: 'else if (row.inventoryHoldId !== inventoryHoldId)',
    to: 'else if (false)',
    tests: [held],
  },
]

export const counts: Mutant[] = [
  {
    about: 'the adjustment of a count takes effect when it was approved',
    file: `${counting}/book-quantity.ts`,
    from: 'coalesce(a.counted_utc, t.effective_utc)',
    to: 't.effective_utc',
    tests: [approved],
  },
  {
    about: 'the book quantity includes movements after the count',
    file: `${counting}/book-quantity.ts`,
    from: 'where ${effectiveUtcOfLine} <= ${instant})`',
    to: 'where true)`',
    tests: [approved],
  },
  {
    about: 'goods that were put on hold during a count are counted as missing',
    file: `${counting}/book-quantity.ts`,
    from: `and \${likenessOf('s')} = \${likenessOf('r')} and s.id <> r.id`,
    to: 'and false',
    tests: [approved],
  },
  {
    about: 'the quantity that comes in has the wrong sign',
    file: `${counting}/count-differences.ts`,
    from: 'const entering = counted > book ? counted - book : 0n',
    to: 'const entering = counted > book ? book - counted : 0n',
    tests: [approved],
  },
  {
    about: 'a serial that has moved since the count is adjusted',
    file: `${counting}/count-differences.ts`,
    from: 'compared.filter(({ hasMoved }) => !hasMoved)',
    to: 'compared',
    tests: [approved],
  },
  {
    about: 'serials that left before the count are expected',
    file: `${counting}/compare-serials.ts`,
    from: 'having sum(sign(t.quantity)) > 0',
    to: 'having count(*) > 0',
    tests: [approved],
  },
  {
    about: 'the person who counted may approve although the organisation forbids it',
    file: `${counting}/approve.ts`,
    from: 'isOtherApproverRequired && line.countedBy === actor.userId',
    to: 'false',
    tests: [approved],
  },
  {
    about: 'the count of a round that arrives last counts',
    file: `${counting}/book-quantity.ts`,
    from: 'order by x.counted_utc desc, x.ordinal desc limit 1',
    to: 'order by x.ordinal desc limit 1',
    tests: [approved],
  },
  {
    about: 'the count that arrives last is stored as approved',
    file: `${counting}/approve.ts`,
    from: 'order by x.counted_utc desc, x.ordinal desc limit 1',
    to: 'order by x.ordinal desc limit 1',
    tests: [approved],
  },
  {
    about: 'a count may be dated before it was created',
    file: `${counting}/stock-count.ts`,
    from: 'if (at >= least - maxClockSkewMs) return earliest',
    to: 'return earliest',
    tests: [approved],
  },
  {
    about: 'a cancelled count keeps its rows',
    file: `${counting}/status.ts`,
    from: 'set is_open = false',
    to: 'set is_open = true',
    tests: ['test/stock/counts/stock-counts.test.ts'],
  },
  {
    about: 'a recount does not start a new round',
    file: `${counting}/recount.ts`,
    from: 'round = round + 1',
    to: 'round = round',
    tests: ['test/stock/counts/stock-counts.test.ts'],
  },
]
