// Where the service would put goods away: where there is room for them, in the order of the walk.

import type { Heap } from '../notebook/floor.ts'
import { type Place, round4, wordsFor } from '../notebook/goods.ts'
import type { Pickface } from '../notebook/pickfaces.ts'
import { ask, type World } from '../world.ts'
import { sameText } from './figures.ts'
import { placeTypes } from './rows.ts'

/** Of how many goods of each world it is asked. */
const many = 3
const most = 5

const reasons = { pickface: 1, sameBatch: 2, freeInZone: 3, free: 4 }

export async function putAway(world: World): Promise<void> {
  const { live, journal } = world.notebook.floor
  for (let i = 0; i < Math.min(many, live.length); i++) {
    const heap = live[(journal.length + i * 5) % live.length] as Heap
    const { locations } = await ask(world, 'get', `/v1/inventory/${heap.id}/put-away`)
    sameText(locations, suggestionsFor(world, heap), `where to put ${wordsFor(heap.quantity, heap)}`)
  }
}

function suggestionsFor({ notebook }: World, heap: Heap): object[] {
  const { pickfaces, floor } = notebook
  const day = notebook.dayAt(Date.now())
  // In walking order, which is that of their making.
  const places: readonly Place[] = [...notebook.places, ...pickfaces.all]
  const shelves = places.filter(isShelf)
  const own = floor.live.filter(({ product }) => product === heap.product)
  const known = new Set(
    shelves
      .filter(place => faceOf(place)?.product === heap.product || own.some(one => one.place === place))
      .flatMap(({ zone }) => zone ?? []),
  )
  const lackOf = (face: Pickface) => round4((face.target ?? face.least) - pickfaces.availableIn(face, day))

  const reasonFor = (place: Place): number | null => {
    const face = faceOf(place)
    if (place === heap.place || (face && face.product !== heap.product)) return null
    if (face && heap.hold === null && lackOf(face) > 0) return reasons.pickface
    const isAlike = ({ look, hold, place: there }: Heap) =>
      there === place && hold === null && look.batch === heap.look.batch
    const isOpen = face === null || (face.target === null && heap.hold === null)
    if (isShelf(place) && isOpen && own.some(isAlike)) return reasons.sameBatch
    if (face !== null || place.kind !== 'racking' || floor.live.some(one => one.place === place)) return null
    return place.zone && known.has(place.zone) ? reasons.freeInZone : reasons.free
  }
  return places
    .flatMap(place => {
      const reason = reasonFor(place)
      return reason === null ? [] : [{ place, reason }]
    })
    .toSorted((a, b) => a.reason - b.reason)
    .slice(0, most)
    .map(({ place, reason }) => ({
      ...{ warehouseLocationId: place.id, warehouseLocationName: place.name },
      ...{ warehouseLocationType: placeTypes[place.kind], warehouseZoneId: place.zone?.id ?? null },
      ...{ walkingOrder: places.indexOf(place) + 1, reason },
      onHandQuantity: round4(
        own.filter(one => one.place === place).reduce((all, { quantity }) => all + quantity, 0),
      ),
      wantedQuantity: reason === reasons.pickface ? lackOf(place as Pickface) : null,
      exceeds: [],
    }))
}

const isShelf = ({ kind }: Place) => kind === 'racking' || kind === 'bulk'
const faceOf = (place: Place): Pickface | null => ('least' in place ? (place as Pickface) : null)
