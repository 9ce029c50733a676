// The zones of the warehouse, the places in each, what lies there, and how full it is.

import { nameOfGoods, type Place, type Zone } from '../notebook/goods.ts'
import { ask, type World } from '../world.ts'
import { sameText } from './figures.ts'
import { type Row, readStock } from './read-stock.ts'
import { run, warehouseName } from './rows.ts'

const [active, inactive] = [1, 2]

export async function zones(world: World): Promise<void> {
  const { notebook, warehouseId } = world
  const path = `/v1/warehouses/${warehouseId}`
  const { zones: told } = await ask(world, 'get', `${path}/zones?PageSize=500`)
  const known = notebook.zones.map(({ id, name, code, isActive }) => ({
    ...{ id, warehouseId, name, code, status: isActive ? active : inactive },
  }))
  sameText(byName(told), byName(known), 'the zones')
  const places: readonly Place[] = [...notebook.places, ...notebook.pickfaces.all]
  const placesIn = (zone: Zone | null) => places.filter(place => (place.zone ?? null) === zone)
  const isFull = (place: Place) => notebook.floor.live.some(heap => heap.place === place)
  const { zones: shown } = await ask(world, 'get', '/v1/dashboard')
  const full = notebook.zones
    .map(zone => ({
      ...{ name: zone.name, warehouseName, locationCount: placesIn(zone).length },
      occupiedCount: placesIn(zone).filter(isFull).length,
    }))
    .filter(({ locationCount }) => locationCount > 0)
  sameText(byName(shown), byName(full), 'how full the zones are')
  const all = notebook.zones.length === 0 ? [] : await run(world, 'location-status')
  for (const zone of notebook.zones) {
    const what = `the zone ${zone.name}`
    sameText(
      await ask(world, 'get', `${path}/zones/${zone.id}`),
      known.find(one => one.id === zone.id),
      what,
    )
    const { locations } = await ask(world, 'get', `${path}/locations?PageSize=500&WarehouseZoneId=${zone.id}`)
    sameText(
      locations
        .map(({ id, name, warehouseZoneName }: Row) => `${name} ${id} ${warehouseZoneName}`)
        .toSorted(),
      placesIn(zone)
        .map(({ id, name }) => `${name} ${id} ${zone.name}`)
        .toSorted(),
      `${what}, its places`,
    )
    const lying = await readStock(world, `&WarehouseZoneId=${zone.id}`)
    sameText(
      lying.map(({ heap }) => nameOfGoods(heap)).toSorted(),
      notebook.floor.live
        .filter(({ place }) => place.zone === zone)
        .map(nameOfGoods)
        .toSorted(),
      `${what}, what lies there`,
    )
    const own = await run(world, 'location-status', { warehouseZoneId: zone.id })
    const ofZone = all.filter(row => placesIn(zone).some(({ id }) => id === row.warehouseLocationId))
    sameText(own, ofZone, `${what}, the report of its places`)
  }
}

const byName = (rows: readonly Row[]) => rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
