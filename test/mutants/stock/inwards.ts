// Mutants of receiving, returns, replayed operations and reading stock.

import type { Mutant } from '../mutant.ts'

const received = 'test/floor/receive.test.ts'
const returned = 'test/floor/returns.test.ts'
const returnedTogether = 'test/floor/returns-together.test.ts'
const found = 'test/stock/commands/adjust.test.ts'
const listed = 'test/stock/inventory/inventory.test.ts'

export const inwards: Mutant[] = [
  {
    about: 'returned goods are available at once',
    file: 'src/floor/receiving/requested-receipts.ts',
    from: 'given.hold === undefined ? defaultHold : given.hold',
    to: 'given.hold ?? null',
    tests: [returned],
  },
  {
    about: 'the outstanding quantity is the whole expected quantity',
    file: 'src/floor/receiving/arrival.ts',
    from: 'const quantity = line.expected - line.received',
    to: 'const quantity = line.expected',
    tests: [received],
  },
  {
    about: 'every receipt overwrites the received date of the consignment',
    file: 'src/floor/receiving/arrival.ts',
    from: 'and (c.actual_receive_date_time is null or c.actual_receive_date_time > g.received_at)',
    to: '',
    tests: [received],
  },
  {
    about: 'two entries unreceive the same goods',
    file: 'src/floor/receiving/take-back.ts',
    from: 'part.line.quantity -= given',
    to: 'part.line.quantity -= 0n',
    tests: ['test/floor/unreceive.test.ts'],
  },
  {
    about: 'allocated goods are unreceived',
    file: 'src/floor/receiving/take-back.ts',
    from: 'if (quantity > free)',
    to: 'if (false)',
    tests: ['test/floor/unreceive.test.ts'],
  },
  {
    about: 'more goods are returned than were dispatched',
    file: 'src/floor/returning/plan-return.ts',
    from: 'if (quantity > left) {',
    to: 'if (quantity > total) {',
    tests: [returned],
  },
  {
    about: 'a part of goods of several batches comes back as the first of them',
    file: 'src/floor/returning/plan-return.ts',
    from: 'if (isKnown && remaining.length === 1)',
    to: 'if (isKnown && remaining.length > 0)',
    tests: [returned],
  },
  {
    about: 'a return receives more than left and has not come back',
    file: 'src/floor/receiving/returned-goods.ts',
    from: 'product.sent - product.back - (received',
    to: 'product.sent - (received',
    tests: [returned],
  },
  {
    about: 'returns of one transaction together receive more than left',
    file: 'src/floor/receiving/returned-goods.ts',
    from: 'product.back += quantity',
    to: 'product.back += 0n',
    tests: [returnedTogether],
  },
  {
    about: 'a return that is refused counts as come back for those of its transaction',
    file: 'src/floor/receiving/receive-goods.ts',
    from: '  faults.throwIfAny()\n  noteReturned?.()\n',
    to: '  noteReturned?.()\n  faults.throwIfAny()\n',
    tests: [returnedTogether],
  },
  {
    about: 'announced serials that were replaced are received with the rest',
    file: 'src/floor/receiving/arrival.ts',
    from: 'serials: areKnown ? announced : []',
    to: 'serials: announced.slice(0, Number(quantity / oneItem))',
    tests: [received],
  },
  {
    about: 'a dispatch is undone while its return is open',
    file: 'src/stock/picking/dispatch-stock.ts',
    from: '(back.is_received or c.status not in',
    to: '(back.is_received and c.status not in',
    tests: [returned],
  },
  {
    about: 'two entries assign serials to the same goods',
    file: 'src/floor/receiving/lacking-serials.ts',
    from: 'row.lacking -= part.length',
    to: 'row.lacking -= 0',
    tests: ['test/floor/receive-serials.test.ts'],
  },
  {
    about: 'an operation that depends on a refused one is tried',
    file: 'src/stock/commands/replay.ts',
    from: 'if (outcome.status < 400) completed.add(operation.operationId)',
    to: 'completed.add(operation.operationId)',
    tests: ['test/stock/commands/replay.test.ts'],
  },
  {
    about: 'operation ids expire after nine days',
    file: 'src/stock/commands/delete-old-operations.ts',
    from: "interval '90 days'",
    to: "interval '9 days'",
    tests: ['test/stock/commands/replay.test.ts'],
  },
  {
    about: 'late serials go to goods of other batches',
    file: 'src/floor/receiving/lacking-serials.ts',
    from: '.filter(({ likeLineIds }) => likeLineIds.includes(line.id))',
    to: '.filter(({ productId }) => productId === line.productId)',
    tests: ['test/floor/receive-serials.test.ts'],
  },
  {
    about: 'a line takes back the average weight of its row',
    file: 'src/floor/receiving/measure-unreceipts.ts',
    from: '      ...toMove(measures[i] as Measures),\n',
    to: '',
    tests: ['test/floor/unreceive.test.ts'],
  },
  {
    about: 'goods of another batch get the dates of the announced one',
    file: 'src/floor/receiving/requested-receipts.ts',
    from: '!batch || announced.batch === null',
    to: 'true || announced.batch === null',
    tests: [received],
  },
]

const placing = 'src/stock/commands/place-goods.ts'

export const places: Mutant[] = [
  {
    about: 'goods on a unit that a later entry names a place for go to the default place first',
    file: placing,
    from: 'of [...naming, ...others]',
    to: 'of goods',
    tests: [received],
  },
  {
    about: 'goods come to a unit that two entries name different places for',
    file: placing,
    from: 'location && decided !== null && decided !== location.id',
    to: 'false',
    tests: [received],
  },
  {
    about: 'what a place is for does not matter to goods that come in',
    file: placing,
    from: 'isFound ? inactiveRefusal(place) : placementRefusal(place, productId)',
    to: 'inactiveRefusal(place)',
    tests: [received],
  },
  {
    about: 'found goods are refused where nobody may put them',
    file: placing,
    from: 'isFound ? inactiveRefusal(place) : placementRefusal(place, productId)',
    to: 'placementRefusal(place, productId)',
    tests: ['test/stock/counts/approve.test.ts'],
  },
  {
    about: 'goods without a place come in nowhere',
    file: placing,
    from: 'warehouseLocationId === null && unit === null',
    to: 'false',
    tests: [found],
  },
  {
    about: 'faults of places are told of the first entry',
    file: placing,
    from: 'refuse(i, ...fault)',
    to: 'refuse(0, ...fault)',
    tests: [received],
  },
]

export const reads: Mutant[] = [
  {
    about: 'a client sees the stock of other clients',
    file: 'src/stock/inventory/list/filters.ts',
    from: 'partnerId !== undefined && sql`l.partner_id = ${partnerId}`',
    to: 'false',
    tests: [listed],
  },
  {
    about: 'batches are searched case-sensitively',
    file: 'src/stock/inventory/list/filters.ts',
    from: 'lower(s.batch) = lower(${batch})',
    to: 's.batch = ${batch}',
    tests: [listed],
  },
  {
    about: 'two filters of dangerous goods are combined with or',
    file: 'src/stock/inventory/list/filters.ts',
    from: "join(given, ' intersect ')",
    to: "join(given, ' union ')",
    tests: [listed],
  },
  {
    about: 'replenishment ignores the stock that is already in the pickface',
    file: 'src/stock/commands/put-away.ts',
    from: 'then coalesce(l.target_quantity, l.min_quantity) - l.available',
    to: 'then coalesce(l.target_quantity, l.min_quantity)',
    tests: ['test/stock/commands/put-away.test.ts'],
  },
]
