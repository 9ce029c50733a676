// What picks are planned from: rows, allocations and serials as read under the stock lock. What a planned
// pick takes is taken off it, so that the picks of several requests are planned one after another. Spec 2.14.

import type { StockRow } from '../commands/read-stock-rows.ts'
import type { StockSelector } from '../commands/stock-selector.ts'
import { TouchedStock } from '../commands/touched-stock.ts'
import type { Allocation, AllocationLookup } from '../inventory/allocations.ts'
import type { AllocationChange } from '../ledger/movement.ts'
import type { StockIdentity } from '../ledger/stock-identity.ts'
import type { KnownSerial, PickEntry, PickSnapshot, PlannedPick } from './plan-picks.ts'
import type { UnitContents } from './whole-units.ts'

/** Where serials are that a planned pick took: in a row that is not known yet. */
const picked = 'picked'

/** The stock that picks take from, after the picks that were planned on it. */
export class PickState implements PickSnapshot {
  readonly contents: UnitContents
  readonly #read: AllocationLookup
  readonly #serials: KnownSerial[]
  readonly #allocations = new Map<string, readonly Allocation[]>()
  readonly #rows = new Map<string, StockRow>()
  readonly #touched = new TouchedStock()

  constructor(allocations: AllocationLookup, serials: readonly KnownSerial[], contents: UnitContents) {
    this.#read = allocations
    this.#serials = [...serials]
    this.contents = contents
  }

  get serials(): readonly KnownSerial[] {
    return this.#serials
  }

  readonly allocationsOf = (rowId: string): readonly Allocation[] =>
    this.#allocations.get(rowId) ?? this.#read(rowId)

  /** The row as it is after the planned picks. */
  readonly currentOf = (row: StockRow): StockRow => this.#rows.get(row.id) ?? row

  /** As `TouchedStock` tells. */
  mayMatchAnew(entries: readonly StockSelector[]): boolean {
    return this.#touched.mayMatchAnew(entries)
  }

  /** As `TouchedStock` tells. */
  isOutdated(row: StockRow, isTimed: boolean): boolean {
    return this.#touched.isOutdated(row, isTimed)
  }

  /** Takes planned picks off the stock. `targets` are the identities of the rows that they go to. */
  take(
    entries: readonly PickEntry[],
    plans: readonly PlannedPick[],
    targets: readonly StockIdentity[],
  ): void {
    for (const target of targets) this.#touched.fill(target)
    for (const [n, entry] of entries.entries()) {
      const plan = plans[n] as PlannedPick
      const { row } = entry
      this.#touched.take(row)
      this.#change(row, -plan.quantity - plan.missing, [...plan.taken, ...plan.released])
      if (entry.insteadOf) this.#release(entry.insteadOf, plan.replaced)
      this.#takeSerials(row.productId, plan)
    }
  }

  #change(row: StockRow, onHand: bigint, changes: readonly AllocationChange[]): void {
    const { onHand: before, allocated, ...rest } = this.currentOf(row)
    const freed = changes.reduce((sum, { quantity }) => sum + quantity, 0n)
    this.#rows.set(row.id, { ...rest, onHand: before + onHand, allocated: allocated + freed })
    this.#changeAllocations(row.id, changes)
  }

  /** What becomes free in a row that may not be among those that were read. */
  #release(rowId: string, changes: readonly AllocationChange[]): void {
    this.#touched.free(rowId)
    this.#changeAllocations(rowId, changes)
  }

  #changeAllocations(rowId: string, changes: readonly AllocationChange[]): void {
    if (changes.length === 0) return
    const isOf = (change: AllocationChange, allocation: Allocation) =>
      change.consignmentProductId === allocation.consignmentProductId &&
      (change.itemId ?? null) === allocation.itemId &&
      change.isPicked === allocation.isPicked
    const left = this.allocationsOf(rowId).flatMap(allocation => {
      const quantity = changes
        .filter(change => isOf(change, allocation))
        .reduce((sum, change) => sum + change.quantity, allocation.quantity)
      return quantity > 0n ? { ...allocation, quantity } : []
    })
    this.#allocations.set(rowId, left)
  }

  #takeSerials(productId: string, { items, newSerials }: PlannedPick): void {
    const taken = new Set([...items, ...newSerials.flatMap(({ knownId }) => knownId ?? [])])
    for (const [i, serial] of this.#serials.entries())
      if (taken.has(serial.id)) this.#serials[i] = { ...serial, warehouseProductId: picked, leftWith: null }
    for (const { serial, knownId } of newSerials)
      if (knownId === undefined)
        this.#serials.push({ id: '', productId, serial, warehouseProductId: picked, leftWith: null })
  }
}
