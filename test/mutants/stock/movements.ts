// Ways of breaking what people do to stock: taking, picking, dispatching, holding and counting it.

import type { Mutant } from '../mutant.ts'

const picking_ = 'src/stock/picking'
const inventory = 'src/stock/inventory'
const counting = 'src/stock/stock-counts'
const picked = 'test/consignments/pick.test.ts'
const transferred = 'test/stock/inventory/transfer.test.ts'
const held = 'test/stock/inventory/holds/holds.test.ts'
const approved = 'test/stock/stock-counts/approve.test.ts'
const everyStatus = 'test/consignments/status/every-status.test.ts'

export const picking: Mutant[] = [
  {
    about: 'two picks of a request take the same free stock',
    file: `${picking_}/plan-picks.ts`,
    from: 'freeByRow.set(row.id, left - unallocated)',
    to: 'freeByRow.set(row.id, left)',
    tests: [picked],
  },
  {
    about: 'what is picked already is picked again',
    file: `${picking_}/plan-picks.ts`,
    from: 'consignmentProductId === line.id && !isPicked',
    to: 'consignmentProductId === line.id',
    tests: [picked],
  },
  {
    about: 'two picks of a request name one serial',
    file: `${picking_}/plan-picks.ts`,
    from: 'for (const id of resolved.items) usedSerials.add(id)',
    to: '',
    tests: [picked],
  },
  {
    about: 'stock of another client stands in',
    file: `${picking_}/plan-picks.ts`,
    from: 'if (row.partnerId !== line.clientId)',
    to: 'if (false)',
    tests: [picked],
  },
  {
    about: 'a serial that is promised to another line is picked',
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
    tests: [picked],
  },
  {
    about: 'a unit goes along with a part of what is on it',
    file: `${picking_}/whole-units.ts`,
    from: 'movedQuantity(row) === row.onHand',
    to: 'movedQuantity(row) > 0n',
    tests: [picked],
  },
  {
    about: 'what has once been put back counts as where goods came from',
    file: `${picking_}/move-picked.ts`,
    from: 'and t.particulars is distinct from ${unpicked}',
    to: '',
    tests: [picked],
  },
  {
    about: 'goods that are put back stay picked',
    file: `${picking_}/move-picked.ts`,
    from: "const isPicked = allocationAfter === 'picked'",
    to: "const isPicked = allocationAfter !== 'released'",
    tests: [picked],
  },
  {
    about: 'a dispatch that was undone is undone again',
    file: `${picking_}/dispatch-stock.ts`,
    from: 'where quantity < 0 and movement_id = (select movement_id from line order by recorded_utc desc limit 1)',
    to: 'where quantity < 0',
    tests: [picked],
  },
  {
    about: 'a dispatch is undone though goods of it came back',
    file: `${picking_}/dispatch-stock.ts`,
    from: 'l.received_quantity > 0',
    to: 'false',
    tests: [everyStatus],
  },
  {
    about: 'a dispatch is undone though a serial of it is in stock',
    file: `${picking_}/dispatch-stock.ts`,
    from: '.filter(({ hasReturned }) => hasReturned)',
    to: '.filter(() => false)',
    tests: [everyStatus, picked],
  },
  {
    about: 'what nobody confirmed goes although somebody confirmed something',
    file: 'src/consignments/status/outwards-stock.ts',
    from: 'lines.some(({ picked }) => picked > 0n)',
    to: 'false',
    tests: [everyStatus],
  },
  {
    about: 'a status passes over people who are picking',
    file: 'src/consignments/status/outwards-stock.ts',
    from: 'await requireNoOpenJob(tx, consignment)',
    to: '',
    tests: [everyStatus],
  },
  {
    about: 'promises stay with a consignment that is Pending again',
    file: 'src/consignments/status/outwards-stock.ts',
    from: 'if (path.indexOf(to) > path.indexOf(Pending)) return',
    to: 'if (path.indexOf(to) >= path.indexOf(Pending)) return',
    tests: [everyStatus],
  },
  {
    about: 'what is picked stays promised to a consignment that is Void',
    file: 'src/consignments/status/outwards-stock.ts',
    from: '{ includesPicked: true }',
    to: '{ includesPicked: false }',
    tests: [everyStatus],
  },
  {
    about: 'goods come in once more when an inwards consignment is Complete',
    file: 'src/consignments/receiving/complete-inwards.ts',
    from: 'if (command === undefined) await',
    to: 'await',
    tests: ['test/consignments/status/complete-inwards.test.ts'],
  },
]

export const holds: Mutant[] = [
  {
    about: 'what one entry takes the next takes again',
    file: `${inventory}/take.ts`,
    from: 'remainder.onHand -= quantity',
    to: 'remainder.onHand -= 0n',
    tests: [transferred],
  },
  {
    about: 'a serial that one entry takes the next takes again',
    file: `${inventory}/take.ts`,
    from: '  removeItems(remainder, items)\n',
    to: '',
    tests: [transferred],
  },
  {
    about: 'promised serials go with a part of a row',
    file: `${inventory}/take.ts`,
    from: 'findNamedItems(row, serials, remainder, isWhole ? [] : allocations)',
    to: 'findNamedItems(row, serials, remainder, [])',
    tests: [transferred],
  },
  {
    about: 'of serials that are free promised ones are taken, too',
    file: `${inventory}/take.ts`,
    from: 'filter(id => !allocated.has(id))',
    to: 'filter(() => true)',
    tests: [held],
  },
  {
    about: 'promises are not moved along with a whole row',
    file: `${inventory}/allocations.ts`,
    from: "{ ...allocation, at: 'to' as const, quantity },",
    to: '',
    tests: [transferred],
  },
  {
    about: 'goods that are moved lose that they are picked',
    file: `${inventory}/allocations.ts`,
    from: "{ ...allocation, at: 'to' as const, quantity },",
    to: "{ ...allocation, isPicked: false, at: 'to' as const, quantity },",
    tests: [transferred],
  },
  {
    about: 'promised stock is moved into quarantine',
    file: `${inventory}/move-stock.ts`,
    from: 'location.type === LocationType.Quarantine && allocations.length > 0',
    to: 'false',
    tests: [transferred],
  },
  {
    about: 'what is held already is held again with its unit',
    file: `${inventory}/holds/hold-stock.ts`,
    from: 'unit.rows.filter(row => row.inventoryHoldId === null)',
    to: 'unit.rows',
    tests: [held],
  },
  {
    about: 'what expires on the day is not held',
    file: `${inventory}/holds/hold-stock.ts`,
    from: 'p.expiry_date <= ${expiryTo}::date',
    to: 'p.expiry_date < ${expiryTo}::date',
    tests: [held],
  },
  {
    about: 'a hold takes what is picked',
    file: `${inventory}/holds/release-allocations.ts`,
    from: 'allocation.isPicked || (missing',
    to: '(missing',
    tests: [held],
  },
  {
    about: 'the oldest consignments give way to a hold',
    file: `${inventory}/holds/release-allocations.ts`,
    from: '...others.toReversed()',
    to: '...others',
    tests: [held],
  },
  {
    about: 'a hold is over when a part of it is released',
    file: `${inventory}/holds/release.ts`,
    from: 'and h.id = ${inventoryHoldId} and not exists (',
    to: 'and h.id = ${inventoryHoldId} and exists (',
    tests: [held],
  },
  {
    about: 'stock of another hold is released',
    file: `${inventory}/holds/release.ts`,
    from: 'else if (row.inventoryHoldId !== inventoryHoldId)',
    to: 'else if (false)',
    tests: [held],
  },
]

export const counts: Mutant[] = [
  {
    about: 'what a count put right happened when it was approved',
    file: `${counting}/book-quantity.ts`,
    from: 'coalesce(a.counted_utc, t.effective_utc)',
    to: 't.effective_utc',
    tests: [approved],
  },
  {
    about: 'what happens after it was counted was there',
    file: `${counting}/book-quantity.ts`,
    from: 'where ${happenedUtc} <= ${instant})`',
    to: 'where true)`',
    tests: [approved],
  },
  {
    about: 'goods that were put on hold during a count are missing',
    file: `${counting}/book-quantity.ts`,
    from: `and \${appearanceOf('s')} = \${appearanceOf('r')} and s.id <> r.id`,
    to: 'and false',
    tests: [approved],
  },
  {
    about: 'too much is missing and too little comes in',
    file: `${counting}/settle-lines.ts`,
    from: 'const entering = counted > book ? counted - book : 0n',
    to: 'const entering = counted > book ? book - counted : 0n',
    tests: [approved],
  },
  {
    about: 'a serial that has moved since is put right',
    file: `${counting}/settle-lines.ts`,
    from: 'compared.filter(({ hasMoved }) => !hasMoved)',
    to: 'compared',
    tests: [approved],
  },
  {
    about: 'what left before it was counted was there',
    file: `${counting}/compare-serials.ts`,
    from: 'having sum(sign(t.quantity)) > 0',
    to: 'having count(*) > 0',
    tests: [approved],
  },
  {
    about: 'who counted approves, whatever the organisation says',
    file: `${counting}/approve.ts`,
    from: 'isOtherApproverRequired && line.countedBy === actor.userId',
    to: 'false',
    tests: [approved],
  },
  {
    about: 'the first word of a line counts',
    file: `${counting}/book-quantity.ts`,
    from: 'order by x.ordinal desc limit 1',
    to: 'order by x.ordinal limit 1',
    tests: [approved],
  },
  {
    about: 'the first word of a line is written down as approved',
    file: `${counting}/approve.ts`,
    from: 'order by x.ordinal desc limit 1',
    to: 'order by x.ordinal limit 1',
    tests: [approved],
  },
  {
    about: 'a count that is cancelled keeps its rows',
    file: `${counting}/status.ts`,
    from: 'set is_open = false',
    to: 'set is_open = true',
    tests: ['test/stock/stock-counts/stock-counts.test.ts'],
  },
  {
    about: 'a new round is the old one',
    file: `${counting}/recount.ts`,
    from: 'round = round + 1',
    to: 'round = round',
    tests: ['test/stock/stock-counts/stock-counts.test.ts'],
  },
]
