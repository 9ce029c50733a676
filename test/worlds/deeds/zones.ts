// The warehouse is divided into zones, places go from one to another or to none, and zones are renamed.

import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { make } from '../make.ts'
import { ask, say, type World } from '../world.ts'

const most = 3
const [active, inactive] = [1, 2]

async function divide(world: World, choices: Choices): Promise<void> {
  const { notebook, warehouseId, caller } = world
  const path = `/v1/warehouses/${warehouseId}/zones`
  const known = notebook.zones.length === most ? choices.among(notebook.zones, ({ tag }) => tag) : undefined
  const name = notebook.newName('ZONE')
  const code = choices.onceIn(2) ? notebook.newName('Z') : null
  if (known === undefined) {
    say(world, `make the zone ${name}`)
    world.told.clear()
    const id = await make(caller, path, { name, code })
    notebook.zones.push({ id, name, code, isActive: true, tag: notebook.tag })
    return
  }
  const isActive = !choices.onceIn(4)
  say(world, `call the zone ${known.name} ${name}${isActive ? '' : ', and put it out of use'}`)
  await ask(world, 'put', `${path}/${known.id}`, { name, code, status: isActive ? active : inactive })
  Object.assign(known, { name, code, isActive })
}

async function assign(world: World, choices: Choices): Promise<void> {
  const { notebook, warehouseId } = world
  const { zones, places, pickfaces } = notebook
  const place = choices.of([...places, ...pickfaces.all])
  const zone = choices.among(zones, ({ tag }) => tag)
  if (place === undefined || zone === undefined) return
  const to = place.zone === zone ? null : zone
  say(world, to ? `put ${place.name} into ${to.name}` : `take ${place.name} out of ${zone.name}`)
  const path = `/v1/warehouses/${warehouseId}/locations/${place.id}`
  await ask(world, 'put', path, { warehouseZoneId: to?.id ?? null })
  place.zone = to
}

export const zoneKinds: DeedKind[] = [
  { name: 'divide the warehouse', often: 1, perform: divide },
  { name: 'put a place into a zone', often: 2, perform: assign },
]
