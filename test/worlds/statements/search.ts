// What somebody finds who searches for what is written on papers, labels and shelves: the record with its
// words of today, and nothing that has nothing of what was searched for.

import { ask, type World } from '../world.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import { clientName, warehouseName } from './rows.ts'

/** A record that a text must find. */
interface Sought {
  text: string
  kind: string
  id: string | null
  parentId: string | null
  title: string
  /** null if more is said of it than is written down */
  subtitle: string | null
  status: number | null
}

const active = 1
const words = (...parts: readonly (string | null | undefined)[]) => parts.filter(part => part).join(', ')

export async function search(world: World): Promise<void> {
  for (const sought of soughtIn(world)) {
    const { text, kind, id, title, subtitle } = sought
    const { results } = await ask(world, 'get', `/v1/search?Q=${encodeURIComponent(text)}`)
    const what = `who searches for ${text}`
    for (const row of results) {
      const isMeant = `${row.title} ${row.subtitle}`.toLowerCase().includes(text.toLowerCase())
      sameText(isMeant, true, `${what}, finds ${row.title}, ${row.subtitle}`)
    }
    const found = results.find(
      (row: Row) => row.kind === kind && (id === null ? row.title === title : row.id === id),
    )
    const told = found && {
      ...found,
      ...(subtitle === null ? { subtitle } : {}),
      ...(id === null ? { id } : {}),
    }
    const { text: _, ...known } = sought
    sameText(told, known, `${what}, the ${kind} ${title}`)
  }
}

function soughtIn(world: World): Sought[] {
  const { notebook, clientId, warehouseId, caller } = world
  const { consignments, products, places, floor, pickfaces, books, person } = notebook
  const nobody = { parentId: null, status: null }
  const digitsOf = (number: string) => number.replace(/^\D+0*/, '').replace(/\D.*$/, '')
  const held = floor.live.find(({ serials }) => serials.size > 0)
  return [
    ...consignments
      .slice(-1)
      .flatMap(({ id, number, status }) =>
        [number.toLowerCase(), digitsOf(number)]
          .filter(text => text.length > 1)
          .map(text => ({ text, kind: 'consignment', id, title: number, subtitle: null, ...nobody, status })),
      ),
    ...products.slice(-1).map(({ id, code, name }) => ({
      ...{ text: code.toLowerCase(), kind: 'product', id, parentId: clientId, title: code },
      ...{ subtitle: words(name, clientName), status: active },
    })),
    ...places.slice(0, 1).map(({ id, name, zone }) => ({
      ...{ text: name.slice(0, -1), kind: 'location', id, parentId: warehouseId, title: name },
      ...{ subtitle: words(warehouseName, zone?.name), status: active },
    })),
    ...[...floor.units.values()]
      .filter(({ leftWith }) => leftWith === null)
      .slice(-1)
      .map(({ id, number, name, place }) => ({
        ...{ text: name.toLowerCase(), kind: 'unit', id, title: number as string },
        ...{ subtitle: words(place.name, clientName, name), ...nobody },
      })),
    ...[...(held?.serials ?? [])].slice(0, 1).map(serial => ({
      ...{ text: serial, kind: 'serial', id: null, title: serial, ...nobody },
      subtitle: words(held?.product.code, held?.product.name, held?.place.name),
    })),
    ...pickfaces.fills.slice(-1).map(({ id, number, status }) => ({
      ...{ text: number, kind: 'job', id, title: number, subtitle: clientName, ...nobody, status },
    })),
    ...books.schedules.slice(-1).flatMap(({ id, day, reference, description, invoice, isApproved }) =>
      reference === null
        ? []
        : [
            {
              ...{ text: reference, kind: 'schedule', id, title: words(clientName, day), ...nobody },
              ...{ subtitle: words(invoice, reference, description), status: isApproved ? 2 : 1 },
            },
          ],
    ),
    { text: person, kind: 'user', id: caller.actor.userId, title: person, subtitle: null, ...nobody },
  ]
}
