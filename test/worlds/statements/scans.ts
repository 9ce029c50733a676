// What a scanner reads: everything that a code is, and nothing else.

import { nameOfGoods } from '../notebook/goods.ts'
import { ask, type World } from '../world.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import { clientName, warehouseName } from './rows.ts'

const active = 1

export async function scans(world: World): Promise<void> {
  const { notebook } = world
  const { floor, consignments, products, places } = notebook
  const latest = <T>(values: readonly T[]) => values.slice(-2)
  const codes = [
    ...latest(places).map(({ name }) => name.toLowerCase()),
    ...latest(products).map(({ code }) => code.toLowerCase()),
    ...latest(consignments).map(({ number }) => number.toLowerCase()),
    ...latest([...floor.units.values()]).map(({ name, isSscc }) =>
      isSscc ? `00${name}` : name.toLowerCase(),
    ),
    ...latest([...floor.units.values()]).flatMap(({ number }) => number ?? []),
    ...latest(floor.live.toSorted(byName).flatMap(({ serials }) => [...serials])),
  ]
  for (const code of new Set(codes)) {
    const { matches } = await ask(world, 'get', `/v1/scan?Code=${encodeURIComponent(code)}`)
    const told = matches.map(({ id, unitTypeId: _, ...match }: Row) =>
      match.kind === 'item' ? match : { id, ...match },
    )
    sameText(inOrder(told), inOrder(matchesOf(world, code)), `what ${code} is`)
  }
}

const byName = (a: Parameters<typeof nameOfGoods>[0], b: Parameters<typeof nameOfGoods>[0]) =>
  nameOfGoods(a) < nameOfGoods(b) ? -1 : 1

const inOrder = (rows: readonly Row[]): string[] =>
  rows.map(row => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted()

function matchesOf({ notebook, warehouseId, clientId }: World, code: string): Row[] {
  const { floor, consignments, products, places } = notebook
  const here = { warehouseId, warehouseName }
  const nowhere = { warehouseId: null, warehouseName: null }
  const own = { clientId, clientName }
  const is = (name: string | null) => name?.toLowerCase() === code.toLowerCase()
  const sscc = /^00\d{18}$/.test(code) ? code.slice(2) : code
  return [
    ...places
      .filter(({ name }) => is(name))
      .map(({ id, name }) => ({
        ...{ kind: 'location', id, name, ...here, clientId: null, clientName: null, status: active },
      })),
    ...[...floor.units.values()]
      .filter(({ name, number, isSscc }) => is(number) || (isSscc ? name === sscc : is(name)))
      .map(unit => ({
        ...{ kind: 'logisticUnit', id: unit.id, name: unit.number },
        ...{ ...(unit.leftWith === null ? here : nowhere), ...own, status: null },
      })),
    ...floor.live
      .filter(({ serials }) => serials.has(code))
      .map(({ product }) => ({
        kind: 'item',
        name: `${code} (${product.code})`,
        ...here,
        ...own,
        status: null,
      })),
    ...products
      .filter(product => is(product.code))
      .map(({ id, code: own, name }) => ({
        ...{ kind: 'product', id, name: `${own} ${name}`, ...nowhere, clientId, clientName, status: active },
      })),
    ...consignments
      .filter(({ number }) => is(number))
      .map(({ id, number, status }) => ({ kind: 'consignment', id, name: number, ...here, ...own, status })),
  ]
}
