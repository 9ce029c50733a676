// Mutants of the door of stock: who shares a transaction, who drops out, and what is locked.

import type { Mutant } from '../mutant.ts'

const doorFile = 'src/stock/commands/door.ts'
const carryOut = 'src/stock/commands/carry-out.ts'
const pickState = 'src/stock/picking/pick-state.ts'
const allocations = 'src/floor/allocation-kind.ts'
const door = 'test/stock/commands/door.test.ts'
const touched = 'src/stock/commands/touched-stock.ts'
const transfers = 'test/stock/commands/transfers-together.test.ts'
const picks = 'test/floor/picks-together.test.ts'
const receiving = 'src/floor/receiving/receive-goods.ts'
const receipts = 'test/floor/receipts-together.test.ts'
const holds = 'test/stock/holds/holds-together.test.ts'
const together = 'test/stock/logistic-units/units-together.test.ts'
const adjusting = 'src/stock/commands/adjust-kind.ts'
const adjustments = 'test/stock/commands/adjustments-together.test.ts'
const pickedGoods = 'src/floor/picking/picked-goods-kind.ts'
const moved = 'test/floor/picked-goods-together.test.ts'
const allocated = 'test/floor/allocations-together.test.ts'
const correcting = 'src/stock/commands/correct-description.ts'
const corrections = 'test/stock/commands/corrections-together.test.ts'
const unreceiving = 'src/floor/unreceive.ts'
const unreceipts = 'test/floor/unreceipts-together.test.ts'
const recording = 'src/floor/receive-serials.ts'
const lateSerials = 'test/floor/late-serials-together.test.ts'

export const doors: Mutant[] = [
  {
    about: 'commands of different kinds share a transaction',
    file: doorFile,
    from: 'if (kind === null || (first && kind !== first.kind)) continue',
    to: 'if (kind === null) continue',
    tests: [door],
  },
  {
    about: 'a pick locks the stock of all lines of its consignment',
    file: 'src/floor/picking/outwards-consignment.ts',
    from: `where l.organisation_id = \${organisationId} and l.id = any(\${lineIds})
      and c.warehouse_id is not null`,
    to: `where l.organisation_id = \${organisationId} and l.consignment_id in (
      select x.consignment_id from consignment_product x where x.id = any(\${lineIds}))
      and c.warehouse_id is not null`,
    tests: [picks],
  },
  {
    about: 'a transaction is shared by any number of commands',
    file: doorFile,
    from: 'if (batch.length === maxShared || (first',
    to: 'if ((first',
    tests: [door],
  },
  {
    about: 'a transaction has any number of moves',
    file: doorFile,
    from: ' || (first && moves + weight > maxMoves)',
    to: '',
    tests: [door],
  },
  {
    about: 'a second shared transaction begins for a command of few moves',
    file: doorFile,
    from: 'weigh(next.command.request) >= manyMoves',
    to: 'weigh(next.command.request) >= 1',
    tests: [door],
  },
  {
    about: 'a third shared transaction begins',
    file: doorFile,
    from: 'this.#sharedCount < maxSharing',
    to: 'this.#sharedCount <= maxSharing',
    tests: [door],
  },
  {
    about: 'any number of commands waits',
    file: doorFile,
    from: 'if (this.#waiting.length >= maxWaiting) return Promise.reject(busy())',
    to: '',
    tests: [door],
  },
  {
    about: 'a command whose client has left is carried out',
    file: doorFile,
    from: 'this.#waiting = this.#waiting.filter(other => other !== waiter)',
    to: '',
    tests: [door],
  },
  {
    about: 'a client that leaves during its transaction is told that nothing was done',
    file: doorFile,
    from: "signal.removeEventListener('abort', onAbort)",
    to: 'undefined',
    tests: [door],
  },
  {
    about: 'one bad command fails all that share its transaction',
    file: doorFile,
    from: 'if (!isDatabaseUnavailable(error)) return waiters.map(runningAlone)',
    to: '',
    tests: [door],
  },
  {
    about: 'what is left by a transaction is lost',
    file: doorFile,
    from: 'this.#waiting.unshift(...remaining)',
    to: '',
    tests: [door],
  },
  {
    about: 'doors take all connections',
    file: doorFile,
    from: 'const spareConnections = 2',
    to: 'const spareConnections = 0',
    tests: [door],
  },
  {
    about: 'every command that cannot share a transaction runs at once',
    file: doorFile,
    from: 'const maxAlone = 3',
    to: 'const maxAlone = 30',
    tests: [door],
  },
  {
    about: 'a refusal fails the whole transaction',
    file: carryOut,
    from: 'if (error instanceof Refusal) return { refusal: error }',
    to: '',
    tests: [picks],
  },
  {
    about: 'commands that share a transaction ignore operations that are already done',
    file: carryOut,
    from: "if (!isNew[n]) return 'alone'",
    to: '',
    tests: [allocated, picks],
  },
  {
    about: 'responses of shared transactions are not kept',
    file: carryOut,
    from: 'await settleOperations(tx, organisationId, claimed)',
    to: '',
    tests: [picks, allocated],
  },
  {
    about: 'what a pick takes is there for the next of its transaction',
    file: pickState,
    from: 'this.#allocations.set(rowId, left)',
    to: '',
    tests: [picks],
  },
  {
    about: 'picks of one transaction tell the lines as they were before all of them',
    file: 'src/floor/picking/confirm-picks.ts',
    from: 'snapshot.lines.set(id, lines)',
    to: 'void id',
    tests: [picks],
  },
  {
    about: 'requests for the same consignment are merged',
    file: allocations,
    from: 'taken.add(consignment.id)',
    to: '',
    tests: [allocated],
  },
  {
    about: 'what a transfer takes is there for the next of its transaction',
    file: 'src/stock/commands/move-stock.ts',
    from: '  throwIfAny()\n  keep()\n',
    to: '  throwIfAny()\n',
    tests: [transfers],
  },
  {
    about: 'a transfer from a row is planned before what comes into it is written',
    file: touched,
    from: 'this.#filled.has(keyOf(row))',
    to: 'false',
    tests: [transfers],
  },
  {
    about: 'a transfer of earlier does not know that goods were taken since',
    file: touched,
    from: '(isTimed && this.#taken.has(row.id)) ||',
    to: '',
    tests: [transfers],
  },
  {
    about: 'a receipt counts the line as it was before the receipts of its transaction',
    file: receiving,
    from: 'line: snapshot.lines.get(receipt.line.id) ?? receipt.line',
    to: 'line: receipt.line',
    tests: [receipts],
  },
  {
    about: 'everything outstanding is received beside a part of it',
    file: receiving,
    from: 'if (dependsOnLines && consignmentIds.has(arrival.consignment.id)) return true',
    to: '',
    tests: [receipts],
  },
  {
    about: 'two receipts of a transaction bring the same serial',
    file: receiving,
    from: 'return serials.size > 0 && receipts',
    to: 'return false && receipts',
    tests: [receipts],
  },
  {
    about: 'two receipts of a transaction make the same unit',
    file: receiving,
    from: 'snapshot.usedUnits.areUsed(unitsOfCommand)',
    to: 'false',
    tests: [receipts],
  },
  {
    about: 'two transfers of a transaction move or fill the same unit',
    file: 'src/stock/commands/move-stock.ts',
    from: 'isOutdated || dependsOnUnits ||',
    to: 'isOutdated ||',
    tests: [together],
  },
  {
    about: 'two picks of a transaction fill the same unit',
    file: 'src/floor/picking/confirm-picks.ts',
    from: ' || usedUnits.areUsed(units)',
    to: '',
    tests: [together],
  },
  {
    about: 'goods are picked onto a unit that the same transaction has taken away',
    file: 'src/floor/picking/requested-units.ts',
    from: 'picking.picks.map(entry => unitOf(rows.get(entry)))',
    to: '[]',
    tests: [together],
  },
  {
    about: 'goods are added to a unit as if it still carried what was taken off',
    file: adjusting,
    from: 'emptied: parts.map(({ row }) => row.logisticUnitId)',
    to: 'emptied: []',
    tests: [together],
  },
  {
    about: 'what a pick frees elsewhere is not there for the next of its transaction',
    file: pickState,
    from: 'this.#touched.free(rowId)',
    to: '',
    tests: [together],
  },
  {
    about: 'goods are added to a row as it was before it was emptied',
    file: adjusting,
    from: '(isRead && touched.isTaken(row.id))',
    to: 'false',
    tests: [adjustments],
  },
  {
    about: 'a description is matched before what moves its product is written',
    file: touched,
    from: 'stock && this.isProductTouched(stock.partnerProductId)',
    to: 'false',
    tests: [adjustments, transfers],
  },
  {
    about: 'what an adjustment takes is there for the next of its transaction',
    file: adjusting,
    from: '    keep()\n',
    to: '',
    tests: [adjustments],
  },
  {
    about: 'serials that left in the transaction are refused when they come back',
    file: adjusting,
    from: 'serials.length > 0 && touched.isProductTouched(product.id)',
    to: 'false',
    tests: [adjustments],
  },
  {
    about: 'whether all of a row is allocated is told of the row before the holds of its transaction',
    file: 'src/stock/holds/hold-kind.ts',
    from: 'if (isTouched || touched.mayMatchAnew(stock)) throw new Postponed()',
    to: '',
    tests: [holds],
  },
  {
    about: 'picked goods of one consignment are moved twice as they were first',
    file: 'src/floor/lock-consignments.ts',
    from: ' || first.has(consignment.id)',
    to: '',
    tests: [moved],
  },
  {
    about: 'picked goods are moved as if nobody had put others into the same row',
    file: pickedGoods,
    from: 'if (isOutdated || ',
    to: 'if (',
    tests: [moved],
  },
  {
    about: 'picked goods are described as if others had not moved',
    file: pickedGoods,
    from: 'touched.mayMatchAnew(described) || ',
    to: '',
    tests: [moved],
  },
  {
    about: 'picked goods go onto a unit that others move',
    file: pickedGoods,
    from: ' || usedUnits.areUsed(units)',
    to: '',
    tests: [moved],
  },
  {
    about: 'goods are put back loose though their pallet comes back before them',
    file: 'src/floor/unpick.ts',
    from: 'formerUnitId: origin?.formerUnitId ?? null',
    to: 'formerUnitId: null',
    tests: [moved],
  },
  {
    about: 'a hold is released twice as it was first',
    file: 'src/stock/holds/release.ts',
    from: 'used.has(id) || ',
    to: '',
    tests: [holds],
  },
  {
    about: 'held goods are described as if others had not been released',
    file: 'src/stock/holds/release.ts',
    from: ' || touched.mayMatchAnew(stock ?? [])',
    to: '',
    tests: [holds],
  },
  {
    about: 'allocations are released as those of another consignment of the transaction',
    file: 'src/floor/release.ts',
    from: 'released.allocations.get(consignment.id)',
    to: '[...released.allocations.values()][0]',
    tests: ['test/floor/releases-together.test.ts'],
  },
  {
    about: 'what a correction describes anew is there to be described anew by the next of its transaction',
    file: correcting,
    from: '  taken.keep()\n',
    to: '',
    tests: [corrections],
  },
  {
    about: 'goods are described anew as if no others had come into their row in the transaction',
    file: correcting,
    from: '(!isFieldFault(row) && touched.isOutdated(row, occurredUtc !== null))',
    to: 'false',
    tests: [corrections],
  },
  {
    about: 'a serial is looked for in the row that it has left in the transaction',
    file: correcting,
    from: 'entry.itemId !== undefined && movedItems.has(entry.itemId)',
    to: 'false',
    tests: [corrections],
  },
  {
    about: 'what is described is found before what the transaction describes anew',
    file: correcting,
    from: ' || touched.mayMatchAnew(entries)',
    to: '',
    tests: [corrections],
  },
  {
    about: 'a new attribute is taken for a mistake where corrections share a transaction',
    file: correcting,
    from: 'records.isShared && lackAttributes(attributes, records.attributeIds)',
    to: 'false',
    tests: [corrections],
  },
  {
    about: 'goods are taken back twice for a consignment as they were first',
    file: unreceiving,
    from: '!served.has(request) || ',
    to: '',
    tests: [unreceipts],
  },
  {
    about: 'what is taken back is there for the next consignment of the transaction',
    file: unreceiving,
    from: 'remaining.set(id, { ...rest, row: { ...row, ...measuresAfter(row, moves) } })',
    to: 'remaining.set(id, remaining.get(id) as RemainingStock)',
    tests: [unreceipts],
  },
  {
    about: 'a row weighs what it did before others took goods back in the transaction',
    file: unreceiving,
    from: ', ...measuresAfter(row, moves)',
    to: '',
    tests: [unreceipts],
  },
  {
    about: 'goods to be taken back are described as if others had not been',
    file: unreceiving,
    from: ' || touched.mayMatchAnew(unreceipts)',
    to: '',
    tests: [unreceipts],
  },
  {
    about: 'what was received for one consignment is taken back for another',
    file: 'src/floor/receiving/read-received.ts',
    from: 'received.get(id) ?? []',
    to: '[...received.values()].flat()',
    tests: [unreceipts],
  },
  {
    about: 'a serial is taken back from the line of another consignment',
    file: 'src/floor/receiving/read-received.ts',
    from: 'distinct on (t.consignment_id, i.id)',
    to: 'distinct on (i.id)',
    tests: [unreceipts],
  },
  {
    about: 'serials are recorded twice for a consignment as they were first',
    file: recording,
    from: '  if (!served.has(request)) throw new Postponed()\n',
    to: '',
    tests: [lateSerials],
  },
  {
    about: 'a serial is recorded for two consignments of a transaction',
    file: recording,
    from: ' || own.some(serial => recorded.has(serial))',
    to: '',
    tests: [lateSerials],
  },
  {
    about: 'goods whose serials are recorded lack them for the next consignment of the transaction',
    file: recording,
    from: 'rows.set(id, left)',
    to: 'left.pop()',
    tests: [lateSerials],
  },
]
