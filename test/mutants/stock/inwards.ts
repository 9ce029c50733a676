// Ways of breaking what comes in and back, what devices send late, and what is read of stock.

import type { Mutant } from '../mutant.ts'

const received = 'test/consignments/receive.test.ts'
const returned = 'test/consignments/returns.test.ts'
const listed = 'test/stock/inventory/inventory.test.ts'

export const inwards: Mutant[] = [
  {
    about: 'goods of a return are free at once',
    file: 'src/consignments/receive.ts',
    from: 'given.hold === undefined ? defaultHold : given.hold',
    to: 'given.hold ?? null',
    tests: [returned],
  },
  {
    about: 'all that is outstanding is all that was expected',
    file: 'src/consignments/receiving/arrival.ts',
    from: 'const quantity = line.expected - line.received',
    to: 'const quantity = line.expected',
    tests: [received],
  },
  {
    about: 'each receipt says when the consignment was received',
    file: 'src/consignments/receiving/arrival.ts',
    from: 'if (consignment.actualReceiveDateTime !== null) return',
    to: '',
    tests: [received],
  },
  {
    about: 'what one entry takes back the next takes back again',
    file: 'src/consignments/unreceive.ts',
    from: 'line.quantity -= part',
    to: 'line.quantity -= 0n',
    tests: ['test/consignments/unreceive.test.ts'],
  },
  {
    about: 'promised goods are taken back',
    file: 'src/consignments/unreceive.ts',
    from: 'if (quantity > free)',
    to: 'if (false)',
    tests: ['test/consignments/unreceive.test.ts'],
  },
  {
    about: 'a hold that nothing is left in stays open',
    file: 'src/consignments/unreceive.ts',
    from: 'and p.inventory_hold_id = h.id and not p.is_depleted',
    to: 'and p.inventory_hold_id = h.id',
    tests: ['test/consignments/unreceive.test.ts'],
  },
  {
    about: 'more comes back than left',
    file: 'src/consignments/returns.ts',
    from: 'scale(4, line.dispatchedQuantity) - scale(4, line.returnedQuantity)',
    to: 'scale(4, line.dispatchedQuantity)',
    tests: [returned],
  },
  {
    about: 'two entries give serials to the same goods',
    file: 'src/consignments/receive-serials.ts',
    from: 'row.lacking -= part.length',
    to: 'row.lacking -= 0',
    tests: ['test/consignments/receive-serials.test.ts'],
  },
  {
    about: 'what depends on something refused is tried',
    file: 'src/stock/inventory/replay.ts',
    from: 'if (outcome.status < 400) completed.add(id)',
    to: 'completed.add(id)',
    tests: ['test/stock/inventory/replay.test.ts'],
  },
  {
    about: 'operations are forgotten after nine days',
    file: 'src/stock/inventory/forget-operations.ts',
    from: "interval '90 days'",
    to: "interval '9 days'",
    tests: ['test/stock/inventory/replay.test.ts'],
  },
  {
    about: 'requests that are gathered forget that an operation was done',
    file: 'src/consignments/batched-allocation.ts',
    from: 'if (consignment === undefined || !isNew[i]) continue',
    to: 'if (consignment === undefined) continue',
    tests: ['test/consignments/batched-allocation.test.ts'],
  },
  {
    about: 'gathered requests for one consignment are one',
    file: 'src/consignments/batched-allocation.ts',
    from: 'free.delete(consignment.id)',
    to: '',
    tests: ['test/consignments/batched-allocation.test.ts'],
  },
]

export const reads: Mutant[] = [
  {
    about: 'a client sees all stock',
    file: 'src/stock/inventory/list/filters.ts',
    from: 'partnerId !== undefined && sql`l.partner_id = ${partnerId}`',
    to: 'false',
    tests: [listed],
  },
  {
    about: 'a batch is looked for in its case',
    file: 'src/stock/inventory/list/filters.ts',
    from: 'lower(s.batch) = lower(${batch})',
    to: 's.batch = ${batch}',
    tests: [listed],
  },
  {
    about: 'of two filters of dangerous goods one is enough',
    file: 'src/stock/inventory/list/filters.ts',
    from: "join(given, ' intersect ')",
    to: "join(given, ' union ')",
    tests: [listed],
  },
  {
    about: 'the pickface is filled up without regard to what is there',
    file: 'src/stock/inventory/put-away.ts',
    from: 'then coalesce(l.target_quantity, l.min_quantity) - l.quantity',
    to: 'then coalesce(l.target_quantity, l.min_quantity)',
    tests: ['test/stock/inventory/put-away.test.ts'],
  },
]
