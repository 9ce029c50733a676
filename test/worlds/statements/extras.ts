// What was done for consignments besides, and what was used for them: each with how much of it there is now,
// its history with who changed it, its events, and the paper that lists it.

import type { ExtraChange, ExtraType } from '../notebook/extras.ts'
import type { Consignment } from '../notebook/orders.ts'
import { ask, type World } from '../world.ts'
import { readEvents } from './events.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

const kinds = ['task', 'consumable'] as const

export async function extras(world: World): Promise<void> {
  const raised = await readEvents(world)
  for (const consignment of world.notebook.consignments) {
    const { id, extraChanges } = consignment
    const detail = await ask(world, 'get', `/v1/consignments/${id}`)
    const { history } = await ask(world, 'get', `/v1/consignments/${id}/history?PageSize=500`)
    for (const kind of kinds) {
      await compareExtras(world, consignment, kind, detail)
      const own = extraChanges.filter(({ type }) => type.kind === kind)
      const what = `the ${kind}s of ${consignment.number}`
      compareHistory(kind, own, history.toReversed(), what)
      const events = raised.filter(
        ({ type, data }) => type === `consignment.${kind}s.updated` && data.consignmentId === id,
      )
      sameText(events.length, new Set(own.map(({ act }) => act)).size, `${what}, their events`)
    }
  }
}

async function compareExtras(
  world: World,
  { id, number, extras, extraChanges }: Consignment,
  kind: ExtraType['kind'],
  detail: Row,
): Promise<void> {
  const typeId = `${kind}TypeId`
  const known = extras
    .filter(({ type }) => type.kind === kind)
    .map(({ type, value }) => ({ [typeId]: type.id, name: type.name, value }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const told = detail[`${kind}s`].map(({ id: _, [`${kind}TypeName`]: name, ...row }: Row) => ({
    ...{ [typeId]: row[typeId], name, value: row.value },
  }))
  sameText(told, known, `the ${kind}s of ${number} in its detail`)
  // Where nothing ever changed, the detail says it all.
  if (extraChanges.length === 0) return
  const listed = await ask(world, 'get', `/v1/consignments/${id}/${kind}s`)
  sameText(listed[`${kind}s`], known, `the ${kind}s of ${number}`)
}

/** Each change of a type, in the order in which it happened, under its name of then. */
function compareHistory(
  kind: ExtraType['kind'],
  own: readonly ExtraChange[],
  entries: readonly Row[],
  what: string,
): void {
  const typeId = `${kind}TypeId`
  const told = entries.flatMap(({ changes, userFullName }) =>
    (changes ?? [])
      .filter(({ field }: Row) => field === `${kind}s`)
      .map(({ from, to }: Row) => {
        const { [typeId]: id, name } = to ?? from
        return { id, name, from: from?.value ?? null, to: to?.value ?? null, by: userFullName }
      }),
  )
  const known = own.map(({ type, name, from, to, by }) => ({ id: type.id, name, from, to, by }))
  const byType = (rows: readonly { id: string }[]) =>
    Object.fromEntries([...Map.groupBy(rows, ({ id }) => id)].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  sameText(byType(told), byType(known), `${what}, their history`)
}
